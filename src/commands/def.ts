import type { Meaning, TextDefinition } from "../../code/index.js";
import { symbolJson } from "../../mcp/index.js";
import { definitionsOf, sayNothing } from "../asked-symbol.js";
import type { Invocation } from "../command.js";
import {
  codeText,
  noteText,
  placeText,
  printJson,
  type SymbolCommand,
  signatureText,
  symbolCommand,
  verifiedNote,
} from "../symbols.js";

/** `pinakes def NAME|PATH:LINE[:COLUMN]|LOCATOR`: where it is declared, the likeliest first. */
export function runDef(call: Invocation): Promise<number> {
  return symbolCommand(call, async (command) => {
    let count = 0;
    const found = [];
    for (const asked of call.args) {
      const { names, meanings, inText = [] } = await definitionsOf(command, asked);
      const definitions = await Promise.all(meanings.map((one) => meaningJson(command, one)));
      found.push({ asked, names, definitions, ...(inText.length === 0 ? {} : { in_text: inText }) });
      count += meanings.length + inText.length;
      if (command.isJson) continue;
      for (const meaning of meanings) command.print(await meaningLine(command, meaning));
      for (const line of inText) command.print(await textLine(command, line));
      if (meanings.length + inText.length === 0) await sayNothing(command, names);
    }
    if (command.isJson) printJson(command, found);
    return count;
  });
}

async function meaningLine(command: SymbolCommand, { declaration, certainty, why }: Meaning): Promise<string> {
  const notes = [`${certainty}: ${why}`, await verifiedNote(command, declaration)];
  const place = await placeText(command, declaration, declaration.startLine);
  return `${place}: ${signatureText(declaration)}${noteText(notes)}`;
}

/** A line that looks like a declaration in a file that was read in part. */
async function textLine(command: SymbolCommand, found: TextDefinition): Promise<string> {
  const place = await placeText(command, found, found.line);
  return `${place}: ${codeText(found.text)}${noteText(["heuristic: by its text; the file was read in part"])}`;
}

async function meaningJson({ graph }: SymbolCommand, { declaration, certainty, why }: Meaning): Promise<object> {
  return { ...symbolJson(declaration), certainty, why, verified: await graph.index.isVerified(declaration) };
}
