import { printable } from "../../code/index.js";
import {
  dependentsOf,
  explainNoOutline,
  fileJson,
  findFile,
  importsOfFile,
  outlineOf,
  symbolJson,
} from "../../mcp/index.js";
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

type IndexedFile = Awaited<ReturnType<typeof findFile>>;

/** `pinakes outline FILE`: what it declares; with `--imports` also the files that it imports and that import it. */
export function runOutline(call: Invocation): Promise<number> {
  const withImports = call.options.imports === true;
  return symbolCommand(call, async (command) => {
    const file = await findFile(command.graph, command.file(call.args[0]!), {});
    const items = await outlineOf(command.graph, file);
    const imports = withImports ? await importsOfFile(command.graph, file) : [];
    const dependents = withImports ? await dependentsOf(command.graph, file) : [];
    if (items.length === 0) command.say(printable(await explainNoOutline(command.graph, file)));
    if (command.isJson) {
      const declarations = items.map(({ declaration, depth }) => ({ ...symbolJson(declaration), depth }));
      const importers = dependents.map(({ file: one, ...how }) => ({ ...fileJson(one), ...how }));
      printJson(command, { ...fileJson(file), declarations, ...(withImports && { imports, dependents: importers }) });
      return items.length + imports.length + dependents.length;
    }
    const note = await verifiedNote(command, file);
    for (const { declaration, depth } of items) {
      const { startLine, endLine } = declaration;
      const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
      const shown = declaration.kind === "section" ? printable(declaration.name) : signatureText(declaration);
      command.print(`${"  ".repeat(depth)}${lines}: ${shown}${noteText([note])}`);
    }
    if (withImports) await printImports(command, file, { imports, dependents });
    return items.length + imports.length + dependents.length;
  });
}

async function printImports(
  command: SymbolCommand,
  file: IndexedFile,
  found: {
    imports: Awaited<ReturnType<typeof importsOfFile>>;
    dependents: Awaited<ReturnType<typeof dependentsOf>>;
  },
): Promise<void> {
  for (const { module, files } of found.imports) {
    const where = await Promise.all(
      files.map(
        async ({ path, certainty }) => `${await placeText(command, { ...file, path }, 1)}${noteText([certainty])}`,
      ),
    );
    command.print(
      `imports ${module}${where.length === 0 ? noteText(["not in this repository"]) : `: ${where.join(", ")}`}`,
    );
  }
  for (const { file: importer, module, certainty } of found.dependents) {
    command.print(`imported by ${await placeText(command, importer, 1)}${noteText([`as ${module}`, certainty])}`);
  }
}
