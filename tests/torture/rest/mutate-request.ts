/** Changes of a request as a whole: its method, path, parameters, headers, and the bytes of its body. */
import { gzipSync } from "node:zlib";
import { KNOWN_ENDPOINTS } from "../../../compat/endpoints/known.js";
import { PARAMETERS } from "../../../compat/parameters.js";
import type { Chance } from "../../../engine/store/testing/chance.js";
import { readJson } from "../../conformance/read-json.js";
import { printValue, type Value } from "../../conformance/values.js";
import { limitNumber, limitText } from "./limits.js";
import { monster } from "./monsters.js";
import { type Drawn, mutateJson } from "./mutate-json.js";
import type { WireRequest } from "./wire-request.js";

type Change = (request: WireRequest, drawn: Drawn) => void;

const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"];
const PARAMETER_NAMES = [...Object.keys(PARAMETERS), "__proto__", "constructor", "nonsense", "", "format", "pretty"];
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["content-type", "application/x-ndjson"],
  ["content-type", "application/yaml"],
  ["content-type", "application/cbor"],
  ["content-type", "application/smile"],
  ["content-type", "text/plain"],
  ["content-type", "application/x-www-form-urlencoded"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-type", ";;;"],
  ["content-type", "application/vnd.elasticsearch+json;compatible-with=7"],
  ["content-type", "application/vnd.elasticsearch+json;compatible-with=99999999999999999999"],
  ["accept", "application/yaml"],
  ["accept", "application/cbor"],
  ["accept", "application/smile"],
  ["accept", "text/plain"],
  ["accept", "image/png"],
  ["accept", "application/vnd.elasticsearch+json;compatible-with=9"],
  ["accept", ",,;q=x"],
  ["accept-encoding", "gzip"],
  ["content-encoding", "gzip"],
  ["content-encoding", "deflate"],
  ["content-encoding", "zstd"],
  ["content-encoding", "br"],
  ["content-encoding", "gzip, gzip"],
  ["content-encoding", "constructor"],
  ["x-pinakes-identity", "es9"],
  ["x-pinakes-identity", "os2"],
  ["x-pinakes-identity", "__proto__"],
  ["x-opaque-id", "o".repeat(8000)],
  ["origin", "http://example.org"],
  ["host", "example.org"],
  ["authorization", "Basic !!!"],
  ["expect", "100-continue"],
  ["user-agent", "opensearch-py/2"],
];

/** Filters of the answer that ask a matcher for all ways to match. */
const FILTERS = [
  "**.".repeat(40),
  "**.*.".repeat(20),
  `*${"a*".repeat(30)}b`,
  `-${"**.".repeat(40)}x`,
  "-*",
  "a\\",
  "..",
];

const BODY_CHANGES: readonly Change[] = [
  (request, drawn) => mutateBody(request, drawn),
  (request, drawn) => mutateBody(request, drawn),
  (request, drawn) => mutateBody(request, drawn),
  (request, drawn) => mutateBody(request, drawn),
  (request, drawn) => mutateBytes(request, drawn.chance),
  (request, { chance, corpus }) => setBody(request, printValue(corpus.bodies[chance(corpus.bodies.length)])),
  (request, { chance }) => setBody(request, monster(chance)),
];

const OTHER_CHANGES: readonly Change[] = [
  (request, { chance }) => changePath(request, chance),
  (request, { chance }) => changeQuery(request, chance),
  (request, { chance }) => changeQuery(request, chance),
  (request, { chance }) => changeHeaders(request, chance),
  (request, { chance }) => {
    request.method = METHODS[chance(METHODS.length)];
  },
  (request, { chance }) => changeEndpoint(request, chance),
];

/** One or two changes; most of them in the body when there is one. */
export function mutate(request: WireRequest, drawn: Drawn): void {
  for (let left = 1 + drawn.chance(2); left > 0; left--) {
    const changes = request.body !== undefined && drawn.chance(3) > 0 ? BODY_CHANGES : OTHER_CHANGES;
    changes[drawn.chance(changes.length)](request, drawn);
  }
  keepForm(request);
}

/**
 * Answers about repositories stay whole and JSON: a 500 there is Elasticsearch's own where its type says so (judge.ts), which
 * a filtered answer, or one in another form, hides.
 */
function keepForm(request: WireRequest): void {
  if (!/snapshot/i.test(request.path)) return;
  const [path, query] = splitPath(request.path);
  const pairs = query
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !/^(?:filter_path|format)\b/.test(pair));
  request.path = pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
  delete request.headers.accept;
}

function setBody(request: WireRequest, text: string): void {
  request.body = Buffer.from(text);
}

