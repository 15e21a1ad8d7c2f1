/** What a suite says of the last answer. Each throws AssertionError when it does not hold. */

import { patternOf } from "./pattern.js";
import { type Stash, valueAt } from "./stash.js";
import {
  compareNumbers,
  Decimal,
  equalValues,
  isMap,
  isNumber,
  printScalar,
  printValue,
  type Value,
} from "./values.js";
import type { Answer } from "./wire.js";

/** An expectation that an answer does not meet. */
export class AssertionError extends Error {}

/** Directives that look at the last answer, by name. */
export const ASSERTIONS: Readonly<Record<string, (argument: Value, answer: Answer, stash: Stash) => void>> = {
  match: eachOf(match),
  length: eachOf(length),
  contains: eachOf(contains),
  gt: eachOf(order("gt", (sign) => sign > 0)),
  gte: eachOf(order("gte", (sign) => sign >= 0)),
  lt: eachOf(order("lt", (sign) => sign < 0)),
  lte: eachOf(order("lte", (sign) => sign <= 0)),
  is_after: eachOf(isAfter),
  close_to: eachOf(closeTo),
  is_true: (argument, answer, stash) => {
    const found = valueAt(answer.body, printScalar(argument), stash);
    if (!isTrue(found)) fail(`is_true ${printScalar(argument)}: found ${show(found)}`);
  },
  is_false: (argument, answer, stash) => {
    const found = valueAt(answer.body, printScalar(argument), stash);
    if (isTrue(found)) fail(`is_false ${printScalar(argument)}: found ${show(found)}`);
  },
  exists: (argument, answer, stash) => {
    const found = valueAt(answer.body, printScalar(argument), stash);
    if (found === undefined || found === null) fail(`exists ${printScalar(argument)}: found ${show(found)}`);
  },
};

/** One expectation: the path it is of, what is expected and what is there. */
interface Expectation {
  path: string;
  expected: Value;
  found: Value | undefined;
  argument: ReadonlyMap<string, Value>;
}

function eachOf(check: (one: Expectation) => void): (argument: Value, answer: Answer, stash: Stash) => void {
  return (argument, answer, stash) => {
    if (!isMap(argument) || argument.size === 0) fail("an assertion that is no map of a path");
    for (const [path, expected] of argument as ReadonlyMap<string, Value>) {
      if (path === "epsilon") continue;
      const found = valueAt(answer.body, path, stash);
      check({ path, expected: stash.replace(expected), found, argument: argument as ReadonlyMap<string, Value> });
    }
  };
}

function match({ path, expected, found, argument }: Expectation): void {
  const pattern = typeof expected === "string" ? patternOf(expected, "comments") : undefined;
  if (pattern !== undefined) {
    if (found === undefined || found === null || !pattern.test(printScalar(found))) {
      fail(`match ${path}: ${show(found)} does not match ${printScalar(expected)}`);
    }
    return;
  }
  const epsilon = argument.get("epsilon");
  if (isNumber(epsilon) && isNumber(expected) && isNumber(found)) {
    if (Math.abs(double(expected) - double(found)) <= double(epsilon)) return;
  }
  if (expected === null && found === undefined) return;
  if (!equalValues(expected, found)) fail(`match ${path}: expected ${show(expected)}, found ${show(found)}`);
}

function length({ path, expected, found }: Expectation): void {
  const size = typeof found === "string" || Array.isArray(found) ? found.length : isMap(found) ? found.size : undefined;
  if (size === undefined) fail(`length ${path}: ${show(found)} has none`);
  if (size !== Number(printScalar(expected))) fail(`length ${path}: expected ${show(expected)}, found ${size}`);
}

/** A list has an equal element, or one with at least these members; a text has these characters. */
function contains({ path, expected, found }: Expectation): void {
  const holds =
    typeof found === "string"
      ? found.includes(printScalar(expected))
      : Array.isArray(found) && found.some((one) => equalValues(expected, one) || holdsMembers(one, expected));
  if (!holds) fail(`contains ${path}: ${show(found)} does not contain ${show(expected)}`);
}

function holdsMembers(found: Value, expected: Value): boolean {
  if (!isMap(found) || !isMap(expected)) return false;
  return [...expected].every(([key, member]) => equalValues(member, found.get(key)));
}

function order(name: string, holds: (sign: number) => boolean): (one: Expectation) => void {
  return ({ path, expected, found }) => {
    const bound = typeof expected === "string" && expected.trim() !== "" ? new Decimal(expected) : expected;
    if (!isNumber(found) || !isNumber(bound))
      fail(`${name} ${path}: ${show(found)} and ${show(expected)} are no numbers`);
    else if (!holds(compareNumbers(found, bound))) fail(`${name} ${path}: ${show(found)} against ${show(expected)}`);
  };
}

function isAfter({ path, expected, found }: Expectation): void {
  const [moment, bound] = [Date.parse(printScalar(found ?? null)), Date.parse(printScalar(expected))];
  if (!(moment > bound)) fail(`is_after ${path}: ${show(found)} is not after ${show(expected)}`);
}

function closeTo({ path, expected, found }: Expectation): void {
  const value = isMap(expected) ? expected.get("value") : undefined;
  const error = isMap(expected) ? expected.get("error") : undefined;
  if (!isNumber(value) || !isNumber(error)) fail(`close_to ${path}: needs a value and an error`);
  else if (!isNumber(found) || Math.abs(double(found) - double(value)) > double(error)) {
    fail(`close_to ${path}: expected ${show(value)} +- ${show(error)}, found ${show(found)}`);
  }
}

function double(value: number | bigint | Decimal): number {
  return value instanceof Decimal ? Number(value.text) : Number(value);
}

/** As the suites' first runner has it: anything but missing, empty, `false` and `0`. */
function isTrue(value: Value | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (isMap(value) || Array.isArray(value)) return true;
  return !["", "false", "0"].includes(printScalar(value).toLowerCase());
}

function show(value: Value | undefined): string {
  const text = value === undefined ? "nothing" : printValue(value);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

function fail(message: string): never {
  throw new AssertionError(message);
}
