/** Queries on fields whose values are ranges: a value lies in them, a range meets them. */

import type { Field } from "../../mapping/field-table.js";
import { encodeNetwork, encodeRange } from "../../mapping/range-fields.js";
import type { RangeValues } from "../../mapping/values.js";
import type { ReaderContext } from "../exec/context.js";
import type { Filter } from "../exec/plan.js";
import type { Range, Scalar } from "../query.js";

/** Documents with a range that stands so to the one asked for. Throws invalid_value. */
export function rangesFilter(
  context: ReaderContext,
  field: Field,
  range: RangeValues & Pick<Range, "relation">,
): Filter {
  const { low, high } = encodeRange(field, range, context.environment.clock);
  return { kind: "terms", field, terms: { kind: "ranges", low, high, relation: range.relation ?? "intersects" } };
}

/** Documents with a range that holds a value; of addresses, one that meets a network. */
export function rangesWith(context: ReaderContext, field: Field, value: Scalar): Filter {
  if (field.type === "ip_range" && String(value).includes("/")) {
    return { kind: "terms", field, terms: { kind: "ranges", ...encodeNetwork(String(value)), relation: "intersects" } };
  }
  return rangesFilter(context, field, { gte: value, lte: value });
}
