/** A search's result as Elasticsearch prints it. Text is built directly and `_source` bytes are spliced in unparsed. */
import { promisify } from "node:util";
import type { Explanation, Hit, SearchResult, SortValue } from "../../engine/index.js";
import { renderAggregations } from "../aggs/index.js";
import { type Identity, placeText } from "../identities.js";
import type { ByteWriter } from "../json/byte-writer.js";
import { printDouble, printFloat, printJson } from "../json/print.js";
import type { WantedField } from "./fields-option.js";
import { writeLines } from "./lines.js";
import type { NumberForms } from "./number-forms.js";
import { type MissingShards, shardReport } from "./shard-report.js";
import type { SourceOption } from "./source-option.js";

export interface RenderOptions {
  readonly source: SourceOption;
  /** Names and patterns of stored fields that are wanted. */
  readonly stored: readonly string[];
  /** Fields that are read from `_source`. */
  readonly fields: readonly WantedField[];
  /** `stored_fields: _none_` hides `_id`. */
  readonly ids: "show" | "hide";
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  readonly explain: boolean;
  readonly typedKeys: boolean;
  readonly totalAsInt: boolean;
  readonly hasAggs: boolean;
  /** How many of a hit's sort values the request asked for; further ones are ours. */
  readonly sortShown: number;
  /** Which sort value is the score (a float), -1: none. */
  readonly scoreAt: number;
}

/** What surrounds the result. */
export interface Envelope {
  readonly took: number;
  /** Shards that were asked. */
  readonly shards: number;
  /** Those among them that a damaged index lacks. */
  readonly missing?: readonly MissingShards[];
  readonly node: string;
  readonly identity: Identity;
  readonly formsOf: (index: string) => NumberForms;
  /** Text of the member `inner_hits` of hits that have some. */
  readonly innerHits?: ReadonlyMap<Hit, string>;
  readonly scrollId?: string;
  readonly pitId?: string;
  /** What was suggested, printed. */
  readonly suggest?: string;
  /** Of an item of a multi-search. */
  readonly status?: number;
}

/** Writes the whole answer, braces included. Large pages are written in slices, so that others get the thread between. */
export async function renderSearch(
  out: ByteWriter,
  result: SearchResult,
  options: RenderOptions,
  envelope: Envelope,
): Promise<void> {
  const { took, shards, missing = [], scrollId, pitId, status } = envelope;
  const ids =
    (scrollId === undefined ? "" : `"_scroll_id":"${scrollId}",`) + (pitId === undefined ? "" : `"pit_id":"${pitId}",`);
  const early = result.terminatedEarly ? `"terminated_early":true,` : "";
  out.text(
    `{${ids}"took":${took},"timed_out":false,${early}"_shards":${printJson(shardReport(shards, missing))},"hits":`,
  );
  await renderHits(out, result, options, envelope);
  if (options.hasAggs) out.text(`,"aggregations":${renderAggregations(result.aggregations, options.typedKeys)}`);
  if (envelope.suggest !== undefined) out.text(`,"suggest":${envelope.suggest}`);
  if (result.matchingLines !== undefined) {
    const { lines, documents } = result.matchingLines;
    out.text(`,"matching_lines":{"lines":${lines},"documents":${documents}}`);
  }
  if (result.profile !== undefined) out.text(`,"profile":${printJson(result.profile)}`);
  out.text(status === undefined ? "}" : `,"status":${status}}`);
}

/** Writes the object under `hits`: the total, and the hits themselves. */
export async function renderHits(
  out: ByteWriter,
  result: Pick<SearchResult, "total" | "maxScore" | "hits">,
  options: RenderOptions,
  envelope: Pick<Envelope, "node" | "identity" | "formsOf" | "innerHits">,
): Promise<void> {
  const best = result.maxScore === null ? "null" : printFloat(result.maxScore);
  out.text(`{${total(result, options)}"max_score":${best},"hits":[`);
  let started = performance.now();
  for (let at = 0; at < result.hits.length; at++) {
    if (at > 0) out.text(",");
    renderHit(out, result.hits[at], options, envelope);
    if (at % HITS_PER_LOOK !== HITS_PER_LOOK - 1 || performance.now() - started < SLICE_MS) continue;
    await nextTurn();
    started = performance.now();
  }
  out.text("]}");
}

/** How long a page is written before others get a turn, and after how many hits that is looked at. */
const SLICE_MS = 5;
const HITS_PER_LOOK = 64;

const nextTurn = promisify(setImmediate);

