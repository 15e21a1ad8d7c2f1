/** Random operations on one index: every kind, with conditions that hold and conditions that do not. */
import type { Chance } from "../../store/testing/chance.js";
import type { WriteOperation } from "../../write.js";
import type { IndexModel } from "./index-model.js";

export const WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];
export const TAGS = 6;

/** The mapping that the documents fit. */
export const MODEL_MAPPING = {
  properties: {
    n: { type: "long" },
    x: { type: "double" },
    tag: { type: "keyword" },
    text: { type: "text" },
  },
} as const;

/** A document's fields. */
export interface ModelSource {
  n: number;
  x: number;
  tag: string;
  text: string;
  extra?: Record<string, number>;
}

export function randomSource(chance: Chance): ModelSource {
  const words = Array.from({ length: 1 + chance(6) }, () => WORDS[Math.floor(Math.sqrt(chance(WORDS.length ** 2)))]);
  // Sums of such numbers depend on the order of adding, unless they are exact.
  const x = (chance(2000) - 1000) * 10 ** (chance(12) - 4);
  return { n: chance(1000), x, tag: `t${chance(TAGS)}`, text: words.join(" ") };
}

/** One operation on one of the ids `<prefix>0` to `<prefix>(ids - 1)`. */
export function randomWrite(chance: Chance, model: IndexModel, ids: { prefix: string; count: number }): WriteOperation {
  const id = `${ids.prefix}${chance(ids.count)}`;
  const source = Buffer.from(JSON.stringify(randomSource(chance)));
  switch (chance(12)) {
    case 0:
      return { kind: "delete", id };
    case 1:
      return { kind: "delete", id, ...sequenceCondition(chance, model, id) };
    case 2:
      return { kind: "create", id, source };
    case 3:
    case 4:
      return randomUpdate(chance, model, id);
    case 5:
      return { kind: "index", id, source, ...sequenceCondition(chance, model, id) };
    case 6:
      return { kind: "index", id, source, version: externalVersion(chance, model, id) };
    case 7:
      return chance(3) === 0
        ? { kind: "delete", id, version: externalVersion(chance, model, id) }
        : { kind: "index", source };
    default:
      return { kind: "index", id, source };
  }
}

function randomUpdate(chance: Chance, model: IndexModel, id: string): WriteOperation {
  const { n, tag } = randomSource(chance);
  const known = model.alive(id);
  const before = known && (JSON.parse(known.source as string) as Partial<ModelSource>);
  const same = before?.n !== undefined && chance(5) === 0 ? { n: before.n } : undefined;
  const doc = same ?? [{ tag }, { n }, { n, extra: { [`k${chance(3)}`]: chance(5) } }][chance(3)];
  const upsert = chance(3) === 0 ? { ...randomSource(chance) } : undefined;
  const condition = chance(6) === 0 ? sequenceCondition(chance, model, id) : {};
  const docAsUpsert = upsert === undefined && chance(3) === 0;
  return { kind: "update", id, doc, upsert, docAsUpsert, detectNoop: chance(4) > 0, retryOnConflict: 0, ...condition };
}

/** Mostly the document's state as the model has it. */
function sequenceCondition(
  chance: Chance,
  model: IndexModel,
  id: string,
): { ifSeqNo?: number; ifPrimaryTerm?: number } {
  const seqNo = model.alive(id)?.seqNo ?? 0;
  return { ifSeqNo: chance(4) === 0 ? seqNo + 1 + chance(3) : seqNo, ifPrimaryTerm: 1 };
}

function externalVersion(chance: Chance, model: IndexModel, id: string) {
  const now = model.documents.get(id)?.version ?? 0;
  const type = chance(2) === 0 ? ("external" as const) : ("external_gte" as const);
  return { value: Math.max(1, now - 2 + chance(8)), type };
}
