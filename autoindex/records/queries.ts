import type { DatasetField, DatasetQuery } from "../../code/index.js";

/** Queries kept of a data set. */
const MOST = 5;
/** Different values that make groups worth counting. */
const GROUPS = { min: 2, max: 1000 } as const;
const GROUPED: ReadonlySet<string> = new Set(["keyword", "boolean", "ip"]);
const WORD = /[\p{L}\p{N}]{3,}/gu;

/** Requests that give hits when they are sent as they are: their values are taken from the data. */
export function queriesFor(fields: readonly DatasetField[], time: DatasetField | undefined): DatasetQuery[] {
  const queries = [byValue(fields), byWords(fields), byRange(fields, time), byGroups(fields), overTime(time)];
  const found = queries.filter((query) => query !== undefined);
  if (found.length < 3) found.push({ title: "all records", body: { size: 10, query: { match_all: {} } } });
  if (found.length < 3) found.push(...byPresence(fields));
  return found.slice(0, MOST);
}

/** Cut examples are no values. */
function whole(examples: readonly string[]): string[] {
  return examples.filter((example) => !example.endsWith("…"));
}

/** By one value of a field that is worth being asked for: few values, or a key. */
function byValue(fields: readonly DatasetField[]): DatasetQuery | undefined {
  const exact = fields.filter(
    ({ type, examples }) => (type === "keyword" || type === "ip") && whole(examples).length > 0,
  );
  const best = exact.sort(
    (a, b) => Number(a.distinct < GROUPS.min) - Number(b.distinct < GROUPS.min) || a.null_share - b.null_share,
  )[0];
  if (!best) return undefined;
  const value = whole(best.examples)[0]!;
  return { title: `records by ${best.name}`, body: { query: { term: { [best.name]: { value } } } } };
}

/** By words of the longest prose. */
function byWords(fields: readonly DatasetField[]): DatasetQuery | undefined {
  const texts = fields
    .filter(({ type }) => type === "text")
    .sort((a, b) => Number(b.semantic ?? false) - Number(a.semantic ?? false));
  for (const { name, examples } of texts) {
    const words = (examples[0]?.replace(/\S*…$/, "") ?? "").match(WORD)?.slice(0, 3).join(" ");
    if (words)
      return {
        title: `records whose ${name} speaks of something`,
        body: { query: { match: { [name]: { query: words } } } },
      };
  }
  return undefined;
}

/** By a range: of the time where there is one, else of a number. */
function byRange(fields: readonly DatasetField[], time: DatasetField | undefined): DatasetQuery | undefined {
  if (time) {
    const { name, min, max } = time;
    const range = { gte: String(min), lte: String(max), format: "strict_date_optional_time" };
    return {
      title: `newest records in a range of ${name}`,
      body: { query: { range: { [name]: range } }, sort: [{ [name]: { order: "desc" } }] },
    };
  }
  const number = fields.find(({ type, distinct }) => (type === "long" || type === "double") && distinct > 1);
  if (!number) return undefined;
  const { name, min, max } = number;
  return {
    title: `records in a range of ${name}`,
    body: { query: { range: { [name]: { gte: min, lte: max } } }, sort: [{ [name]: { order: "desc" } }] },
  };
}

/** Counts by the values of a field, with the mean of a number. */
function byGroups(fields: readonly DatasetField[]): DatasetQuery | undefined {
  const groups = fields
    .filter(
      ({ type, distinct, present }) =>
        GROUPED.has(type) && distinct >= GROUPS.min && distinct <= GROUPS.max && distinct * 2 <= present,
    )
    .sort((a, b) => a.distinct - b.distinct)[0];
  if (!groups) return undefined;
  const number = fields.find(
    ({ type, name, entity }) => (type === "long" || type === "double") && !entity && !/(^|[_.-])id$|Id$/i.test(name),
  );
  const terms = { field: groups.name, size: 10 };
  const aggs = number ? { aggs: { mean: { avg: { field: number.name } } } } : {};
  const title = number ? `count and mean ${number.name} by ${groups.name}` : `count by ${groups.name}`;
  return { title, body: { size: 1, aggs: { groups: { terms, ...aggs } } } };
}

/** How many records there are over time, in steps that give at most some hundred. */
function overTime(time: DatasetField | undefined): DatasetQuery | undefined {
  if (!time) return undefined;
  const { name, min, max } = time;
  const span = Date.parse(String(max)) - Date.parse(String(min));
  const steps = [
    ["minute", 60_000],
    ["hour", 3_600_000],
    ["day", 86_400_000],
    ["month", 30 * 86_400_000],
    ["year", 366 * 86_400_000],
  ] as const;
  const [unit] = steps.find(([, millis]) => span / millis <= 200) ?? steps.at(-1)!;
  return {
    title: `records per ${unit}`,
    body: {
      size: 1,
      aggs: { over_time: { date_histogram: { field: name, calendar_interval: unit, min_doc_count: 1 } } },
    },
  };
}

function byPresence(fields: readonly DatasetField[]): DatasetQuery[] {
  return fields
    .slice(0, 2)
    .map(({ name }) => ({ title: `records with ${name}`, body: { query: { exists: { field: name } } } }));
}
