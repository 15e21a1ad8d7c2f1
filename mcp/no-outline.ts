import { counted, INDEX, type SymbolFile, withoutRacy } from "../code/index.js";
import { findFileEntry } from "./catalog.js";
import { lackingNotes } from "./missing-documents.js";
import { equals, sources } from "./node.js";
import type { SymbolGraph } from "./symbol-graph.js";

/** Formats of texts in which headings make sections. */
const PROSE: ReadonlySet<string> = new Set(["markdown", "restructuredtext", "asciidoc", "org", "text"]);

/** Why a file has no outline: what it was read as, and where what is in it is found. */
export async function explainNoOutline({ workspace }: SymbolGraph, file: SymbolFile): Promise<string> {
  const { client } = workspace;
  const { repo, path, language } = file;
  const [lacking] = await lackingNotes(workspace, repo);
  if (lacking !== undefined) return `no declaration of ${path} is in the index: ${lacking}`;
  const entry = await findFileEntry(client, repo, path);
  const [document] = await sources<{ parsed?: string }>(client, INDEX.files, {
    query: equals({ repo, path }),
    size: 1,
    _source: ["parsed"],
  });
  const detail = withoutRacy(entry?.detail ?? "");
  const reasons = [
    ...recordsOf(entry?.records ?? 0, entry?.reader ?? "", entry?.datasets ?? []),
    ...(detail === "" ? [] : [detail]),
  ];
  if (reasons.length > 0) return `${path} declares nothing: ${reasons.join("; ")}`;
  if (PROSE.has(language)) return `${path} has no outline: it is ${language} without headings`;
  if (document?.parsed === "windows")
    return `${path} has no outline: ${language} is read as lines, without declarations`;
  return `${path} declares nothing: it is ${language} in which nothing has a name`;
}

function recordsOf(records: number, reader: string, datasets: readonly string[]): string[] {
  if (datasets.length === 0) return [];
  const index = `${INDEX.dataPrefix}${datasets[0]}`;
  const more = datasets.length > 1 ? ` and ${datasets.length - 1} more` : "";
  return [
    `it is ${counted(records, "record")} read as ${reader}: \`pinakes datasets ${datasets[0]}\` shows their fields, ${index}${more} holds them`,
  ];
}
