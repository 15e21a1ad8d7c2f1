import path from "node:path";
import { parseArgs } from "node:util";

/** What a run was asked to do. */
export interface ConformanceOptions {
  /** The suite's folder, with `test` and `api` in it. */
  folder: string;
  /** Files to run, by pattern; all without one. */
  only: string[];
  /** Server to try; undefined: a node of its own is started. */
  url: string | undefined;
  identity: string;
  junit: string | undefined;
  /** The list of passing cases; undefined: none is compared. */
  floor: string | undefined;
  raise: boolean;
  verbose: boolean;
}

const USAGE = `npm run conformance -- FOLDER [--only GLOB]... [--url URL] [--identity os2|es8|es9] [--junit FILE]
    [--floor FILE [--raise]] [--verbose]
Runs the cases of FOLDER/test with the endpoints of FOLDER/api. Exit status 1: a case of the floor did not pass, or,
without a floor, any case failed.`;

/** Reads the command line. Throws an Error that is the usage. */
export function parseOptions(args: string[]): ConformanceOptions {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: "string", multiple: true },
        url: { type: "string" },
        identity: { type: "string", default: "os2" },
        junit: { type: "string" },
        floor: { type: "string" },
        raise: { type: "boolean", default: false },
        verbose: { type: "boolean", default: false },
      },
    });
    if (positionals.length !== 1) throw new Error("one FOLDER is needed");
    return {
      ...values,
      folder: path.resolve(positionals[0]),
      only: values.only ?? [],
      url: values.url,
      junit: values.junit,
      floor: values.floor,
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}
