/** Names of filters for the cache: equal names mean equal documents in every segment. */
import type { Filter, Plan, PlannedTerm, TermSelection } from "./plan.js";

/** The name, or null when the filter is not worth keeping or depends on more than the segment. */
export function filterKey(filter: Filter): string | null {
  switch (filter.kind) {
    case "all":
    case "presence":
    case "ids":
    case "lines":
    case "values":
      return null;
    case "routed":
      return "routed";
    case "virtual_shard":
      return `virtual_shard ${filter.shards} ${filter.spread ?? ""} ${filter.wanted.join(" ")}`;
    case "geo":
      return `geo ${filter.field.ordinal} ${JSON.stringify(filter.area)}`;
    case "terms":
      return `terms ${filter.field.ordinal} ${selectionKey(filter.terms)}`;
    case "long_range":
    case "double_range":
      return `${filter.kind} ${filter.field.ordinal} ${filter.low} ${filter.high}`;
    case "long_set":
    case "double_set":
      return `${filter.kind} ${filter.field.ordinal} ${filter.values.join(" ")}`;
    case "plan":
      return planKey(filter.plan);
  }
}

/** The same for a plan whose scores do not matter. */
export function planKey(plan: Plan): string | null {
  switch (plan.kind) {
    case "constant":
      return filterKey(plan.filter);
    case "term":
      return `term ${plan.field.ordinal} ${termsKey(plan.terms)}`;
    case "phrase":
      return `phrase ${plan.field.ordinal} ${plan.slop} ${plan.positions.map((p) => `${p.offset}:${termsKey(p.terms)}`).join(" ")}`;
    default:
      // Combinations are made from their parts, which are kept.
      return null;
  }
}

/** A name for terms: equal names mean equal terms. */
export function termsKey(terms: readonly PlannedTerm[]): string {
  return terms.map((term) => hex(term.bytes)).join(",");
}

function selectionKey(selection: TermSelection): string {
  switch (selection.kind) {
    case "exact":
      return selection.terms.map(hex).join(",");
    case "range":
      return `[${selection.low === null ? "" : hex(selection.low)},${selection.high === null ? "" : hex(selection.high)})`;
    case "pattern":
      return `${selection.glob.folded} ${selection.glob.tokens.join(" ")}`;
    case "ranges":
      return `${selection.relation} ${hex(selection.low)} ${hex(selection.high)}`;
    case "regexp":
      return `/${selection.letters}/${selection.pattern}`;
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
