/** The two servers of the zoekt benchmark: how each is asked, and what it found. */
import http from "node:http";
import { readQuery, toSearchRequest } from "../../code/index.js";
import type { AskedBoth } from "./queries.js";

/** `page`: the first 50 files with all their lines; `all`: every file and line. */
export type Extent = "page" | "all";

const PAGE = 50;
const ALL = 10_000;
const MOST_LINES = 100_000;
const LONGEST_LINE = 1_000;

/** A request ready to be sent, so that making it is not measured. */
export interface Made {
  readonly path: string;
  readonly body: Buffer;
}

/** A server under measurement. */
export interface Server {
  readonly name: string;
  make(query: AskedBoth, extent: Extent): Made;
  /** Sends a request on the one connection that is kept; the whole answer, with how long it took to come. */
  ask(made: Made): Promise<{ ms: number; body: Buffer }>;
  /** Lines in an answer; of an answer about declarations: their number. */
  lines(answer: Buffer): number;
  close(): void;
}

/** A node that holds the folder, asked with the body that `pinakes search --explain` prints. */
export function pinakesServer(url: string): Server {
  return {
    name: "pinakes",
    make({ pinakes }, extent) {
      const { index, body } = toSearchRequest(readQuery(pinakes), {
        from: 0,
        size: extent === "page" ? PAGE : ALL,
        words: "all",
        lines: { size: MOST_LINES, before: 0, after: 0, maxLineBytes: LONGEST_LINE },
        order: "first",
      });
      return { path: `/${index}/_search`, body: Buffer.from(JSON.stringify(body)) };
    },
    lines(answer) {
      const { hits } = JSON.parse(answer.toString()) as PinakesAnswer;
      return hits.hits.reduce(
        (sum, { matching_lines }) => sum + (matching_lines === undefined ? 1 : linesIn(matching_lines)),
        0,
      );
    },
    ...connection(url),
  };
}

interface PinakesAnswer {
  readonly hits: {
    readonly hits: readonly { readonly matching_lines?: Record<string, { readonly lines: unknown[] }> }[];
  };
}

function linesIn(fields: Record<string, { readonly lines: unknown[] }>): number {
  return Object.values(fields).reduce((sum, { lines }) => sum + lines.length, 0);
}

const NO_LIMIT = 100_000_000;

/** zoekt's web server, asked through its JSON API; it stops at no number of matches. */
export function zoektServer(url: string): Server {
  return {
    name: "zoekt",
    make({ zoekt }, extent) {
      const limits = { ShardMaxMatchCount: NO_LIMIT, TotalMaxMatchCount: NO_LIMIT, MaxMatchDisplayCount: NO_LIMIT };
      const Opts = { ...limits, MaxDocDisplayCount: extent === "page" ? PAGE : ALL };
      return { path: "/api/search", body: Buffer.from(JSON.stringify({ Q: zoekt, Opts })) };
    },
    lines(answer) {
      const { Result } = JSON.parse(answer.toString()) as ZoektAnswer;
      return (Result.Files ?? []).reduce(
        (sum, { LineMatches }) => sum + new Set((LineMatches ?? []).map(({ LineNumber }) => LineNumber)).size,
        0,
      );
    },
    ...connection(url),
  };
}

interface ZoektAnswer {
  readonly Result: {
    readonly Files: readonly { readonly LineMatches: readonly { readonly LineNumber: number }[] | null }[] | null;
  };
}

/** One connection that is kept, the same code for both. */
function connection(url: string): Pick<Server, "ask" | "close"> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1, noDelay: true });
  const ask = ({ path, body }: Made): ReturnType<Server["ask"]> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const headers = { "content-type": "application/json", "content-length": body.length };
      const request = http.request(new URL(path, url), { method: "POST", agent, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const ms = performance.now() - began;
          const whole = Buffer.concat(parts);
          if (answer.statusCode === 200) resolve({ ms, body: whole });
          else reject(new Error(`${path}: ${answer.statusCode} ${whole.toString("utf8", 0, 300)}`));
        });
      });
      request.on("error", reject);
      request.end(body);
    });
  return { ask, close: () => agent.destroy() };
}
