/** The step `do`: a call, and what must be true of how it ends. */
import { type Api, CallError } from "./api.js";
import { AssertionError } from "./assertions.js";
import { patternOf } from "./pattern.js";
import type { Stash } from "./stash.js";
import { isMap, javaText, printScalar, type Value, type ValueMap } from "./values.js";
import type { Answer, Wire } from "./wire.js";

const CATCH_STATUS: Readonly<Record<string, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  missing: 404,
  request_timeout: 408,
  conflict: 409,
  unavailable: 503,
};
/** Statuses with a name of their own are not what `catch: request` means. */
const NAMED_STATUSES = new Set([400, 401, 403, 404, 408, 409]);
const TYPES_REMOVAL = "[types removal]";

/** What a `do` says beside its call. */
interface Conditions {
  expectError: string | undefined;
  headers: Record<string, string>;
  warnings: string[];
  warningPatterns: RegExp[];
  allowed: string[];
  allowedPatterns: RegExp[];
}

/** Where calls go. */
export interface Target {
  wire: Wire;
  api: Api;
  stash: Stash;
}

/** Makes the call; undefined when a client was to refuse it. Throws AssertionError, NoAnswer, CallError. */
export async function runCall(argument: Value, target: Target): Promise<Answer | undefined> {
  if (!isMap(argument)) throw new CallError("a do that is no map");
  const conditions = conditionsOf(argument, target.stash);
  // The only `do` with two calls is a slip; the runner it was written for makes the last one.
  const name = [...argument.keys()].findLast((key) => !CONDITION_KEYS.has(key));
  if (name === undefined) throw new CallError("a do without a call");
  const given = target.stash.replace(argument.get(name) ?? new Map());
  if (!isMap(given)) throw new CallError(`"${name}": arguments that are no map`);
  // What a client should refuse before it sends anything: there is no client here to be tried.
  if (conditions.expectError === "param") return undefined;
  const request = target.api.request(name, given);
  const answer = await target.wire.send(request, conditions.headers);
  checkEnd(name, answer, { conditions, ignored: ignoredStatuses(given), isHead: request.method === "HEAD" });
  return answer;
}

const CONDITION_KEYS = new Set([
  "catch",
  "headers",
  // There is one node.
  "node_selector",
  "warnings",
  "warnings_regex",
  "allowed_warnings",
  "allowed_warnings_regex",
]);

function conditionsOf(argument: ValueMap, stash: Stash): Conditions {
  const texts = (key: string) => [argument.get(key) ?? []].flat().map(printScalar);
  const patterns = (key: string) => texts(key).map((text) => new RegExp(text));
  const headers = stash.replace(argument.get("headers") ?? new Map());
  const expected = argument.get("catch");
  return {
    expectError: expected === undefined ? undefined : printScalar(expected),
    headers: isMap(headers) ? Object.fromEntries([...headers].map(([key, value]) => [key, printScalar(value)])) : {},
    warnings: texts("warnings"),
    warningPatterns: patterns("warnings_regex"),
    allowed: texts("allowed_warnings"),
    allowedPatterns: patterns("allowed_warnings_regex"),
  };
}

function ignoredStatuses(given: ValueMap): number[] {
  return [given.get("ignore") ?? []].flat().map((one) => Number(printScalar(one)));
}

interface End {
  conditions: Conditions;
  ignored: readonly number[];
  isHead: boolean;
}

function checkEnd(name: string, answer: Answer, { conditions, ignored, isHead }: End): void {
  const failed = answer.status >= 400 && !ignored.includes(answer.status) && !(isHead && answer.status === 404);
  const { expectError } = conditions;
  if (expectError !== undefined) {
    if (!failed) throw new AssertionError(`catch ${expectError}: "${name}" answered ${answer.status}`);
    checkError(expectError, answer);
    return;
  }
  if (failed) throw new AssertionError(`"${name}" answered ${answer.status}: ${errorText(answer).slice(0, 300)}`);
  checkWarnings(answer.warnings, conditions);
}

function checkError(expected: string, answer: Answer): void {
  const { status } = answer;
  const wrong = () => new AssertionError(`catch ${expected}: got ${status}: ${errorText(answer).slice(0, 300)}`);
  const pattern = patternOf(expected, "plain");
  if (pattern !== undefined) {
    if (!pattern.test(errorText(answer))) throw wrong();
  } else if (expected === "request") {
    if (NAMED_STATUSES.has(status)) throw wrong();
  } else if (!(expected in CATCH_STATUS)) {
    throw new AssertionError(`catch ${expected}: no such kind`);
  } else if (CATCH_STATUS[expected] !== status) {
    throw wrong();
  }
}

function errorText({ body }: Answer): string {
  return javaText((isMap(body) ? body.get("error") : undefined) ?? body);
}

function checkWarnings(given: readonly string[], conditions: Conditions): void {
  const { warnings, warningPatterns, allowed, allowedPatterns } = conditions;
  for (const wanted of warnings) {
    if (!given.includes(wanted)) throw new AssertionError(`warning expected: ${wanted}; got ${JSON.stringify(given)}`);
  }
  for (const wanted of warningPatterns) {
    if (!given.some((one) => wanted.test(one)))
      throw new AssertionError(`warning expected: ${wanted}; got ${JSON.stringify(given)}`);
  }
  const isExpected = (one: string) =>
    warnings.includes(one) ||
    allowed.includes(one) ||
    [...warningPatterns, ...allowedPatterns].some((pattern) => pattern.test(one)) ||
    one.startsWith(TYPES_REMOVAL);
  const surprise = given.find((one) => !isExpected(one));
  if (surprise !== undefined) throw new AssertionError(`unexpected warning: ${surprise}`);
}
