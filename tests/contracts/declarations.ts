/**
 * Answers judged by the declarations of `@elastic/elasticsearch`: each becomes a literal in a program that the TypeScript
 * compiler checks. What a declaration requires must be there, everything declared must have its type; what is not
 * declared may be there too.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { removeFolder, temporaryFolder } from "../support/node.js";

const require = createRequire(import.meta.url);
const CLIENT = path.dirname(require.resolve("@elastic/elasticsearch/package.json"));
const DECLARATIONS = path.join(CLIENT, "lib/api/types.js");
const COMPILER = path.join(path.dirname(require.resolve("typescript/package.json")), "bin/tsc");

/** An answer and the declared type it should have. */
export interface TypedAnswer {
  /** A declaration of the client's `types.d.ts`, such as `SearchResponse`. */
  readonly type: string;
  /** Of a HEAD request whether it succeeded. */
  readonly answer: unknown;
}

/** What the compiler says of each answer, in their order; nothing: it has its type. Throws if the compiler does not run. */
export function complaintsOf(answers: readonly TypedAnswer[]): string[][] {
  const folder = temporaryFolder("contracts");
  try {
    writeProgram(folder, answers);
    const { stdout, stderr, error } = spawnSync(process.execPath, [COMPILER, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
    });
    if (error !== undefined) throw error;
    return sortedOut(`${stdout}${stderr}`, answers.length);
  } finally {
    removeFolder(folder);
  }
}

function writeProgram(folder: string, answers: readonly TypedAnswer[]): void {
  mkdirSync(folder, { recursive: true });
  const files = answers.map((_, at) => `${at}.ts`);
  for (const [at, { type, answer }] of answers.entries()) {
    // The type of the argument is inferred, so that what is not declared is no error but what is missing or wrong is.
    const source = [
      `import type * as Declared from ${JSON.stringify(DECLARATIONS)};`,
      `declare function check<Answer extends Declared.${type}>(answer: Answer): void;`,
      `check(${JSON.stringify(answer, undefined, 1)});`,
    ];
    writeFileSync(path.join(folder, files[at]), source.join("\n"));
  }
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: "nodenext", types: [] };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
}

/** The compiler's lines by file; lines that begin with blanks go with the one before. */
function sortedOut(output: string, count: number): string[][] {
  const complaints: string[][] = Array.from({ length: count }, () => []);
  let own: string[] | undefined;
  for (const line of output.split("\n").filter((one) => one.trim() !== "")) {
    const found = /(?:^|\/)(\d+)\.ts\(\d+,\d+\): error (.*)$/.exec(line);
    if (found !== null) {
      own = complaints[Number(found[1])];
      own.push(found[2]);
    } else if (line.startsWith(" ") && own !== undefined) own.push(line);
    else throw new Error(`the compiler says: ${output}`);
  }
  return complaints;
}
