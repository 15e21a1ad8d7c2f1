/** A suite: files of cases, each a list of steps, with what is done before and after every case of its file. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { readYaml } from "./read-yaml.js";
import { isMap, type Value } from "./values.js";

/** `do`, `match`, ...: its kind and what stands behind it. */
export interface Step {
  kind: string;
  argument: Value;
}

export interface SuiteFile {
  /** Path below the suite's folder. */
  file: string;
  setup: Step[];
  teardown: Step[];
  cases: { name: string; steps: Step[] }[];
}

/** Paths of all YAML files below a folder, relative to it, sorted. */
export function listSuite(folder: string, below = ""): string[] {
  const names = readdirSync(path.join(folder, below)).sort();
  return names.flatMap((name) => {
    const file = path.posix.join(below, name);
    if (statSync(path.join(folder, file)).isDirectory()) return listSuite(folder, file);
    return /\.ya?ml$/.test(name) ? [file] : [];
  });
}

/** Reads one file. Throws SyntaxError for what is no suite. */
export function readSuiteFile(folder: string, file: string): SuiteFile {
  const found: SuiteFile = { file, setup: [], teardown: [], cases: [] };
  for (const document of readYaml(readFileSync(path.join(folder, file), "utf8"), file)) {
    if (document === null) continue;
    if (!isMap(document)) throw new SyntaxError(`${file}: a document that is no map`);
    for (const [name, steps] of document) addSection(found, name, steps);
  }
  return found;
}

function addSection(found: SuiteFile, name: string, steps: Value): void {
  // The newer dialect says first which kinds of server a file is for.
  if (name === "requires" && isMap(steps)) {
    found.setup.unshift({ kind: "requires", argument: steps });
    return;
  }
  if (!Array.isArray(steps)) throw new SyntaxError(`${found.file}: "${name}" is no list of steps`);
  const read = steps.map((step) => toStep(step, found.file));
  if (name === "setup") found.setup.push(...read);
  else if (name === "teardown") found.teardown.push(...read);
  else found.cases.push({ name, steps: read });
}

function toStep(step: Value, file: string): Step {
  if (!isMap(step) || step.size !== 1) throw new SyntaxError(`${file}: a step that is not one directive`);
  const [[kind, argument]] = step;
  return { kind, argument };
}
