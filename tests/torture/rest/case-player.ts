/** Plays cases of the suite, some of their requests changed, and gives every answer to a judge. */
import { IDENTITY_HEADER } from "../../../compat/identities.js";
import type { Chance } from "../../../engine/store/testing/chance.js";
import { type ApiRequest, CallError } from "../../conformance/api.js";
import { readJson } from "../../conformance/read-json.js";
import { PathError, Stash, valueAt } from "../../conformance/stash.js";
import { isMap, printScalar, type Value, type ValueMap } from "../../conformance/values.js";
import type { Corpus, RestCase, RestStep } from "./corpus.js";
import { tame } from "./courtesy.js";
import type { Outcome } from "./exchange.js";
import { mutate } from "./mutate-request.js";
import type { WireRequest } from "./wire-request.js";

/** How a player reaches the node. */
export interface Wire {
  /** An ordinary request. */
  send(request: WireRequest): Promise<Outcome>;
  /** The request as bytes that are not quite HTTP. */
  sendRaw(request: WireRequest, chance: Chance): Promise<void>;
  /** Nothing more is to be sent. */
  readonly over: boolean;
}

/** One in so many requests goes as broken bytes; one in two as the suite has it. */
const RAW_EVERY = 30;
const IDENTITIES = ["os2", "os2", "es8", "es9"];

/** Steps of one case after the other; values of answers are kept for later steps, as the suite says. */
export async function playCase(one: RestCase, wire: Wire, drawn: { chance: Chance; corpus: Corpus }): Promise<void> {
  const identity = IDENTITIES[drawn.chance(IDENTITIES.length)];
  const stash = new Stash();
  let last: Value | undefined;
  for (const step of one.steps) {
    if (wire.over) return;
    if (step.kind === "set") {
      setFrom(stash, step.argument, last);
      continue;
    }
    const request = requestOf(step, stash, drawn.corpus);
    if (request === undefined) continue;
    request.headers[IDENTITY_HEADER] = identity;
    const isChanged = drawn.chance(2) === 0;
    if (isChanged) mutate(request, drawn);
    tame(request);
    if (isChanged && drawn.chance(RAW_EVERY) === 0) await wire.sendRaw(request, drawn.chance);
    else last = bodyOf(await wire.send(encoded(request)));
  }
}

function requestOf(step: RestStep & { kind: "call" }, stash: Stash, corpus: Corpus): WireRequest | undefined {
  const given = stash.replace(step.given);
  if (!isMap(given)) return undefined;
  let request: ApiRequest;
  try {
    request = corpus.api.request(step.name, given);
  } catch (error) {
    if (error instanceof CallError) return undefined; // what a client would refuse
    throw error;
  }
  const body = request.body === undefined ? undefined : Buffer.from(request.body);
  const headers = Object.fromEntries(Object.entries(step.headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (body !== undefined) headers["content-type"] ??= "application/json";
  return { method: request.method, path: request.path, headers, body };
}

/** What Node's client does not take in a path is percent-encoded. */
function encoded(request: WireRequest): WireRequest {
  return { ...request, path: request.path.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character)) };
}

function bodyOf(outcome: Outcome): Value | undefined {
  if (outcome.kind !== "answer" || !/json/.test(String(outcome.headers["content-type"] ?? ""))) return undefined;
  try {
    return readJson(outcome.text);
  } catch {
    return undefined; // too deep for the reader; the judge has looked at it
  }
}

function setFrom(stash: Stash, argument: ValueMap, last: Value | undefined): void {
  for (const [path, name] of argument) {
    const value = last === undefined ? undefined : valueOrNone(last, path, stash);
    if (value !== undefined) stash.set(printScalar(name), value);
  }
}

function valueOrNone(last: Value, path: string, stash: Stash): Value | undefined {
  try {
    return valueAt(last, path, stash);
  } catch (error) {
    if (error instanceof PathError) return undefined; // the answer is another one than the suite's
    throw error;
  }
}
