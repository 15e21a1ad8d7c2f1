/** One question to several fields: the best answer counts. */
import { EngineError } from "../../errors.js";
import type { ReaderContext } from "../exec/context.js";
import { nonePlan, type Plan } from "../exec/plan.js";
import type { EachField } from "../query.js";
import { disMax, markBoosted } from "./compound.js";
import type { Compile } from "./contract.js";
import { expandFields } from "./multi-match.js";

/** The query of each of the fields. Fields that a pattern catches and that cannot be asked so are passed over. */
export function planEachField(context: ReaderContext, query: EachField, boost: number, compile: Compile): Plan {
  const fields = expandFields(context, query.fields);
  if (fields.length === 0) return nonePlan('MatchNoDocsQuery("no fields")');
  const plans = fields.map(({ field, boost: own, byPattern }) => {
    const total = Math.fround(boost * Math.fround(own));
    const plan = answerable(query.lenient || byPattern, () => compile({ ...query.query, field: field.path }, total));
    return markBoosted(plan, own);
  });
  return disMax(plans, query.tieBreaker);
}

function answerable(lenient: boolean, plan: () => Plan): Plan {
  try {
    return plan();
  } catch (error) {
    const passed =
      error instanceof EngineError && (error.code === "invalid_value" || error.code === "query_unsupported");
    if (lenient && passed) return nonePlan(`failed to create query: ${error.message}`);
    throw error;
  }
}
