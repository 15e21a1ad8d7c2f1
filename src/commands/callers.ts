import { counted } from "../../code/index.js";
import {
  type CallEdge,
  type Calls,
  certaintyNote,
  fileJson,
  findCallees,
  findCallers,
  MOST_DEPTH,
  symbolJson,
  symbolKey,
} from "../../mcp/index.js";
import { definitionsOf, sayNothing } from "../asked-symbol.js";
import { type Invocation, wholeNumber } from "../command.js";
import { noteText, placeText, printJson, type SymbolCommand, signatureText, symbolCommand } from "../symbols.js";

/** `pinakes callers NAME|PATH:LINE|LOCATOR`: who calls it, or with `--callees` what it calls, as a tree. */
export function runCallers(call: Invocation): Promise<number> {
  const depth = wholeNumber(call, "depth", { min: 1, max: MOST_DEPTH }) ?? 1;
  const isCallees = call.options.callees === true;
  const find = isCallees ? findCallees : findCallers;
  return symbolCommand(call, async (command) => {
    const { names, meanings } = await definitionsOf(command, call.args[0]!);
    const symbols = meanings.map(({ declaration }) => declaration);
    if (symbols.length === 0) {
      await sayNothing(command, names);
      return 0;
    }
    const calls = await find(command.graph, symbols, depth);
    if (command.isJson) {
      printJson(command, { symbols: symbols.map(symbolJson), ...callsJson(calls) });
      return calls.edges.length;
    }
    for (const symbol of symbols) {
      const below = calls.edges.filter((edge) => edge.depth === 1 && edge.of === symbolKey(symbol));
      if (below.length === 0) continue;
      command.print(`${await placeText(command, symbol, symbol.startLine)}: ${signatureText(symbol)}`);
      for (const edge of below) await printTree(command, calls, edge);
    }
    if (calls.edges.length === 0)
      command.say(isCallees ? "it calls nothing that is declared here" : "nothing calls it");
    sayCut(command, calls);
    return calls.edges.length;
  });
}

async function printTree(command: SymbolCommand, calls: Calls, edge: CallEdge): Promise<void> {
  const { node, certainty, among, lines, depth, isRepeated } = edge;
  const { declaration, file } = node;
  const line = declaration?.startLine ?? lines[0]?.line ?? 1;
  const shown = declaration ? signatureText(declaration) : "(top level)";
  const notes = [
    certaintyNote(certainty, among),
    `${lines.length === 1 ? "line" : "lines"} ${lines.map((one) => one.line).join(", ")}`,
    ...(isRepeated ? ["shown already"] : []),
  ];
  command.print(`${"  ".repeat(depth)}${await placeText(command, file, line)}: ${shown}${noteText(notes)}`);
  if (isRepeated || declaration === undefined) return;
  for (const next of calls.edges) {
    if (next.depth === depth + 1 && next.of === symbolKey(declaration)) await printTree(command, calls, next);
  }
}

function sayCut(command: SymbolCommand, { cut, external }: Calls): void {
  if (external.length > 0) command.say(`leads to nothing in the index: ${external.join(", ")}`);
  const left = [
    ...(cut.nodes > 0 ? [`${cut.nodes} symbols beyond the bound`] : []),
    ...(cut.unlikely > 0 ? [`${cut.unlikely} places that more likely mean others of the name`] : []),
    ...(cut.unseen > 0 ? [`${counted(cut.unseen, "declaration")} with references beyond the bound`] : []),
  ];
  if (left.length > 0) command.say(`left out: ${left.join(", ")}`);
}

function callsJson({ edges, cut, external }: Calls): object {
  return {
    edges: edges.map(({ node, of, depth, certainty, among, lines, isRepeated }) => ({
      symbol: node.declaration ? symbolJson(node.declaration) : { ...fileJson(node.file), qualified_name: "" },
      of: { path: of.split("\0")[1], qualified_name: of.split("\0")[2] },
      ...{ depth, certainty, among, lines, repeated: isRepeated },
    })),
    cut,
    external,
  };
}
