import { MAX_TOKENS, MIN_TOKENS, mapSections, runMap } from "../../mcp/index.js";
import { type Invocation, wholeNumber } from "../command.js";
import { printJson, symbolCommand } from "../symbols.js";

const DEFAULT_TOKENS = 2_000;

/** `pinakes map [PATH]`: what is here (in the repository of the current folder, else everywhere), the declarations that matter most first, within a number of tokens. */
export function runMapCommand(call: Invocation): Promise<number> {
  const max_tokens = wholeNumber(call, "tokens", { min: MIN_TOKENS, max: MAX_TOKENS }) ?? DEFAULT_TOKENS;
  return symbolCommand(call, async (command) => {
    const { workspace } = command.graph;
    const given = call.args[0];
    const absolute = given === undefined ? undefined : command.file(given);
    const own = command.repo === undefined ? undefined : { repo: command.repo };
    const place = absolute === undefined ? own : (workspace.folderAt(absolute) ?? { path: absolute });
    const options = command.graph.options;
    if (command.isJson) {
      const sections = await mapSections(options, { from: 0, max_tokens, ...place });
      printJson(command, sections);
      return sections.length;
    }
    const text = await runMap(options, { from: 0, max_tokens, ...place });
    command.print(text.trimEnd());
    return workspace.folders === undefined ? 0 : 1;
  });
}
