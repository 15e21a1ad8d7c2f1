/** Grok expressions: `%{IP:client.ip}` and `%{NUMBER:bytes:int}` within a regular expression. */
import { type GroupMatch, GroupPattern } from "../../../engine/index.js";
import { illegalArgument } from "../../errors.js";
import { member } from "../../json/value.js";
import { doubleValue, floatValue, type Value } from "../document/values.js";

/** A match of an expression. */
export interface GrokMatch {
  /** Where it begins, in UTF-16 units. */
  readonly begin: number;
  /** Values by field, in the order they stand in the expression. Throws ApiError 400 for a value that its type cannot hold. */
  readonly values: () => Map<string, Value>;
}

/** A compiled expression. */
export interface GrokPattern {
  /** The leftmost match; null where the text does not match. */
  match(text: string): GrokMatch | null;
}

type CaptureType = "string" | "int" | "long" | "float" | "double" | "boolean";

interface Capture {
  readonly field: string;
  readonly type: CaptureType;
}

const REFERENCE = /%\{([A-Za-z0-9_-]+)(?::([^}:=]+))?(?::([a-z]+))?(?:=((?:[^{}]|\{[^{}]*\})*))?\}/g;
const NAMED_GROUP = /\(\?<(?![=!])([^>]+)>/g;
const TYPES: readonly string[] = ["string", "int", "long", "float", "double", "boolean"];
/** Patterns within patterns; and characters that all of them come to. */
const MAX_DEPTH = 50;
const MAX_CHARACTERS = 200_000;

/** Compiles an expression with the patterns of a bank. Throws ApiError 400. */
export function grokPattern(expression: string, bank: Readonly<Record<string, string>>): GrokPattern {
  const captures: Capture[] = [];
  const regex = expanded(expression, { bank, captures, within: [] });
  const pattern = new GroupPattern(regex, { dialect: "ruby", caseInsensitive: false });
  // Groups are called g0, g1, ...: fields have names that no group may have.
  const groups = pattern.names.flatMap((name, group) =>
    name === undefined ? [] : [{ group, ...captures[Number(name.slice(1))] }],
  );
  return {
    match: (text) => {
      const found = pattern.find(text);
      return found === null ? null : { begin: found.begin, values: () => valuesOf(found, groups) };
    },
  };
}

function valuesOf(found: GroupMatch, groups: readonly (Capture & { group: number })[]): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const { group, field, type } of groups) {
    const value = found.groups[group];
    if (value !== undefined && !values.has(field)) values.set(field, converted(value, type));
  }
  return values;
}

interface Expansion {
  readonly bank: Readonly<Record<string, string>>;
  readonly captures: Capture[];
  /** Patterns under way, from the outside. */
  readonly within: readonly string[];
}

function expanded(expression: string, expansion: Expansion): string {
  const { captures } = expansion;
  const named = expression.replace(NAMED_GROUP, (_, field: string) => `(?<g${captures.push(captureOf(field)) - 1}>`);
  const regex = named.replace(REFERENCE, (_, name: string, field?: string, type?: string, definition?: string) => {
    const group = field === undefined ? undefined : captures.push({ field, type: typeOf(type) }) - 1;
    const inner = expanded(definition ?? definitionOf(name, expansion), {
      ...expansion,
      within: [...expansion.within, name],
    });
    return group === undefined ? `(?:${inner})` : `(?<g${group}>${inner})`;
  });
  if (regex.length > MAX_CHARACTERS)
    throw illegalArgument(`the pattern comes to more than ${MAX_CHARACTERS} characters`);
  return regex;
}

/** `(?<field:int>...)` */
function captureOf(written: string): Capture {
  const [, field, type] = /^(.*?)(?::([a-z]+))?$/s.exec(written) as RegExpExecArray;
  return { field, type: typeOf(type) };
}

function typeOf(type: string | undefined): CaptureType {
  return type !== undefined && TYPES.includes(type) ? (type as CaptureType) : "string";
}

function definitionOf(name: string, { bank, within }: Expansion): string {
  const definition = member(bank, name);
  if (definition === undefined) throw illegalArgument(`Unable to find pattern [${name}] in Grok's pattern dictionary`);
  if (within.includes(name) || within.length >= MAX_DEPTH) {
    throw illegalArgument(`circular reference in pattern [${name}] [${[...within, name].join(" -> ")}]`);
  }
  return definition;
}

function converted(text: string, type: CaptureType): Value {
  if (type === "string") return text;
  if (type === "boolean") return text.toLowerCase() === "true";
  if (type === "float" || type === "double") {
    const value = Number(text);
    if (text.trim() === "" || Number.isNaN(value)) throw badNumber(text);
    return type === "double" ? doubleValue(value) : floatValue(value);
  }
  if (!/^[-+]?\d+$/.test(text)) throw badNumber(text);
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function badNumber(text: string): Error {
  return illegalArgument(`For input string: "${text}"`, {
    type: "number_format_exception",
    reason: `For input string: "${text}"`,
  });
}
