/** Answers of the endpoints that clients cannot do without have the types that the official client declares. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { joinRows } from "../../compat/endpoints/index.js";
import { type ClientNode, startNode } from "../clients/node.js";
import { send } from "../support/node.js";
import { complaintsOf } from "./declarations.js";
import { supply } from "./lacking.js";
import { MUST } from "./must.js";
import { declaredType, type Sample } from "./sample.js";
import { DOCUMENT_SAMPLES } from "./samples/documents.js";
import { INDEX_SAMPLES } from "./samples/indices.js";
import { LAST_SAMPLES, NODE_SAMPLES } from "./samples/node.js";
import { SEARCH_SAMPLES } from "./samples/search.js";

/** In this order: later ones use what earlier ones made. */
const SAMPLES = [...DOCUMENT_SAMPLES, ...SEARCH_SAMPLES, ...INDEX_SAMPLES, ...NODE_SAMPLES, ...LAST_SAMPLES];
/** As version 9 of the client asks, whose declarations are compared with. */
const JSON_9 = "application/vnd.elasticsearch+json;compatible-with=9";
const NDJSON_9 = "application/vnd.elasticsearch+x-ndjson;compatible-with=9";

interface Judged {
  readonly sample: Sample;
  readonly status: number;
  readonly text: string;
  readonly complaints: readonly string[];
}

/** Endpoints of which a row answers, by their names. */
const BUILT = new Set(
  joinRows([])
    .filter(({ status }) => status !== "not built")
    .map(({ name }) => name),
);

let node: ClientNode;
let judged: Judged[] = [];
beforeAll(async () => {
  node = await startNode();
  const asked = await askAll();
  const complaints = complaintsOf(
    asked.map(({ sample, answer }) => ({
      type: BUILT.has(sample.name) ? declaredType(sample) : "ErrorResponseBase",
      answer: supply(sample.name, answer),
    })),
  );
  judged = asked.map((one, at) => ({ ...one, complaints: complaints[at] }));
});
afterAll(() => node.close());

async function askAll() {
  const answers: Record<string, unknown> = {};
  const asked = [];
  for (const sample of SAMPLES) {
    const { method, path, body } = sample;
    const given = typeof body === "function" ? body(answers) : body;
    const payload = Array.isArray(given) ? given.map((line) => `${JSON.stringify(line)}\n`).join("") : given;
    const headers = { accept: JSON_9, ...(given && { "content-type": Array.isArray(given) ? NDJSON_9 : JSON_9 }) };
    const wirePath = typeof path === "function" ? path(answers) : path;
    const { status, json, text } = await send(node.url, { method, path: wirePath, body: payload, headers });
    if (sample.label !== undefined) answers[sample.label] = json;
    asked.push({ sample, status, text, answer: method === "HEAD" ? status === 200 : json });
  }
  return asked;
}

test.each(MUST)("%s", (name) => {
  const own = judged.filter(({ sample }) => sample.name === name);
  expect(own.length, "every endpoint has a sample").toBeGreaterThan(0);
  for (const { sample, status, text, complaints } of own) {
    const request = `${sample.method} ${sample.path} answered ${status} ${text}`;
    if (!BUILT.has(name)) {
      if (sample.method !== "HEAD") expect(text, request).toContain("is not supported by Pinakes");
      continue;
    }
    if (sample.status === undefined) expect(status, request).toBeLessThan(400);
    else expect(status, request).toBe(sample.status);
    expect(complaints, request).toEqual([]);
  }
});

test("there is no sample of another endpoint", () => {
  expect(SAMPLES.map(({ name }) => name).filter((name) => !MUST.includes(name))).toEqual([]);
});
