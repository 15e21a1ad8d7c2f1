import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";

/** How this program was started: what `process` says. */
export interface Started {
  /** Path of the script, `process.argv[1]`. */
  script: string;
  env: NodeJS.ProcessEnv;
}

/**
 * How to write this program's name in a command to be typed, so that it works where the last one did: `npx pinakes` under
 * npx, `pinakes` where the search path leads to this very script, else `node` with the script's absolute path.
 */
export function programCommand({ script, env }: Started = here()): string {
  // npm sets this for `npx pinakes` and `npm exec pinakes`; `npm run` and `npm test` set another value.
  if (env.npm_command === "exec") return "npx pinakes";
  return isOnPath(script, env) ? "pinakes" : scriptCommand(script);
}

/** The same as words, for programs that start others from any folder: `npx` asks nothing, and a script is absolute. */
export function programWords({ script, env }: Started = here()): string[] {
  if (env.npm_command === "exec") return ["npx", "-y", "pinakes"];
  return isOnPath(script, env) ? ["pinakes"] : ["node", real(script) ?? path.resolve(script)];
}

/** `node /absolute/path/to/bin/pinakes.js`: what works from any folder, and for programs that start others. */
export function scriptCommand(script: string = here().script): string {
  return `node ${quoted(real(script) ?? path.resolve(script))}`;
}

/** A word as a shell takes it. */
export function quoted(text: string): string {
  return /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

function here(): Started {
  return { script: process.argv[1] ?? "pinakes", env: process.env };
}

function isOnPath(script: string, env: NodeJS.ProcessEnv): boolean {
  const own = real(script);
  const folders = (env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const found = folders.map((folder) => path.join(folder, "pinakes")).find(isExecutable);
  return own !== undefined && found !== undefined && real(found) === own;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function real(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
