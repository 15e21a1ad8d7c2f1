import { Command, CommanderError } from "commander";
import { type CommandRow, UsageError } from "./command.js";
import { COMMANDS } from "./commands/index.js";
import { version } from "./version.js";

const INTRODUCTION = `
Code search for people, agents and everything that speaks Elasticsearch.

First steps:
  pinakes up ~/my-project            start a node, index the folder, keep serving
  pinakes search "parse options"     matching lines, the definition first
  curl 'localhost:9200/_cat/indices?v'
`;

function addCommand(program: Command, row: CommandRow, finish: (status: number) => void): void {
  const command = program.command(row.args ? `${row.name} ${row.args}` : row.name).description(row.summary);
  for (const option of row.options) {
    command.option(option.value ? `${option.flag} <${option.value}>` : option.flag, option.help, option.default);
  }
  command.addHelpText("after", `\nExamples:\n${row.examples.map((line) => `  ${line}`).join("\n")}\n`);
  command.action(async () => {
    const args = command.processedArgs.flat().filter((value): value is string => typeof value === "string");
    const run = await row.load();
    try {
      finish(await run({ args, options: command.opts() }));
    } catch (error) {
      finish(report(error, row.failureStatus));
    }
  });
}

/** Runs one command line; returns the exit status: 0 done, 1 failed or nothing found, 2 called wrongly. */
export async function main(argv: string[]): Promise<number> {
  let status = 0;
  const program = new Command("pinakes").version(version).addHelpText("after", INTRODUCTION).exitOverride();
  program.showSuggestionAfterError().showHelpAfterError("(pinakes --help teaches the commands)");
  for (const row of COMMANDS) {
    addCommand(program, row, (result) => {
      status = result;
    });
  }
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync(argv, { from: "user" });
    return status;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown, failed = 1): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`pinakes: ${message}\n`);
  if (process.env.PINAKES_TRACE && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return error instanceof UsageError ? 2 : failed;
}
