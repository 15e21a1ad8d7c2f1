/** Which lines of a hit a query asks for. */
import type { LinesFilter, Plan } from "../exec/plan.js";

/** The parts of a plan that are about lines, exclusions left out, by the field that was asked for. */
export function positiveLines(plan: Plan): Map<string, LinesFilter[]> {
  const found = new Map<string, LinesFilter[]>();
  for (const filter of filtersOf(plan)) found.set(filter.asked, [...(found.get(filter.asked) ?? []), filter]);
  return found;
}

function filtersOf(plan: Plan): LinesFilter[] {
  switch (plan.kind) {
    case "constant":
      if (plan.filter.kind === "lines") return [plan.filter];
      return plan.filter.kind === "plan" ? filtersOf(plan.filter.plan) : [];
    case "bool":
      return [...plan.must, ...plan.should, ...plan.filter].flatMap(filtersOf);
    case "dis_max":
      return plan.plans.flatMap(filtersOf);
    default:
      return [];
  }
}