/** JSON, or one line of several JSON texts; what is neither is changed as bytes. */
function mutateBody(request: WireRequest, drawn: Drawn): void {
  const text = (request.body ?? Buffer.alloc(0)).toString();
  const lines = text.endsWith("\n") ? text.split("\n") : [text];
  const at = drawn.chance(Math.max(lines.length - 1, 1));
  const value = parsed(lines[at]);
  if (value === undefined) mutateBytes(request, drawn.chance);
  else setBody(request, lines.with(at, printValue(mutateJson(value, drawn))).join("\n"));
}

function parsed(text: string): Value | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined; // a body that is no JSON, by intent
  }
}

function mutateBytes(request: WireRequest, chance: Chance): void {
  const body = request.body ?? Buffer.from("{}");
  const at = chance(body.length + 1);
  const around = (middle: Buffer, skipped = 0) =>
    Buffer.concat([body.subarray(0, at), middle, body.subarray(Math.min(at + skipped, body.length))]);
  const changes: readonly (() => Buffer)[] = [
    () => body.subarray(0, at),
    () => around(Buffer.from([chance(256)]), 1),
    () => around(Buffer.from([0xff, 0xfe, 0x00])),
    () => around(Buffer.from([0xed, 0xa0, 0x80])),
    () => around(Buffer.from("\r\n")),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    () => Buffer.concat([body, Buffer.from("}")]),
    () => Buffer.concat([body, body]),
    () => Buffer.from(body.toString(), "utf16le"),
    () => Buffer.alloc(0),
    () => Buffer.from(body.toString().replaceAll("\n", "\r\n")),
    () => around(Buffer.from("\\u")),
  ];
  request.body = changes[chance(changes.length)]();
}

function changePath(request: WireRequest, chance: Chance): void {
  const [path, query] = splitPath(request.path);
  const segments = path.split("/");
  const at = 1 + chance(Math.max(segments.length - 1, 1));
  const odd = [
    () => encodeURIComponent(wellFormed(limitText(chance))),
    () => encodeURIComponent(limitNumber(chance)),
    () => "%",
    () => "%zz",
    () => "%c0%af",
    () => "%00",
    () => "%2F..%2F",
    () => "a".repeat(300),
    () => `${segments[at] ?? ""},${segments[at] ?? ""}`,
    () => "",
  ][chance(10)]();
  if (chance(4) === 0) segments.splice(at, chance(2), ...(chance(2) === 0 ? [odd] : []));
  else segments[at] = odd;
  request.path = segments.join("/") + query;
  if (!request.path.startsWith("/")) request.path = `/${request.path}`;
}

function changeQuery(request: WireRequest, chance: Chance): void {
  const [path, query] = splitPath(request.path);
  const pairs = query.slice(1).split("&").filter(Boolean);
  const value = () => encodeURIComponent(chance(3) === 0 ? limitNumber(chance) : wellFormed(limitText(chance)));
  const at = chance(Math.max(pairs.length, 1));
  const name = () => encodeURIComponent(PARAMETER_NAMES[chance(PARAMETER_NAMES.length)]);
  const changes: readonly (() => void)[] = [
    () => pairs.push(`${name()}=${value()}`),
    () => pairs.push(`${name()}=${["true", "false", "all", "1s", "none", "json", "5"][chance(7)]}`),
    () => pairs.push(name()),
    () => pairs.splice(at, 1),
    () => pairs.push(...pairs.slice(at, at + 1)),
    () => {
      pairs[at] = `${(pairs[at] ?? name()).split("=")[0]}=${value()}`;
    },
    () => pairs.push(`filter_path=${encodeURIComponent(FILTERS[chance(FILTERS.length)])}`),
    () => pairs.push(["%", "=", "a=%zz", "%ff=%fe", "=x", "a==b", "+=+"][chance(7)]),
  ];
  changes[chance(changes.length)]();
  request.path = pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

function changeHeaders(request: WireRequest, chance: Chance): void {
  const [name, value] = HEADERS[chance(HEADERS.length)];
  request.headers[name] = value;
  // Half of the compressed bodies are what they say.
  if (value === "gzip" && name === "content-encoding" && request.body !== undefined && chance(2) === 0)
    request.body = gzipSync(request.body);
}

/** The same parameters and body to another endpoint. */
function changeEndpoint(request: WireRequest, chance: Chance): void {
  const [, routes] = KNOWN_ENDPOINTS[chance(KNOWN_ENDPOINTS.length)];
  const choices = routes.split(";");
  const [methods, path] = choices[chance(choices.length)].trim().split(/\s+/);
  const names = ["test_1", "test", "_all", "1", "*", "test-*", "_local"];
  const filled = path.replace(/\{[^}]+\}/g, () => encodeURIComponent(names[chance(names.length)]));
  request.method = methods.split(",")[0];
  request.path = filled + splitPath(request.path)[1];
}

function splitPath(path: string): [path: string, query: string] {
  const mark = path.indexOf("?");
  return mark === -1 ? [path, ""] : [path.slice(0, mark), path.slice(mark)];
}

/** Half of a surrogate pair has no percent-encoding. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
