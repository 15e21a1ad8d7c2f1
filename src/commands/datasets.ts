import { Client } from "../../client/index.js";
import type { DatasetField, DatasetQuery } from "../../code/index.js";
import { counted, nearest, printable } from "../../code/index.js";
import { correlationLine, type Dataset, fieldText, loadCorrelations, loadDatasets } from "../../mcp/index.js";
import { type Invocation, text } from "../command.js";
import { quoted } from "../invocation.js";
import { findNode } from "../node/find-node.js";

const LONGEST_LINE = 200;

/** `pinakes datasets [NAME]`: the lists of records that were found, or one of them with its fields and queries. */
export async function runDatasets(call: Invocation): Promise<number> {
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
  try {
    const datasets = await loadDatasets(client);
    const [name] = call.args;
    const isJson = call.options.json === true;
    if (name === undefined) return await showAll(client, datasets, isJson);
    const found = named(datasets, name);
    if (found.length !== 1) return notOne(datasets, found, name);
    await showOne(client, datasets, found[0]!, isJson);
    return 0;
  } finally {
    client.close();
  }
}

const say = (line: string) => process.stdout.write(`${printable(line)}\n`);
/** A line after a blank one. */
const sayBelow = (line: string) => process.stdout.write(`\n${printable(line)}\n`);

/** The data sets that a name means: that very one, else those of a path, else those with it in their name. */
function named(datasets: readonly Dataset[], name: string): Dataset[] {
  const ways: ((dataset: Dataset) => boolean)[] = [
    ({ dataset, index }) => dataset === name || index === name,
    ({ path, part }) => (part === "" ? path : `${path}/${part}`) === name,
    ({ path }) => path === name,
    ({ dataset }) => dataset.includes(name.toLowerCase()),
  ];
  for (const isMeant of ways) {
    const found = datasets.filter(isMeant);
    if (found.length > 0) return found;
  }
  return [];
}

function notOne(datasets: readonly Dataset[], found: readonly Dataset[], name: string): number {
  const names = found.map(({ dataset }) => dataset);
  const known = datasets.map(({ dataset }) => dataset);
  const [near] = nearest(name, known, 1);
  const hint = near === undefined ? "pinakes datasets lists them" : `did you mean ${near}?`;
  const problem =
    found.length > 1
      ? `"${name}" could be ${names.slice(0, 10).join(", ")}`
      : `there is no data set "${name}"; ${hint}`;
  process.stderr.write(`${printable(problem)}\n`);
  return 1;
}

async function showAll(client: Client, datasets: readonly Dataset[], isJson: boolean): Promise<number> {
  const correlations = await loadCorrelations(client, datasets);
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ datasets, correlations }, undefined, 2)}\n`);
    return 0;
  }
  if (datasets.length === 0) say("no lists of records were found; pinakes why PATH says of a file why it is none");
  for (const dataset of datasets) {
    say(heading(dataset));
    say(cut(`  ${dataset.schema.map(fieldText).join(", ")}`));
  }
  if (correlations.length > 0) sayBelow("fields that hold the same values:");
  for (const correlation of correlations) say(`  ${correlationLine(correlation)}`);
  if (datasets.length > 0) sayBelow("pinakes datasets NAME shows one with its fields, examples and queries");
  return 0;
}

async function showOne(client: Client, all: readonly Dataset[], dataset: Dataset, isJson: boolean): Promise<void> {
  const correlations = (await loadCorrelations(client, all)).filter(
    ({ from, to }) => from.dataset === dataset.dataset || to.dataset === dataset.dataset,
  );
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ ...dataset, correlations }, undefined, 2)}\n`);
    return;
  }
  say(heading(dataset));
  say(`  index ${dataset.index}, read by ${dataset.reader}, in ${dataset.root}`);
  if (dataset.time_field !== "") say(`  time: ${dataset.time_field}, ${dataset.time_min} to ${dataset.time_max}`);
  for (const { latitude, longitude } of dataset.geo) say(`  places: ${latitude}, ${longitude}`);
  for (const note of dataset.notes) say(`  note: ${note}`);
  sayBelow("fields:");
  for (const field of dataset.schema) say(cut(`  ${fieldLine(field)}`));
  if (correlations.length > 0) sayBelow("fields that hold the same values elsewhere:");
  for (const correlation of correlations) say(`  ${correlationLine(correlation)}`);
  sayBelow("queries:");
  for (const query of dataset.queries) process.stdout.write(`${queryLines(client.url, dataset, query)}\n`);
}

function heading({ dataset, records, path, part, time_min: from, time_max: to }: Dataset): string {
  const time = from && to ? `, ${from.slice(0, 10)} to ${to.slice(0, 10)}` : "";
  return `${dataset}  ${counted(records, "record")} of ${path}${part === "" ? "" : ` (${part})`}${time}`;
}

function fieldLine(field: DatasetField): string {
  const { distinct, null_share: nulls, min, max, examples, format, note } = field;
  const facts = [
    `${distinct} different`,
    ...(nulls > 0 ? [`${(nulls * 100).toFixed(nulls < 0.1 ? 1 : 0)} % without`] : []),
    ...(min === undefined ? [] : [`${min} to ${max}`]),
    ...(format ? [`format ${format}`] : []),
    ...(note ? [note] : []),
  ];
  return `${fieldText(field)}: ${facts.join(", ")}; e.g. ${examples.join(" | ")}`;
}

/** A command that can be pasted into a shell. */
function queryLines(url: string, { index }: Dataset, { title, body }: DatasetQuery): string {
  const address = `${url}/${index}/_search?pretty`;
  return `  # ${printable(title)}\n  curl -s ${quoted(address)} -H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`;
}

function cut(line: string): string {
  const flat = line.replace(/\s*\n\s*/g, " ");
  return flat.length > LONGEST_LINE ? `${flat.slice(0, LONGEST_LINE - 1)}…` : flat;
}
