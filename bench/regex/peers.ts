/** Programs that the regex benchmark asks beside the node: as whole processes, their output into a file. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Asked } from "./patterns.js";

/** Lines that were found: `path:number`, sorted. */
export type FoundLines = readonly string[];

/** A program that searches a folder. */
export interface Peer {
  readonly name: string;
  /** Whether it must find the same lines; otherwise how many it finds is shown. */
  readonly exact: boolean;
  /** What it did before it can search, for the report; empty: nothing. */
  readonly prepared: string;
  asks(asked: Asked): boolean;
  /** Searches, listing all lines; milliseconds. */
  time(asked: Asked): number;
  /** All lines. */
  lines(asked: Asked): FoundLines;
}

export const PEERS = ["ripgrep", "codesearch"] as const;
export type PeerName = (typeof PEERS)[number];

/** Opens a peer for a folder, with a work folder of its own; null: the program is not there. */
export function openPeer(name: PeerName, folder: string, work: string): Peer | null {
  return name === "ripgrep" ? ripgrep(folder, work) : codesearch(folder, work);
}

/** A program by its variable, else by its name on the path; null: neither answers. */
function program(variable: string, name: string): string | null {
  const file = process.env[variable] ?? name;
  return spawnSync(file, ["--help"], { stdio: "ignore" }).error === undefined ? file : null;
}

interface Run {
  readonly file: string;
  readonly folder: string;
  readonly output: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs to the end; returns milliseconds. grep's 1 ("no line") is no failure. */
function run({ file, folder, output, env }: Run, args: readonly string[]): number {
  const descriptor = openSync(output, "w");
  try {
    const began = performance.now();
    const { status, stderr } = spawnSync(file, args, { cwd: folder, env, stdio: ["ignore", descriptor, "pipe"] });
    const took = performance.now() - began;
    if (status !== 0 && status !== 1) throw new Error(`${file} ${args.join(" ")}: ${stderr}`);
    return took;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Everything is read (`--no-ignore --hidden --text`), as UTF-8 (`--encoding none`: no byte order marks are looked for),
 * `\r\n` ends a line (`--crlf`), nothing comes from a configuration.
 */
const RIPGREP_FLAGS = ["--no-config", "--no-ignore", "--hidden", "--text", "--encoding", "none", "--crlf"];

function ripgrep(folder: string, work: string): Peer | null {
  const file = program("PINAKES_RIPGREP", "rg");
  if (file === null) return null;
  const where = { file, folder, output: path.join(work, "ripgrep.out") };
  const flags = (asked: Asked) => [
    ...RIPGREP_FLAGS,
    ...(asked.caseInsensitive ? ["-i"] : []),
    ...(asked.wholeWord ? ["-w"] : []),
    ...(asked.multiline ? ["-U"] : []),
  ];
  const list = ["-n", "--no-heading", "--color", "never"];
  return {
    name: "ripgrep",
    exact: true,
    prepared: "",
    asks: () => true,
    time: (asked) => run(where, [...flags(asked), ...list, "-e", asked.pattern, "./"]),
    lines: (asked) => {
      run(where, [...flags(asked), "--json", "-e", asked.pattern, "./"]);
      return jsonLines(readFileSync(where.output, "utf8"));
    },
  };
}

interface JsonMatch {
  readonly type: string;
  readonly data: {
    readonly path: { readonly text: string };
    readonly lines: { readonly text: string };
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number }[];
  };
}

/** Lines in which matches begin, from ripgrep's events: a match over lines is one event. */
function jsonLines(text: string): FoundLines {
  const found = new Set<string>();
  for (const event of text.split("\n")) {
    if (!event.startsWith('{"type":"match"')) continue;
    const { data } = JSON.parse(event) as JsonMatch;
    const bytes = Buffer.from(data.lines.text);
    const name = data.path.text.replace(/^\.\//, "");
    for (const { start } of data.submatches) {
      const before = bytes.subarray(0, start).reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 0);
      found.add(`${name}:${data.line_number + before}`);
    }
  }
  return [...found].sort();
}

function codesearch(folder: string, work: string): Peer | null {
  const search = program("PINAKES_CSEARCH", "csearch");
  const index = program("PINAKES_CINDEX", "cindex");
  if (search === null || index === null) return null;
  const env = { ...process.env, CSEARCHINDEX: path.join(work, "codesearch.index") };
  const seconds = run({ file: index, folder, output: path.join(work, "cindex.out"), env }, [folder]) / 1000;
  const bytes = readFileSync(env.CSEARCHINDEX).length;
  const where = { file: search, folder, output: path.join(work, "codesearch.out"), env };
  const args = (asked: Asked) => ["-n", ...(asked.caseInsensitive ? ["-i"] : []), asked.pattern];
  return {
    name: "codesearch",
    exact: false,
    prepared: `indexed in ${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(1)} MB`,
    asks: (asked) => !asked.notCodesearch && !asked.multiline,
    time: (asked) => run(where, args(asked)),
    lines: (asked) => {
      run(where, args(asked));
      return grepLines(readFileSync(where.output, "utf8"), folder);
    },
  };
}

/** `path:number:text` a line. */
function grepLines(text: string, folder: string): FoundLines {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const place = /^(.*?:\d+):/.exec(line)?.[1];
    if (place !== undefined) found.push(place.slice(folder.length + 1));
  }
  return found.sort();
}
