import { type BoolPlan, type PhrasePlan, type Plan, type TermPlan, termText } from "../exec/plan.js";

/** A plan as Lucene prints the query it stands for, for explanations: `class:source`, `#class:source -path.text:h`. */
export function planText(plan: Plan): string {
  switch (plan.kind) {
    case "constant":
      return plan.text;
    case "none":
      return `MatchNoDocsQuery("${plan.reason}")`;
    case "term":
      return termsText(plan);
    case "phrase":
      return phraseText(plan);
    case "bool":
      return boolText(plan);
    case "dis_max":
      return plan.plans.map(planText).join(" | ");
    case "documents":
      return "DocAndScoreQuery";
  }
}

function termsText({ field, terms }: TermPlan): string {
  const texts = terms.map(({ bytes }) => `${field.path}:${termText(bytes)}`);
  return texts.length === 1 ? (texts[0] ?? "") : `Synonym(${texts.join(" ")})`;
}

function phraseText({ field, positions }: PhrasePlan): string {
  const words = positions.map(({ terms }) => terms.map(({ bytes }) => termText(bytes)).join("|"));
  return `${field.path}:"${words.join(" ")}"`;
}

function boolText({ must, filter, should, mustNot, minimum }: BoolPlan): string {
  const inside = (plan: Plan) => (plan.kind === "bool" ? `(${planText(plan)})` : planText(plan));
  const clauses = [
    ...must.map((plan) => `+${inside(plan)}`),
    ...filter.map((plan) => `#${inside(plan)}`),
    ...mustNot.map((plan) => `-${inside(plan)}`),
    ...should.map(inside),
  ];
  const text = clauses.join(" ");
  return minimum > 1 ? `(${text})~${minimum}` : text;
}
