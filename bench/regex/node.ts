/** The node's side of the regex benchmark: files in, lines out, through the wire. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Client } from "../../client/index.js";
import { PROPERTIES } from "../../code/index.js";
import type { BenchNode } from "../node-process.js";
import { folderSections, sumBy } from "../segment-bytes.js";
import type { TextFolder } from "./corpus.js";
import type { Asked } from "./patterns.js";
import type { FoundLines } from "./peers.js";

const INDEX = "files";
const BATCH_BYTES = 4 << 20;
const CONNECTIONS = 2;
/** Files of a listing. */
const MOST_FILES = 1_000_000;
const MOST_LINES = 1_000_000;
const FIRST_PAGE = 50;

/** What is asked: every line of every file; how many there are; the first files. */
export const WAYS = ["all", "count", "page"] as const;
export type Way = (typeof WAYS)[number];

/** Bytes of what was written. */
export interface Written {
  readonly seconds: number;
  /** The index of grams, with what says where chunks of text begin. */
  readonly gramBytes: number;
  /** The text, packed: `_source` is put together from it. */
  readonly textBytes: number;
  /** All files of the index: words and the rest included. */
  readonly totalBytes: number;
}

interface Answer {
  readonly hits: {
    readonly hits: readonly {
      readonly _id: string;
      readonly matching_lines: Record<string, { readonly lines: readonly { readonly line: number }[] }>;
    }[];
  };
  readonly matching_lines?: { readonly lines: number; readonly documents: number };
}

/** An index of files by their bodies, in a node of its own. */
export class NodeFiles {
  readonly #client: Client;

  constructor(readonly node: BenchNode) {
    this.#client = new Client({ url: node.url, connections: CONNECTIONS, timeoutMs: 600_000 });
  }

  /** Writes all files, as the code indices keep them: searched by words and by lines. */
  async write(folder: TextFolder): Promise<Written> {
    const client = this.#client;
    const properties = { path: { type: "keyword" }, body: PROPERTIES["pinakes-files"]?.body };
    const settings = { refresh_interval: "-1", max_result_window: MOST_FILES };
    await client.json("PUT", `/${INDEX}`, { settings, mappings: { dynamic: "strict", properties } });
    const began = performance.now();
    const batches = batchesOf(folder);
    const lane = async () => {
      for (const batch of batches) {
        const { failures } = await client.bulk(batch);
        if (failures.length > 0) throw new Error(`${failures[0].id}: ${failures[0].reason}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
    await client.json("POST", `/${INDEX}/_flush`);
    await client.json("POST", `/${INDEX}/_refresh`);
    const seconds = (performance.now() - began) / 1000;
    await client.json("POST", `/${INDEX}/_forcemerge?max_num_segments=1`);
    const { count } = await client.json<{ count: number }>("GET", `/${INDEX}/_count`);
    if (count !== folder.files.length) throw new Error(`${folder.files.length} files written, ${count} there`);
    return { seconds, ...this.#bytes() };
  }

  #bytes(): Omit<Written, "seconds"> {
    const { sections } = folderSections(path.join(this.node.dataFolder, "indices"), []);
    const kinds = sumBy(sections, "kind");
    const sum = (...names: string[]) => names.reduce((total, name) => total + (kinds.get(name) ?? 0), 0);
    return {
      gramBytes: sum("gramIndex", "gramData", "gramLists", "textTable", "textLengths", "textDocs"),
      textBytes: sum("textData"),
      totalBytes: [...kinds].reduce((total, [, bytes]) => total + bytes, 0),
    };
  }

  /** Milliseconds until the whole answer is here. */
  async time(asked: Asked, way: Way): Promise<number> {
    const body = JSON.stringify(searchOf(asked, way));
    const began = performance.now();
    const { status, text } = await this.#client.request("POST", `/${INDEX}/_search`, body);
    const took = performance.now() - began;
    if (status !== 200) throw new Error(`${asked.pattern}: ${text.slice(0, 300)}`);
    return took;
  }

  /** All lines; their number is the one that a count says. */
  async lines(asked: Asked): Promise<FoundLines> {
    const { hits } = await this.#client.json<Answer>("POST", `/${INDEX}/_search`, searchOf(asked, "all"));
    const found = hits.hits.flatMap(({ _id, matching_lines }) =>
      Object.values(matching_lines).flatMap(({ lines }) => lines.map(({ line }) => `${_id}:${line}`)),
    );
    const counted = await this.#client.json<Answer>("POST", `/${INDEX}/_search`, searchOf(asked, "count"));
    if (counted.matching_lines?.lines !== found.length) {
      throw new Error(`${asked.pattern}: ${found.length} lines listed, ${counted.matching_lines?.lines} counted`);
    }
    return found.sort();
  }

  close(): void {
    this.#client.close();
  }
}

function searchOf(asked: Asked, way: Way): object {
  const { pattern, caseInsensitive = false, wholeWord = false, multiline = false } = asked;
  const clause = { pattern, case_insensitive: caseInsensitive, whole_word: wholeWord, multiline };
  const query = { matching_lines: { "body.lines": clause } };
  const common = { query, _source: false, track_total_hits: false };
  if (way === "count") return { ...common, size: 0, ext: { matching_lines: { totals: true } } };
  const size = way === "page" ? FIRST_PAGE : MOST_FILES;
  return { ...common, size, ext: { matching_lines: { size: way === "page" ? 100 : MOST_LINES } } };
}

function* batchesOf({ folder, files }: TextFolder): Generator<string, void> {
  let lines: string[] = [];
  let bytes = 0;
  for (const name of files) {
    const document = JSON.stringify({ path: name, body: readFileSync(path.join(folder, name), "utf8") });
    lines.push(JSON.stringify({ index: { _index: INDEX, _id: name } }), document);
    bytes += document.length;
    if (bytes < BATCH_BYTES) continue;
    yield `${lines.join("\n")}\n`;
    lines = [];
    bytes = 0;
  }
  if (lines.length > 0) yield `${lines.join("\n")}\n`;
}
