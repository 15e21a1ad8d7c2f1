/**
 * Options for a prefix: the heaviest inputs that it begins, one a document. All terms with the prefix are looked at, so that the
 * same documents give the same options however they lie in segments.
 */
import { type AnalyzerRegistry, completionKey, completionOptions, readCompletionTerm } from "../analysis/index.js";
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import type { Ledger } from "../memory/index.js";
import { type IndexReader, type Leaf, NO_MORE_DOCS, type TermState } from "../segment/types.js";
import { isSet } from "../store/bits.js";
import type { CompletionOption, CompletionRequest } from "../suggest.js";

/** One index to look in. */
export interface CompletionSource {
  readonly reader: IndexReader;
  readonly analyzers: AnalyzerRegistry;
}

interface Candidate {
  readonly text: string;
  readonly weight: number;
  readonly index: string;
  readonly leaf: Leaf;
  readonly doc: number;
  readonly seqNo: number;
}

/** Bytes that a candidate takes, its text apart. */
const CANDIDATE_BYTES = 96;

/** The options, the best first. Throws query_unsupported for a field that is no completion field, or nowhere. */
export function completions(
  sources: readonly CompletionSource[],
  request: CompletionRequest,
  memory: Ledger,
): CompletionOption[] {
  const found: Candidate[] = [];
  let mapped = sources.length === 0;
  for (const source of sources) {
    const field = source.reader.fields.get(request.field);
    if (field === undefined) continue;
    if (field.type !== "completion") throw noCompletion(request.field);
    mapped = true;
    gather(source, field, request, { found, memory });
  }
  if (!mapped) throw unmapped(request.field);
  return chosen(found, request).map(optionOf);
}

interface Gathering {
  readonly found: Candidate[];
  readonly memory: Ledger;
}

function gather(
  { reader, analyzers }: CompletionSource,
  field: Field,
  request: CompletionRequest,
  into: Gathering,
): void {
  const { searchAnalyzer, analyzer } = field.mapping;
  const asked = analyzers.analyzer(request.analyzer ?? searchAnalyzer ?? analyzer ?? "simple");
  const prefix = Buffer.from(completionKey(asked, request.prefix, completionOptions(field.mapping)), "utf8");
  for (const leaf of reader.leaves) {
    leaf.segment.beginUse();
    try {
      gatherLeaf(leaf, field, prefix, { ...into, index: reader.index });
    } finally {
      leaf.segment.endUse();
    }
  }
}

function gatherLeaf(leaf: Leaf, field: Field, prefix: Uint8Array, into: Gathering & { index: string }): void {
  const dictionary = leaf.segment.terms(field);
  if (dictionary === null) return;
  for (let ordinal = dictionary.seek(prefix); ordinal < dictionary.size; ordinal++) {
    const term = dictionary.term(ordinal);
    if (!startsWith(term, prefix)) break;
    const { surface, weight } = readCompletionTerm(term);
    for (const doc of livingDocs(leaf, field, dictionary.state(ordinal))) {
      into.memory.charge(CANDIDATE_BYTES + 2 * surface.length, "<completions>");
      const { index } = into;
      into.found.push({ text: surface, weight, index, leaf, doc, seqNo: leaf.segment.seqNo(doc) });
    }
  }
}

function* livingDocs({ segment, live }: Leaf, field: Field, state: TermState): Generator<number> {
  const postings = segment.postings(field, state, { positions: false });
  for (let doc = postings.next(); doc !== NO_MORE_DOCS; doc = postings.next()) if (isSet(live, doc)) yield doc;
}

function startsWith(term: Uint8Array, prefix: Uint8Array): boolean {
  if (term.length < prefix.length) return false;
  for (let at = 0; at < prefix.length; at++) if (term[at] !== prefix[at]) return false;
  return true;
}

/** Heaviest first, then by text and by the documents' order; each document once, and each text where that is wanted. */
function chosen(found: Candidate[], { size, skipDuplicates }: CompletionRequest): Candidate[] {
  found.sort((a, b) => b.weight - a.weight || order(a.text, b.text) || order(a.index, b.index) || a.seqNo - b.seqNo);
  const documents = new Set<string>();
  const texts = new Set<string>();
  const best: Candidate[] = [];
  for (const candidate of found) {
    if (best.length === size) break;
    const document = `${candidate.index}/${candidate.seqNo}`;
    if (documents.has(document) || (skipDuplicates && texts.has(candidate.text))) continue;
    documents.add(document);
    texts.add(candidate.text);
    best.push(candidate);
  }
  return best;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function optionOf({ text, weight, index, leaf: { segment }, doc }: Candidate): CompletionOption {
  segment.beginUse();
  try {
    return { text, weight, index, id: segment.id(doc), source: segment.source(doc) };
  } finally {
    segment.endUse();
  }
}

function noCompletion(field: string): EngineError {
  return new EngineError("query_unsupported", `Field [${field}] is not a completion suggest field`, { field });
}

function unmapped(field: string): EngineError {
  return new EngineError("query_unsupported", `no mapping found for field [${field}]`, { field });
}
