/**
 * The thread that owns all graphs: they live in the memory of hnswlib's addon, which belongs to one thread. Rows come
 * a few at a time, so that a search never waits for the building of a graph. A graph file is hnswlib's own format; it is
 * read only when the checksum beside it holds, because the addon trusts what it reads. That is a small file
 * (store/small-file.ts), `<graph file>.sum`, whose payload is
 *
 *   offset  bytes  name    meaning
 *   0       8      length  f64, bytes of the graph file
 *   8       4      crc     CRC32C of the graph file
 */
import { closeSync, openSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import { crc32cOf } from "../kernels/crc32c.js";
import type { VectorSimilarity } from "../mapping/mapping.js";
import { nodeFiles } from "../store/files.js";
import { readSmallFile, replaceFile, TEMPORARY_SUFFIX } from "../store/small-file.js";
import {
  CHECKSUM_SUFFIX,
  GRAPH_EF_CONSTRUCTION,
  GRAPH_M,
  type GraphAnswer,
  type GraphRequest,
} from "./graph-messages.js";

/** The part of hnswlib-node that is used; its own types are not imported because the package is optional. */
interface Graph {
  initIndex(options: { maxElements: number; m: number; efConstruction: number; randomSeed: number }): void;
  addPoint(point: number[], label: number): void;
  searchKnn(query: number[], count: number): { neighbors: number[] };
  setEf(ef: number): void;
  getCurrentCount(): number;
  writeIndexSync(file: string): void;
  readIndexSync(file: string): void;
}

interface Library {
  HierarchicalNSW: new (space: "l2" | "ip", dims: number) => Graph;
}

/** Same rows, same graph. */
const RANDOM_SEED = 100;

const graphs = new Map<string, Graph>();
const library = loadLibrary();

function loadLibrary(): Library | null {
  try {
    return createRequire(import.meta.url)("hnswlib-node") as Library;
  } catch {
    return null;
  }
}

function makeGraph(dims: number, similarity: VectorSimilarity): Graph {
  if (library === null) throw new Error("hnswlib-node is not installed");
  // Cosine vectors are normalised, so that their inner product is the cosine.
  return new library.HierarchicalNSW(similarity === "l2_norm" ? "l2" : "ip", dims);
}

function graphOf(key: string): Graph {
  const graph = graphs.get(key);
  if (graph === undefined) throw new Error(`no graph ${key}`);
  return graph;
}

function answer(request: GraphRequest): boolean | Uint32Array {
  switch (request.kind) {
    case "available":
      return library !== null;
    case "begin": {
      const graph = makeGraph(request.dims, request.similarity);
      graph.initIndex({
        maxElements: request.rows,
        m: GRAPH_M,
        efConstruction: GRAPH_EF_CONSTRUCTION,
        randomSeed: RANDOM_SEED,
      });
      graphs.set(request.key, graph);
      return true;
    }
    case "add": {
      const graph = graphOf(request.key);
      const { dims, values } = request;
      for (let row = 0; row * dims < values.length; row++) {
        graph.addPoint(Array.from(values.subarray(row * dims, (row + 1) * dims)), request.first + row);
      }
      return true;
    }
    case "finish":
      save(graphOf(request.key), request.file);
      return true;
    case "load":
      return load(request);
    case "search": {
      const graph = graphOf(request.key);
      const count = Math.min(request.count, graph.getCurrentCount());
      graph.setEf(Math.max(count, 1));
      return Uint32Array.from(graph.searchKnn(Array.from(request.query), count).neighbors);
    }
    case "drop":
      return graphs.delete(request.key);
  }
}

function save(graph: Graph, file: string): void {
  const temporary = file + TEMPORARY_SUFFIX;
  graph.writeIndexSync(temporary);
  const sum = checksum(temporary);
  // First the checksum: a graph file without its own is built anew, never read.
  replaceFile(nodeFiles, file + CHECKSUM_SUFFIX, sum);
  nodeFiles.rename(temporary, file);
}

function load(request: Extract<GraphRequest, { kind: "load" }>): boolean {
  if (library === null || nodeFiles.stat(request.file) === undefined) return false;
  const expected = readSmallFile(nodeFiles, request.file + CHECKSUM_SUFFIX);
  if (expected === undefined || Buffer.compare(expected, checksum(request.file)) !== 0) return false;
  const graph = makeGraph(request.dims, request.similarity);
  graph.readIndexSync(request.file);
  if (graph.getCurrentCount() !== request.rows) return false;
  graphs.set(request.key, graph);
  return true;
}

/** The payload that belongs to a graph file. */
function checksum(file: string): Uint8Array {
  const fd = openSync(file, "r");
  try {
    const buffer = new Uint8Array(1 << 20);
    let [crc, length] = [0, 0];
    for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer)) {
      crc = crc32cOf(buffer.subarray(0, count), crc);
      length += count;
    }
    const sum = new Uint8Array(12);
    const view = new DataView(sum.buffer);
    view.setFloat64(0, length, true);
    view.setUint32(8, crc, true);
    return sum;
  } finally {
    closeSync(fd);
  }
}

parentPort?.on("message", ({ id, request }: { id: number; request: GraphRequest }) => {
  let reply: GraphAnswer;
  try {
    reply = { id, value: answer(request) };
  } catch (error) {
    reply = { id, error: (error as Error).message };
  }
  parentPort?.postMessage(reply);
});
