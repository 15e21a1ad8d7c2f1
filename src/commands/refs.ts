import type { SymbolDeclaration } from "../../code/index.js";
import { counted } from "../../code/index.js";
import {
  certaintyNote,
  fileJson,
  findReferences,
  type ReferenceLine,
  type References,
  symbolJson,
} from "../../mcp/index.js";
import { definitionsOf, sayNothing } from "../asked-symbol.js";
import type { Invocation } from "../command.js";
import { codeText, noteText, placeText, printJson, type SymbolCommand, symbolCommand } from "../symbols.js";

/** `pinakes refs NAME|PATH:LINE[:COLUMN]|LOCATOR`: the lines that refer to it, and how many only mention the name. */
export function runRefs(call: Invocation): Promise<number> {
  const withMentions = call.options.mentions === true;
  return symbolCommand(call, async (command) => {
    const { names, meanings } = await definitionsOf(command, call.args[0]!);
    const symbols = meanings.map(({ declaration }) => declaration);
    if (symbols.length === 0) {
      await sayNothing(command, names);
      return 0;
    }
    const references = await findReferences(command.graph, symbols);
    if (command.isJson) printJson(command, referencesJson(symbols, references));
    else await printReferences(command, references, withMentions);
    const count = references.files.reduce((sum, { lines }) => sum + lines.length, 0);
    return withMentions ? count + references.mentions.lines : count;
  });
}

async function printReferences(command: SymbolCommand, references: References, withMentions: boolean): Promise<void> {
  const { files, mentions, others, unseen } = references;
  for (const { file, lines } of files) {
    for (const line of lines) {
      command.print(`${await placeText(command, file, line.line)}: ${codeText(line.text)}${noteText(notesOf(line))}`);
    }
  }
  if (withMentions) {
    for (const { file, lines } of mentions.files) {
      for (const { line, text } of lines) {
        command.print(`${await placeText(command, file, line)}: ${codeText(text)}${noteText(["mention"])}`);
      }
    }
  }
  command.say(summaryOf(references, withMentions));
  if (others > 0) command.say(`${others} places of the same name mean other declarations`);
  if (unseen + mentions.unseen > 0) {
    const declarations = `${counted(unseen, "declaration")} that ${unseen === 1 ? "refers" : "refer"} to the name`;
    command.say(`not looked at: ${declarations} and ${counted(mentions.unseen, "file")} with it`);
  }
}

function notesOf({ kind, certainty, among, isVerified }: ReferenceLine): string[] {
  return [
    ...(kind === "call" ? [] : [kind]),
    ...(certainty === "exact" ? [] : [certaintyNote(certainty, among)]),
    ...(isVerified ? [] : ["unverified"]),
  ];
}

function summaryOf({ files, mentions }: References, withMentions: boolean): string {
  const lines = files.flatMap((file) => file.lines);
  const exact = lines.filter(({ certainty }) => certainty === "exact").length;
  const hint = withMentions || mentions.lines === 0 ? "" : " (--mentions prints them)";
  return (
    `${counted(lines.length, "line")} in ${counted(files.length, "file")} ${lines.length === 1 ? "refers" : "refer"} to it, ${exact} exactly; ` +
    `${mentions.lines} more lines mention the name${hint}`
  );
}

function referencesJson(
  symbols: readonly SymbolDeclaration[],
  { files, mentions, others, unseen }: References,
): object {
  return {
    symbols: symbols.map(symbolJson),
    files: files.map(({ file, lines }) => ({
      ...fileJson(file),
      lines: lines.map(({ isVerified, isTest, ...line }) => ({ ...line, verified: isVerified, test: isTest })),
    })),
    mentions: {
      lines: mentions.lines,
      unseen_files: mentions.unseen,
      files: mentions.files.map(({ file, lines }) => ({ ...fileJson(file), lines })),
    },
    other_declarations: others,
    unseen_declarations: unseen,
  };
}
