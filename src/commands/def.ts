import type { Meaning } from "../../code/index.js";
import { symbolJson } from "../../mcp/index.js";
import { definitionsOf, sayNothing } from "../asked-symbol.js";
import type { Invocation } from "../command.js";
import {
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
      const { names, meanings } = await definitionsOf(command, asked);
      found.push({ asked, names, definitions: await Promise.all(meanings.map((one) => meaningJson(command, one))) });
      count += meanings.length;
      if (command.isJson) continue;
      for (const meaning of meanings) command.print(await meaningLine(command, meaning));
      if (meanings.length === 0) await sayNothing(command, names);
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

async function meaningJson({ graph }: SymbolCommand, { declaration, certainty, why }: Meaning): Promise<object> {
  return { ...symbolJson(declaration), certainty, why, verified: await graph.index.isVerified(declaration) };
}
