/** Which numbers of an answer are Java doubles: those keep a fraction (`1.0`) where whole numbers have none. */
import type { EngineFace, FieldMapping, SearchRequest } from "../../engine/index.js";

/** By field, for the hits of one index. */
export interface NumberForms {
  /** One answer per sort key. */
  readonly sort: readonly boolean[];
  /** Whether a field's values, as `fields` shows them, are doubles. */
  isDouble(field: string): boolean;
}

const FRACTIONS: ReadonlySet<string> = new Set<FieldMapping["type"]>(["double", "float", "half_float"]);

/** The forms in each index, looked up once per index and answer. */
export function numberForms(engine: EngineFace, sort: SearchRequest["sort"]): (index: string) => NumberForms {
  const known = new Map<string, NumberForms>();
  return (index) => {
    let forms = known.get(index);
    if (forms === undefined) {
      forms = formsOf(engine, index, sort);
      known.set(index, forms);
    }
    return forms;
  };
}

function formsOf(engine: EngineFace, index: string, sort: SearchRequest["sort"]): NumberForms {
  const fields = engine.index(index)?.fields();
  const isDouble = (field: string) => FRACTIONS.has(fields?.get(field)?.type ?? "");
  return {
    isDouble,
    sort: sort.map(({ field, unmappedType }) =>
      fields?.has(field) === true ? isDouble(field) : FRACTIONS.has(unmappedType ?? ""),
    ),
  };
}