function total(result: Pick<SearchResult, "total">, options: RenderOptions): string {
  if (options.totalAsInt) return `"total":${result.total?.value ?? -1},`;
  if (result.total === undefined) return "";
  return `"total":{"value":${result.total.value},"relation":"${result.total.relation}"},`;
}

type HitEnvelope = Pick<Envelope, "node" | "identity" | "formsOf" | "innerHits">;

function renderHit(out: ByteWriter, hit: Hit, options: RenderOptions, envelope: HitEnvelope): void {
  const shard = options.explain ? `"_shard":${JSON.stringify(`[${hit.index}][0]`)},"_node":"${envelope.node}",` : "";
  let head = `{${shard}${placeText(hit.index, envelope.identity)}`;
  if (options.ids === "show") head += `,"_id":${quote(hit.id)}`;
  if (options.version) head += `,"_version":${hit.version}`;
  if (options.seqNoPrimaryTerm) head += `,"_seq_no":${hit.seqNo},"_primary_term":${hit.primaryTerm}`;
  head += `,"_score":${hit.score === null ? "null" : printFloat(hit.score)}`;
  if (hit.routing !== undefined) head += `,"_routing":${quote(hit.routing)}`;
  head += ignoredFields(hit);
  out.text(head);
  const forms = envelope.formsOf(hit.index);
  if (hit.source !== undefined && options.source !== "none" && !forms.hidesSource) {
    out.text(`,"_source":`);
    out.bytes(options.source === "all" || hit.sourceIsCut === true ? hit.source : options.source(hit.source));
  }
  out.text(beforeLines(hit, forms));
  if (hit.matchingLines !== undefined) {
    out.text(`,"matching_lines":`);
    writeLines(out, hit.matchingLines);
  }
  const inner = envelope.innerHits?.get(hit);
  out.text(`${behindLines(hit, options, forms)}${inner === undefined ? "" : `,"inner_hits":${inner}`}}`);
}

function ignoredFields({ ignored }: Hit): string {
  return ignored === undefined || ignored.length === 0 ? "" : `,"_ignored":${JSON.stringify(ignored)}`;
}

function beforeLines(hit: Hit, forms: NumberForms): string {
  let text = "";
  const fields = shownFields(hit, forms);
  if (fields !== "") text += `,"fields":{${fields}}`;
  if (hit.highlight !== undefined && Object.keys(hit.highlight).length > 0)
    text += `,"highlight":${JSON.stringify(hit.highlight)}`;
  return text;
}

function behindLines(hit: Hit, options: RenderOptions, forms: NumberForms): string {
  let text = "";
  if (hit.sort !== undefined && options.sortShown > 0) text += `,"sort":[${sortValues(hit.sort, options, forms)}]`;
  if (hit.matchedQueries !== undefined && hit.matchedQueries.length > 0)
    text += `,"matched_queries":${JSON.stringify(hit.matchedQueries)}`;
  if (hit.explanation !== undefined) text += `,"_explanation":${renderExplanation(hit.explanation)}`;
  return text;
}

/** Elasticsearch's explanation: whole numbers stay whole only for counts, which the engine cannot tell apart: floats. */
export function renderExplanation(explanation: Explanation): string {
  const { value, description, details } = explanation;
  return `{"value":${printFloat(value)},"description":${JSON.stringify(description)},"details":[${details.map(renderExplanation).join(",")}]}`;
}

function sortValues(values: readonly SortValue[], options: RenderOptions, forms: NumberForms): string {
  return values
    .slice(0, options.sortShown)
    .map((value, at) => {
      if (at === options.scoreAt) return printFloat(Number(value));
      return typeof value === "number" && forms.sort[at] ? printDouble(value) : printJson(value);
    })
    .join(",");
}

/** Column values, which are text already where a format was asked for, and stored fields. */
function shownFields({ fields = {}, source }: Hit, forms: NumberForms): string {
  const members = Object.entries(fields).map(([name, values]) => {
    const print = forms.isDouble(name) ? printFraction : printJson;
    return `${JSON.stringify(name)}:[${values.map(print).join(",")}]`;
  });
  if (forms.fromSource === undefined || source === undefined) return members.join(",");
  const stored = Object.entries(forms.fromSource(source)).filter(([name]) => !Object.hasOwn(fields, name));
  return [...members, ...stored.map(([name, values]) => `${JSON.stringify(name)}:${printJson(values)}`)].join(",");
}

function printFraction(value: SortValue): string {
  return typeof value === "number" ? printDouble(value) : printJson(value);
}

/** Most names and ids need no escaping; those that do go through JSON.stringify. */
export function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

const PLAIN = /^[\w\-.:/@ ]*$/;
