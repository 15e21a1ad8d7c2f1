import type { Client } from "../client/index.js";
import { INDEX } from "../code/index.js";
import { commentLines, type IndexedComment } from "./leading-comment.js";
import type { Place } from "./located.js";
import { equals, sources } from "./node.js";
import { toLines } from "./working-file.js";

/** How many candidates are looked at. */
const CANDIDATES = 50;
const FIELDS = [
  ...["repo", "path", "blob", "span", "qualified_name", "start_line", "end_line", "start_byte", "code"],
  ...["comment", "doc_start_line"],
];

/** Fields of a declaration document that these look-ups read. */
interface Declared {
  repo: string;
  path: string;
  blob: string;
  span: string;
  qualified_name: string;
  start_line: number;
  end_line: number;
  start_byte: number;
  code: string;
  /** Absent in an index written before comments were kept. */
  comment?: string;
  doc_start_line?: number;
}

/** A declaration as the index has it. */
export interface IndexedDeclaration extends Place {
  code: string;
  /** Where the code begins in the file's text, in UTF-8 bytes. */
  startByte: number;
  indexedComment: IndexedComment;
}

/** What a declaration must be; hashes may be beginnings. `near`: of several, the one nearest to this line. */
export interface DeclarationWanted {
  repo: string;
  path: string;
  blob?: string;
  span?: string;
  /** Qualified name. */
  name?: string;
  near?: number;
}

/** The declaration of a path that the index has and that is as wanted. */
export async function declarationAt(
  client: Client,
  wanted: DeclarationWanted,
): Promise<IndexedDeclaration | undefined> {
  const { repo, path, blob, span, name, near = 0 } = wanted;
  const places = await declarations(client, [equals({ repo, path, qualified_name: name }), ...starts({ blob, span })]);
  places.sort((a, b) => Math.abs(a.startLine - near) - Math.abs(b.startLine - near) || a.startLine - b.startLine);
  return places[0];
}

/** Declarations of a repository whose text has this hash, in any file. */
export function declarationsWithSpan(client: Client, repo: string, span: string): Promise<IndexedDeclaration[]> {
  return declarations(client, [equals({ repo }), ...starts({ span })]);
}

/** Paths under which the index has a file with this blob. */
export async function pathsWithBlob(client: Client, repo: string, blob: string): Promise<string[]> {
  const query = { bool: { filter: [equals({ repo }), ...starts({ blob })] } };
  const files = await sources<{ path: string }>(client, INDEX.files, {
    query,
    size: CANDIDATES,
    sort: [{ path: "asc" }],
    _source: ["path"],
  });
  return files.map((file) => file.path);
}

/** Repositories that have a file of this path. */
export async function reposWithPath(client: Client, path: string): Promise<string[]> {
  const body = { query: equals({ path }), size: CANDIDATES, sort: [{ repo: "asc" }], _source: ["repo"] };
  return [...new Set((await sources<{ repo: string }>(client, INDEX.files, body)).map((file) => file.repo))];
}

/** Repositories that have a file with this blob, then those that have a declaration with this span. */
export async function reposWithText(client: Client, text: { blob: string; span?: string }): Promise<string[]> {
  const bodyOf = (field: string, value: string) => ({
    query: { prefix: { [field]: value } },
    size: CANDIDATES,
    sort: [{ repo: "asc" }],
    _source: ["repo"],
  });
  const files = await sources<{ repo: string }>(client, INDEX.files, bodyOf("blob", text.blob));
  const spans =
    text.span === undefined
      ? []
      : await sources<{ repo: string }>(client, INDEX.declarations, bodyOf("span", text.span));
  return [...new Set([...files, ...spans].map(({ repo }) => repo))];
}

async function declarations(client: Client, filter: unknown[]): Promise<IndexedDeclaration[]> {
  const sort = [{ path: "asc" }, { start_line: "asc" }, { end_line: "desc" }];
  const found = await sources<Declared>(client, INDEX.declarations, {
    query: { bool: { filter } },
    size: CANDIDATES,
    sort,
    _source: FIELDS,
  });
  return found.map(toDeclaration);
}

function toDeclaration(document: Declared): IndexedDeclaration {
  const { repo, path, blob, span, code, start_line: startLine, comment = "", doc_start_line = startLine } = document;
  const indexedComment = { comment, docStartLine: doc_start_line, startLine };
  return {
    repo,
    path,
    blob,
    span,
    code,
    startLine,
    endLine: document.end_line,
    startByte: document.start_byte,
    qualifiedName: document.qualified_name,
    lines: toLines(code),
    indexedComment,
    comment: commentLines(indexedComment),
  };
}

function starts(fields: Readonly<Record<string, string | undefined>>): unknown[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [{ prefix: { [field]: value } }],
  );
}
