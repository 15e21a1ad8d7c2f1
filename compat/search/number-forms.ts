/**
 * What an index's mapping says of how its hits are shown. Which numbers are Java doubles: those keep a fraction (`1.0`)
 * where whole numbers have none. Whether `_source` is shown, and which fields are read from it.
 */
import type { EngineFace, FieldMapping, Index, SearchRequest } from "../../engine/index.js";
import { fetchedFields, type WantedField } from "./fields-option.js";
import { type ReadStored, storedFields } from "./stored-fields.js";

/** By field, for the hits of one index. */
export interface NumberForms {
  /** One answer per sort key. */
  readonly sort: readonly boolean[];
  /** Whether a field's values, as `fields` shows them, are doubles. */
  isDouble(field: string): boolean;
  /** `_source` is switched off. */
  readonly hidesSource: boolean;
  /** Reads the fields that are shown from `_source`. */
  readonly fromSource: ReadStored | undefined;
}

const FRACTIONS: ReadonlySet<string> = new Set<FieldMapping["type"]>(["double", "float", "half_float"]);

/** The forms in each index, looked up once per index and answer. */
export function numberForms(
  engine: EngineFace,
  sort: SearchRequest["sort"],
  read: FieldsOfSource = NOTHING,
): (index: string) => NumberForms {
  const known = new Map<string, NumberForms>();
  return (index) => {
    let forms = known.get(index);
    if (forms === undefined) {
      forms = formsOf(engine, index, { sort, read });
      known.set(index, forms);
    }
    return forms;
  };
}

/** Fields that are shown from `_source`. */
export interface FieldsOfSource {
  /** Names and patterns of stored fields. */
  readonly stored: readonly string[];
  readonly fields: readonly WantedField[];
}

const NOTHING: FieldsOfSource = { stored: [], fields: [] };

function readerOf(index: Index, { stored, fields }: FieldsOfSource): ReadStored | undefined {
  const parts = [stored.length === 0 ? undefined : storedFields(index, stored), fetchedFields(index, fields)];
  const reads = parts.filter((read) => read !== undefined);
  if (reads.length === 0) return undefined;
  return (source) => Object.assign({}, ...reads.map((read) => read(source)));
}

function formsOf(
  engine: EngineFace,
  index: string,
  { sort, read }: { sort: SearchRequest["sort"]; read: FieldsOfSource },
): NumberForms {
  const found = engine.index(index);
  const fields = found?.fields();
  const isDouble = (field: string) => FRACTIONS.has(fields?.get(field)?.type ?? "");
  return {
    isDouble,
    hidesSource: found?.definition.mapping.sourceEnabled === false,
    fromSource: found === undefined ? undefined : readerOf(found, read),
    sort: sort.map(({ field, unmappedType }) =>
      fields?.has(field) === true ? isDouble(field) : FRACTIONS.has(unmappedType ?? ""),
    ),
  };
}
