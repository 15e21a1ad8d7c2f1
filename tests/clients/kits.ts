/**
 * How clients get here: each kit is a folder into which the usual tool of a language installs published packages, exactly
 * named, and which then runs a program of programs/ with them.
 */
import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../import-graph.js";
import { type Command, runToSuccess } from "./run-command.js";

const PROGRAMS = path.join(ROOT, "tests/clients/programs");

/** Packages of one language, installed together. */
export interface Kit {
  /** Program of the language; without it its clients cannot be run. */
  readonly tool: string;
  /** Throws when the packages cannot be had. */
  install(folder: string): Promise<unknown>;
}

/** A client that is tried. */
export interface Client {
  readonly name: string;
  readonly kit: KitName;
  /** The program for a round; it gets the node's address, a name for indices, and the fixture. */
  command(folder: string, given: readonly string[]): Command;
}

const PYTHON_PACKAGES = {
  python8: "elasticsearch==8.19.3",
  python9: "elasticsearch==9.5.1",
  pythonOpenSearch: "opensearch-py==3.2.0",
} as const;

/** See the head of this file. */
export const KITS = {
  javascript: {
    tool: "npm",
    install: (folder) => installWith(folder, "javascript", "npm", ["install", "--no-audit", "--no-fund", "--silent"]),
  },
  python8: python("python8"),
  python9: python("python9"),
  pythonOpenSearch: python("pythonOpenSearch"),
  go: {
    tool: "go",
    install: (folder) => installWith(folder, "go", "go", ["build", "-mod=mod", "-o", "flows", "."]),
  },
  java: {
    tool: "mvn",
    install: (folder) =>
      installWith(folder, "java", "mvn", ["-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=jars"]),
  },
} satisfies Record<string, Kit>;

export type KitName = keyof typeof KITS;

function python(name: keyof typeof PYTHON_PACKAGES): Kit {
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", "packages"];
  return {
    tool: "python3",
    install: (folder) => installWith(folder, "python", "python3", [...pip, PYTHON_PACKAGES[name]]),
  };
}

function installWith(folder: string, language: string, program: string, args: readonly string[]): Promise<string> {
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(PROGRAMS, language), folder, { recursive: true });
  return runToSuccess({ program, arguments: args, folder });
}

/** All clients, in the order of the table. */
export const CLIENTS: readonly Client[] = [
  javascript("@elastic/elasticsearch 7.17", "es7"),
  javascript("@elastic/elasticsearch 8", "es8"),
  javascript("@elastic/elasticsearch 9", "es9"),
  javascript("@opensearch-project/opensearch 2", "os2"),
  javascript("@opensearch-project/opensearch 3", "os3"),
  {
    name: "elasticdump",
    kit: "javascript",
    command: (folder, given) => ({ program: process.execPath, arguments: ["dump.mjs", ...given], folder }),
  },
  pythonClient("elasticsearch-py 8", "python8", "elasticsearch"),
  pythonClient("elasticsearch-py 9", "python9", "elasticsearch"),
  pythonClient("opensearch-py", "pythonOpenSearch", "opensearchpy"),
  {
    name: "go-elasticsearch 8",
    kit: "go",
    command: (folder, given) => ({ program: path.join(folder, "flows"), arguments: given, folder }),
  },
  {
    name: "elasticsearch-java 8",
    kit: "java",
    command: (folder, given) => ({
      program: "java",
      arguments: ["-cp", "jars/*", "Flows.java", ...given],
      folder,
    }),
  },
];

function javascript(name: string, alias: string): Client {
  return {
    name,
    kit: "javascript",
    command: (folder, given) => ({ program: process.execPath, arguments: ["flows.mjs", ...given, alias], folder }),
  };
}

function pythonClient(name: string, kit: KitName, module: string): Client {
  return {
    name,
    kit,
    command: (folder, given) => ({
      program: "python3",
      arguments: ["flows.py", ...given, module],
      folder,
      environment: { PYTHONPATH: path.join(folder, "packages"), PYTHONWARNINGS: "ignore" },
    }),
  };
}
