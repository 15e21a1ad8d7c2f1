/** Values at and beyond limits: of number types, of texts, of what JavaScript objects and Java classes have. */
import type { Chance } from "../../../engine/store/testing/chance.js";
import { Decimal, type Value } from "../../conformance/values.js";

const LONG_TEXT = "x".repeat(40_000);

/** Printed as they are, valid JSON or not. */
const NUMBERS = [
  ..."0 -0 1 -1 2 10 255 256 1000 10000 10001 65535 65536 2147483647 2147483648 -2147483648 -2147483649".split(" "),
  ..."4294967295 4294967296 9007199254740991 9007199254740993 9223372036854775807 9223372036854775808".split(" "),
  ..."-9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 0.1 -0.5 1.5".split(" "),
  ..."1e308 1e309 -1e309 1e-400 1e400 1E+2 0e0 1e99999 1.7976931348623157e308 5e-324 3.4028235e38 65504".split(" "),
  ..."NaN Infinity -Infinity 01 +1 1. .5 0x10 1_000 --1 1e 123456789012345678901234567890".split(" "),
];

const TEXTS = [
  ...["", " ", "*", "_all", ".", "..", "-", "_", "+", "null", "true", "false", "0", "-1", "1e400", "NaN", "Infinity"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "length", "__defineGetter__"],
  ...["\u0000", "a\u0000b", "\n", "\t", "\ufeff", "\ud800", "\udc00x", "é", "e\u0301", "💥", "\u202e", "ß", "İ"],
  ...["now", "now-1d/d", "now+1000000y", "now-99999999999y/y", "||", "2026-02-30", "9999999-01-01", "-292275055-01-01"],
  ...["1d", "-1s", "1.5h", "0ms", "99999999999d", "1mb", "-1b", "9999999pb", "50%", "200%", "1/2", "test_1", "a,b,-a"],
  ...["a.b", "a..b", ".a", "a.", "a*", "*a", "?", "**", "<logs-{now/d}>", "<{now{}>", "<a", "a>b", "{{x}}", "{x}$"],
  ...["(", "[", "{", "((((", "a{1000000}", "(a+)+$", "(a|a)*b", "[^", "\\", "\\\\", "a~999", "a^1e39", '"unclosed'],
  ...[
    "field:",
    ":",
    "AND",
    "NOT NOT",
    "a AND OR b",
    "[1 TO",
    "[* TO *]",
    "{1 TO 2]",
    "/(/",
    "/a/b/",
    "_exists_:",
    "-a",
  ],
  ...["%", "%s", "../../etc", "<script>", "'; --", "\r\nx-injected: 1", "POINT(200 200)", "9q8yyk8yuv", "1,2,3"],
];

const SHAPES: readonly (() => Value)[] = [
  () => null,
  () => true,
  () => false,
  () => [],
  () => new Map(),
  () => [null],
  () => [[]],
  () => [new Map()],
  () => new Map([["", ""]]),
  () => new Map([["__proto__", new Map([["polluted", true]])]]),
  () => LONG_TEXT,
  () => Array.from({ length: 2000 }, (_, at) => at),
  () => nested(60),
];

/** Any of them. */
export function limitValue(chance: Chance): Value {
  const kind = chance(5);
  if (kind < 2) return new Decimal(NUMBERS[chance(NUMBERS.length)]);
  if (kind < 4) return limitText(chance);
  return SHAPES[chance(SHAPES.length)]();
}

/** A text of them. */
export function limitText(chance: Chance): string {
  return TEXTS[chance(TEXTS.length)];
}

/** A number of them as text, valid or not. */
export function limitNumber(chance: Chance): string {
  return NUMBERS[chance(NUMBERS.length)];
}

function nested(depth: number): Value {
  let value: Value = [];
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? new Map([["a", value]]) : [value];
  return value;
}
