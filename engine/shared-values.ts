/**
 * Names for what is shared with worker threads (jobs.ts). Two objects never have the same name, one object always has
 * the same: so a field table that grew, or settings that changed, are sent anew without anybody counting versions.
 */
import type { SharedValue } from "./jobs.js";
import { type FieldTable, storeFieldTable } from "./mapping/field-table.js";
import type { AnalysisSettings } from "./mapping/mapping.js";

const known = new WeakMap<object, SharedValue>();
let named = 0;

/** The shared value of an object, made once; `prefix` and the key end with a slash, so that no key begins another. */
export function sharedValue(object: object, prefix: string, value: () => unknown): SharedValue {
  let shared = known.get(object);
  if (shared === undefined) {
    shared = { key: `${prefix}${++named}/`, value: value() };
    known.set(object, shared);
  }
  return shared;
}

/** An index's analysis settings; whoever gets them makes an AnalyzerRegistry of them. */
export function sharedAnalysis(uuid: string, settings: AnalysisSettings): SharedValue {
  return sharedValue(settings, `analysis/${uuid}/`, () => settings);
}

/** One version of an index's fields, as a StoredFieldTable. */
export function sharedFields(uuid: string, table: FieldTable): SharedValue {
  return sharedValue(table, `fields/${uuid}/`, () => storeFieldTable(table));
}

/** What the keys of everything that belongs to an index begin with. */
export function sharedPrefixes(uuid: string): string[] {
  return ["analysis", "fields", "reader"].map((what) => `${what}/${uuid}/`);
}
