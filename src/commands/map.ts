import {
  MAX_TOKENS,
  type MapArguments,
  MIN_TOKENS,
  mapSections,
  type NextMap,
  runMap,
  SECTIONS,
} from "../../mcp/index.js";
import { type Invocation, text, UsageError, wholeNumber } from "../command.js";
import { programCommand, quoted } from "../invocation.js";
import { printJson, symbolCommand } from "../symbols.js";

const DEFAULT_TOKENS = 2_000;

/** `pinakes map [PATH]`: what is here (in the repository of the current folder, else everywhere), the declarations that matter most first, within a number of tokens. */
export function runMapCommand(call: Invocation): Promise<number> {
  const section = sectionOf(call);
  const from = wholeNumber(call, "from", { min: 0, max: MOST_ITEMS }) ?? 0;
  if (from > 0 && section === undefined)
    throw new UsageError("--from passes over items of one section: name it with --section");
  const max_tokens = wholeNumber(call, "tokens", { min: MIN_TOKENS, max: MAX_TOKENS }) ?? DEFAULT_TOKENS;
  return symbolCommand(call, async (command) => {
    const { workspace } = command.graph;
    const given = call.args[0];
    const own = command.repo === undefined ? undefined : { repo: command.repo };
    const place = given === undefined ? own : { path: command.file(given) };
    const options = command.graph.options;
    const asked: MapArguments = { from, max_tokens, ...(section === undefined ? {} : { section }), ...place };
    if (command.isJson) {
      const sections = await mapSections(options, asked);
      printJson(
        command,
        sections.filter(({ name }) => section === undefined || name === section),
      );
      return sections.length;
    }
    command.print((await runMap(options, asked, nextCommand(call))).trimEnd());
    return workspace.folders === undefined ? 0 : 1;
  });
}

const MOST_ITEMS = 1_000_000;

function sectionOf(call: Invocation): MapArguments["section"] {
  const given = text(call, "section");
  const section = SECTIONS.find((name) => name === given);
  if (given !== undefined && section === undefined)
    throw new UsageError(`--section takes ${SECTIONS.join(", ")}, not "${given}"`);
  return section;
}

/** The command that goes on, with what this one was called with. */
function nextCommand(call: Invocation): NextMap {
  const path = call.args[0];
  const where = (["url", "data"] as const).flatMap((name) => {
    const value = text(call, name);
    return value === undefined ? [] : [`--${name}`, quoted(value)];
  });
  return {
    whole: ({ section, from, max_tokens }) =>
      [
        ...[programCommand(), "map", ...(path === undefined ? [] : [quoted(path)])],
        ...["--section", section, "--from", from, "--tokens", max_tokens, ...where],
      ].join(" "),
    brief: ({ section, from }) => `the same with ${section === undefined ? "" : `--section ${section} `}--from ${from}`,
  };
}
