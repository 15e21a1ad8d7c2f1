/**
 * What fields an index has and what their values mean: the field table, merging of mappings, and the reading and
 * printing of numbers, dates, addresses and booleans. Knows nothing of documents, segments or analysis.
 * Start reading at field-table.ts, then values.ts.
 */

export { type DateFormat, DEFAULT_DATE_FORMAT, dateFormat } from "./date-format.js";
export { addUnits, type CalendarUnit, printDateMath, resolveDateMath, roundDown } from "./date-math.js";
export {
  createFieldTable,
  type Field,
  type FieldTable,
  growFieldTable,
  IGNORED_FIELD,
  loadFieldTable,
  mappedFields,
  type StoredFieldTable,
  storeFieldTable,
  withIgnoredField,
} from "./field-table.js";
export { parseIp } from "./ip.js";
export { parseIsoBytes } from "./iso-date.js";
export { checkLimits, countFields, DEFAULT_LIMITS, type MappingLimits, mergeMapping } from "./merge.js";
export { formatDecimal, printDouble } from "./number-format.js";
export { expandFieldPatterns, matchesAny, matchesPattern, mayNameBelow, namesPath } from "./patterns.js";
export { type TimeZone, timeZone, UTC } from "./time-zone.js";
export {
  type Bounds,
  columnValue,
  dateMillis,
  exactBounds,
  FALSE_TERM,
  formatValue,
  numericValue,
  type RangeValues,
  rangeBounds,
  TRUE_TERM,
  termBytes,
} from "./values.js";
