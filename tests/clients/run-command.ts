/** Programs that are run to their end. */
import { spawn } from "node:child_process";

/** How one is run. */
export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What it left. */
export interface Ended {
  /** null: by a signal, or it could not be started. */
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** After so long a program is ended: none of ours takes minutes, installing a client may. */
const PATIENCE_MS = 10 * 60_000;

/** Runs it; never throws. */
export function runCommand(command: Command): Promise<Ended> {
  const env = { ...process.env, ...command.environment };
  const child = spawn(command.program, [...command.arguments], { cwd: command.folder, env, timeout: PATIENCE_MS });
  const [output, errors]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  child.stdin.end();
  const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ status: null, output: "", errors: error.message }));
    child.once("close", (status) => resolve({ status, output: text(output), errors: text(errors) }));
  });
}

/** Runs it and gives what it printed. Throws with its last lines when it did not end well. */
export async function runToSuccess(command: Command): Promise<string> {
  const { status, output, errors } = await runCommand(command);
  if (status === 0) return output;
  const last = `${errors}\n${output}`.trim().split("\n").slice(-8).join(" | ");
  throw new Error(`${command.program} ${command.arguments.join(" ")} ended with ${status}: ${last}`);
}
