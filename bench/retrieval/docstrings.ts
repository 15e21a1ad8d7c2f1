/**
 * A set made by itself: the first sentence of a declaration's documentation asks for the declaration. What is asked for must
 * not simply be read out, so the documentation of the sampled declarations is blanked, in a copy of the repository that is
 * indexed for this set alone; line numbers stay.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { Case } from "./cases.js";

/** A sampled declaration: the case it makes, and where its documentation stands. */
export interface DocumentedCase extends Case {
  path: string;
  /** Lines of the comment above, from 1; none when the documentation lies inside the declaration. */
  comment: { first: number; count: number } | undefined;
  /** Lines of the declaration. */
  lines: { first: number; last: number };
}

interface Documented {
  path: string;
  qualified_name: string;
  docstring: string;
  comment: string;
  doc_start_line: number;
  start_line: number;
  end_line: number;
}

const KINDS = ["function", "method", "constructor", "class", "struct", "interface", "trait", "enum"];
const PAGE = 10_000;
const WORDS = { fewest: 5, most: 25 };

/** So many declarations of a repository, chosen by hash, so that the same commit gives the same set. */
export async function sampleDocstrings(client: Client, repo: string, count: number): Promise<DocumentedCase[]> {
  const filter = [
    { term: { repo } },
    { term: { class: "source" } },
    { terms: { kind: KINDS } },
    { exists: { field: "docstring" } },
  ];
  const answer = await client.json<{ hits: { hits: { _source: Documented }[] } }>(
    "POST",
    `/${INDEX.declarations}/_search`,
    { query: { bool: { filter } }, size: PAGE, sort: [{ path: "asc" }, { start_byte: "asc" }] },
  );
  const all = answer.hits.hits.map(({ _source }) => ({ one: _source, sentence: firstSentence(_source.docstring) }));
  const times = new Map<string, number>();
  for (const { sentence } of all) times.set(sentence, (times.get(sentence) ?? 0) + 1);
  return all
    .filter(({ sentence }) => isTelling(sentence) && times.get(sentence) === 1)
    .map(({ one, sentence }) => ({ one, sentence, order: hash(`${one.path}#${one.qualified_name}`) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, count)
    .map(({ one, sentence }) => caseOf(repo, one, sentence));
}

function caseOf(repo: string, one: Documented, sentence: string): DocumentedCase {
  const count = one.comment === "" ? 0 : one.comment.split("\n").length;
  return {
    repo,
    kind: "docstring",
    query: sentence,
    wanted: [`${one.path}#${one.qualified_name}`],
    path: one.path,
    comment: count === 0 ? undefined : { first: one.doc_start_line, count },
    lines: { first: one.start_line, last: one.end_line },
  };
}

/** Copies a folder and blanks the documentation of the sampled declarations, unless the copy is there. */
export function writeMasked(folder: string, cases: readonly DocumentedCase[], masked: string): void {
  if (existsSync(masked)) return;
  const fresh = `${masked}.new`;
  rmSync(fresh, { recursive: true, force: true });
  cpSync(folder, fresh, { recursive: true, verbatimSymlinks: true });
  for (const each of cases) {
    const file = path.join(fresh, each.path);
    writeFileSync(file, blanked(readFileSync(file, "utf8"), each));
  }
  renameSync(fresh, masked);
}

function blanked(text: string, { comment, lines }: DocumentedCase): string {
  const all = text.split("\n");
  if (comment !== undefined) {
    for (let line = comment.first; line < comment.first + comment.count; line++) all[line - 1] = "";
    return all.join("\n");
  }
  const own = all.slice(lines.first - 1, lines.last).join("\n");
  // Empty, but there: a body of nothing but its documentation stays a body.
  const without = own.replace(
    /("""|''')[\s\S]*?\1/,
    (found, quote) => quote + "\n".repeat(found.split("\n").length - 1) + quote,
  );
  return [...all.slice(0, lines.first - 1), without, ...all.slice(lines.last)].join("\n");
}

function firstSentence(docstring: string): string {
  const [sentence = ""] = docstring.trim().split(/(?<=[.!?])\s|\n\s*\n/);
  return sentence.replace(/\s+/g, " ").trim();
}

function isTelling(sentence: string): boolean {
  const words = sentence.split(" ").filter((word) => /\p{L}{2}/u.test(word));
  return words.length >= WORDS.fewest && words.length <= WORDS.most && !/^(?:@|TODO|Copyright)|https?:/.test(sentence);
}

function hash(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
