/** Endpoints as the suite's own descriptions give them, and the requests that calls become. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isMap, printScalar, printValue, type Value, type ValueMap } from "./values.js";

interface ApiPath {
  path: string;
  methods: string[];
  parts?: Record<string, unknown>;
}

interface ApiDescription {
  url: { paths: ApiPath[] };
  params?: Record<string, unknown>;
  body?: { serialize?: string } | null;
}

/** A request that is ready to be sent. */
export interface ApiRequest {
  method: string;
  /** Path and query string. */
  path: string;
  body: string | undefined;
}

/** A call that no request can be made of: what a client would refuse (`catch: param`). */
export class CallError extends Error {}

/** The endpoints that a suite may call. */
export class Api {
  readonly #descriptions = new Map<string, ApiDescription>();
  #common = new Set<string>();

  /** `folder`: one JSON file an endpoint, `_common.json` for the parameters of all. */
  constructor(folder: string) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
      const read = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Record<string, unknown>;
      if (file === "_common.json") this.#common = new Set(Object.keys(read.params as object));
      else for (const [name, one] of Object.entries(read)) this.#descriptions.set(name, one as ApiDescription);
    }
  }

  has(name: string): boolean {
    return this.#descriptions.has(name);
  }

  /** Throws CallError for an unknown call, an unlisted parameter, or parts that fit no path. */
  request(name: string, given: ValueMap): ApiRequest {
    const api = this.#descriptions.get(name);
    if (api === undefined) throw new CallError(`there is no call "${name}"`);
    const chosen = choosePath(name, api, given);
    const body = given.has("body") ? printBody(given.get("body") ?? null, api) : undefined;
    const query = this.#query(name, api, given, chosen);
    return { method: chooseMethod(chosen.methods, body), path: fillPath(chosen, given) + query, body };
  }

  #query(name: string, api: ApiDescription, given: ValueMap, chosen: ApiPath): string {
    const pairs: string[] = [];
    for (const [key, value] of given) {
      if (key === "body" || key === "ignore" || key in (chosen.parts ?? {})) continue;
      // A part that is empty is none.
      if (isPart(api, key) && !isGiven(value)) continue;
      if (!(key in (api.params ?? {})) && !this.#common.has(key)) {
        throw new CallError(`"${name}" takes no parameter "${key}"`);
      }
      pairs.push(`${encodeURIComponent(key)}=${encodeURIComponent(printScalar(value))}`);
    }
    return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  }
}

function isPart({ url }: ApiDescription, key: string): boolean {
  return url.paths.some(({ parts = {} }) => key in parts);
}

/** The path that uses most of the parts that are given. */
function choosePath(name: string, { url }: ApiDescription, given: ValueMap): ApiPath {
  const partsOf = (one: ApiPath) => Object.keys(one.parts ?? {});
  const fitting = url.paths.filter((one) => partsOf(one).every((part) => isGiven(given.get(part))));
  const [best] = fitting.sort((a, b) => partsOf(b).length - partsOf(a).length);
  if (best === undefined) throw new CallError(`"${name}" has no path for ${[...given.keys()].join(", ")}`);
  return best;
}

function isGiven(value: Value | undefined): boolean {
  return value !== undefined && printScalar(value) !== "";
}

function fillPath(chosen: ApiPath, given: ValueMap): string {
  return chosen.path.replace(/\{([^}]+)\}/g, (_, part: string) =>
    encodeURIComponent(printScalar(given.get(part) ?? "")),
  );
}

function chooseMethod(methods: readonly string[], body: string | undefined): string {
  return body !== undefined && methods.includes("POST") ? "POST" : methods[0];
}

/** Several documents end with a line feed each, one document does not. */
function printBody(body: Value, { body: described }: ApiDescription): string {
  if (typeof body === "string" && described?.serialize !== "bulk") return body;
  const documents = Array.isArray(body) ? body : [body];
  const lines = documents.map((one) => (typeof one === "string" ? one.replace(/\n+$/, "") : printValue(one)));
  const isOne = documents.length === 1 && (isMap(body) || described?.serialize !== "bulk");
  return isOne ? lines[0] : lines.map((line) => `${line}\n`).join("");
}
