/**
 * Graphs for the vectors of segments: built after a segment is published, in the background; until then, and where
 * the library is missing, the exact scan serves.
 */
import path from "node:path";
import type { Field } from "../mapping/field-table.js";
import type { GraphHost } from "../vectors/graph-host.js";
import type { GraphSearch } from "../vectors/reader.js";
import type { OpenSegment } from "./reader.js";

/** Fewer vectors than this are faster scanned. */
export const GRAPH_ROWS = 10_000;

/** Rows sent to the worker at once: a search waits for no more than this many insertions. */
const ROWS_PER_MESSAGE = 32;

/** File of the graph of one field of a segment, beside the segment's. */
export function graphFileName(segment: string, field: number): string {
  return `${segment}.${field}.hnsw`;
}

export interface GraphOptions {
  folder: string;
  /** Least number of vectors that get a graph. */
  minimumRows: number;
  /** Stops building: the segment is about to be closed. */
  signal: AbortSignal;
}

/**
 * Loads the graphs of a segment's vector fields, or builds and keeps them; resolves when they serve. Does nothing for
 * fields with few vectors or without the library. The segment must stay open until this resolves; abort to make that soon.
 */
export async function attachGraphs(
  host: GraphHost,
  segment: OpenSegment,
  fields: readonly Field[],
  options: GraphOptions,
): Promise<void> {
  const ready = new Map<number, GraphSearch>();
  segment.useGraphs((field) => ready.get(field) ?? null);
  for (const field of fields) {
    if (field.type !== "dense_vector" || field.mapping.vectorSearch === "exact" || options.signal.aborted) continue;
    const facts = inUse(segment, () => segment.vectors(field)?.meta);
    if (facts === undefined || facts.rows < options.minimumRows || !(await host.available())) continue;
    const key = `${segment.file.path}#${field.ordinal}`;
    const file = path.join(options.folder, graphFileName(segment.name, field.ordinal));
    const loaded = await host.ask({ kind: "load", key, file, ...facts });
    if (loaded !== true && !(await build(host, segment, field, { key, file, signal: options.signal }))) continue;
    ready.set(field.ordinal, {
      search: async (query, count) => {
        try {
          return await search(host, key, query, count);
        } catch (error) {
          // The worker died: from the next question on the exact scan serves.
          ready.delete(field.ordinal);
          throw error;
        }
      },
    });
  }
}

/** Forgets a segment's graphs; call when it is closed. */
export async function dropGraphs(host: GraphHost, segment: OpenSegment, fields: readonly Field[]): Promise<void> {
  segment.useGraphs(() => null);
  for (const field of fields) {
    if (field.type === "dense_vector") await host.ask({ kind: "drop", key: `${segment.file.path}#${field.ordinal}` });
  }
}

async function search(host: GraphHost, key: string, query: Float32Array, count: number): Promise<Uint32Array> {
  return (await host.ask({ kind: "search", key, query, count })) as Uint32Array;
}

/** Sends the vectors row by row, letting everything else run between. false: it was aborted. */
async function build(
  host: GraphHost,
  segment: OpenSegment,
  field: Field,
  target: { key: string; file: string; signal: AbortSignal },
): Promise<boolean> {
  const facts = inUse(segment, () => segment.vectors(field)?.meta);
  if (facts === undefined) return false;
  await host.ask({ kind: "begin", key: target.key, ...facts });
  for (let first = 0; first < facts.rows; first += ROWS_PER_MESSAGE) {
    if (target.signal.aborted) {
      await host.ask({ kind: "drop", key: target.key });
      return false;
    }
    const count = Math.min(ROWS_PER_MESSAGE, facts.rows - first);
    const values = new Float32Array(count * facts.dims);
    inUse(segment, () => {
      const vectors = segment.vectors(field);
      for (let i = 0; i < count; i++) values.set(vectors!.vector(first + i), i * facts.dims);
    });
    await host.ask({ kind: "add", key: target.key, first, dims: facts.dims, values });
  }
  await host.ask({ kind: "finish", key: target.key, file: target.file });
  return true;
}

function inUse<T>(segment: OpenSegment, action: () => T): T {
  segment.beginUse();
  try {
    return action();
  } finally {
    segment.endUse();
  }
}
