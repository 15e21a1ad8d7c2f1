/** Random JSON documents as texts, odd in every way that JSON allows, for fields of all types. */
import type { Mapping } from "../mapping/mapping.js";
import type { Chance } from "../store/testing.js";

/** Fields that the documents have, each with something that makes printing it back harder. */
export const RANDOM_MAPPING: Mapping = {
  dynamic: "false",
  properties: {
    tag: { type: "keyword", ignoreAbove: 12, copyTo: ["all"] },
    lower: { type: "keyword", normalizer: "low" },
    hidden: { type: "keyword", index: false, docValues: false },
    title: {
      type: "text",
      fields: {
        raw: { type: "keyword", ignoreAbove: 20 },
        n: { type: "keyword", normalizer: "low" },
        lines: { type: "wildcard", ignoreAbove: 25 },
      },
    },
    all: { type: "keyword" },
    long: { type: "long", nullValue: 7, ignoreMalformed: true },
    integer: { type: "integer", fields: { text: { type: "keyword" } } },
    short: { type: "short" },
    byte: { type: "byte", ignoreMalformed: true },
    double: { type: "double" },
    float: { type: "float", ignoreMalformed: true },
    half: { type: "half_float" },
    flag: { type: "boolean" },
    when: { type: "date", ignoreMalformed: true },
    day: { type: "date", format: "yyyy-MM-dd||epoch_second" },
    address: { type: "ip", ignoreMalformed: true },
    shut: { type: "object", enabled: false, properties: {} },
    inner: {
      type: "object",
      properties: {
        name: { type: "wildcard" },
        size: { type: "long" },
        deep: { type: "object", properties: { x: { type: "double" } } },
      },
    },
  },
};

const SPACES = ["", "", "", "", " ", "\n", "\t ", "\r\n"];
const STRINGS = [
  "",
  "a",
  "b",
  "Ab",
  "a b",
  "é",
  "日本",
  "\\u0061",
  '\\"',
  "\\\\",
  "\\/",
  "\\ud83d\\ude00",
  "😀",
  "x".repeat(30),
  "true",
  "12",
  "null",
  "\\u0000",
  "\\n",
  "\\ud83d",
  "\\u000A\\u001f\\u001F",
];
const WHOLES = [
  "0",
  "-0",
  "1",
  "-1",
  "7",
  "12",
  "127",
  "-128",
  "1e2",
  "1E+1",
  "1.0",
  "32767",
  "2147483647",
  "9007199254740993",
  "-9223372036854775808",
  "9223372036854775807",
  '"5"',
  '"05"',
  "3.7",
];
const FRACTIONS = [
  "0",
  "-0.0",
  "0.1",
  "0.10",
  "1.0",
  "1",
  "1e3",
  "1.5e-7",
  "123456789.125",
  "65504",
  "3.4028235e38",
  '"0.5"',
  "100.0",
  "5e-324",
  "0.30000000000000004",
];
const DATES = [
  "1700000000123",
  "0",
  '"2024-02-29"',
  '"2024-02-29T10:20:30Z"',
  '"2024-02-29T10:20:30.123Z"',
  '"2024-02-29T10:20:30.120+00:00"',
  '"2024-02-29T10:20:30"',
  '"2024-02-29T10:20:30+02:00"',
  '"1969-12-31T23:59:59.999Z"',
  '"2024-02"',
  '"1700000000123"',
  '"0001-01-01T00:00:00Z"',
  "-1",
];
const DAYS = ['"2024-02-29"', "1700000000", '"1700000000"', '"0001-01-01"'];
const ADDRESSES = [
  '"10.0.0.1"',
  '"255.255.255.255"',
  '"::1"',
  '"2001:db8::1"',
  '"2001:DB8:0:0:0:0:0:1"',
  '"::ffff:10.0.0.1"',
  '"none"',
  '"1:0:0:2::"',
];
const BOOLEANS = ["true", "false", '"true"', '"false"', '""'];

/** Makes a document; most are valid for RANDOM_MAPPING, others are refused when they are written. */
export function randomJson(random: Chance): string {
  const pick = (list: readonly string[]) => list[random(list.length)];
  const space = () => pick(SPACES);
  const string = () => `"${Array.from({ length: random(3) }, () => pick(STRINGS)).join("")}"`;
  const listOf = (one: () => string) =>
    `[${space()}${Array.from({ length: random(4) }, one).join(`${space()},${space()}`)}${space()}]`;
  const sorted = (list: readonly string[]) => `[${list.filter(() => random(2) === 0).join(",")}]`;
  const some = (one: () => string) => (random(6) === 0 ? listOf(one) : random(12) === 0 ? "null" : one());
  const anything = (depth: number): string => {
    switch (random(depth > 3 ? 4 : 6)) {
      case 0:
        return string();
      case 1:
        return pick([...WHOLES, ...FRACTIONS]);
      case 2:
        return pick(["true", "false", "null"]);
      case 3:
        return pick(["[]", "{}", '{"":0}', "-0.0e-0"]);
      case 4:
        return listOf(() => anything(depth + 1));
      default:
        return `{"k${random(3)}"${space()}:${space()}${anything(depth + 1)}}`;
    }
  };
  const values: Record<string, () => string> = {
    tag: () => (random(8) === 0 ? sorted(['"a"', '"b"', '"c"']) : some(string)),
    lower: () => some(string),
    hidden: () => some(string),
    title: () => some(string),
    all: () => some(string),
    long: () => (random(8) === 0 ? sorted(["-5", "-1", "0", "3", "3", "10"]) : some(() => pick(WHOLES))),
    integer: () => some(() => pick(WHOLES)),
    short: () => some(() => pick(WHOLES)),
    byte: () => some(() => pick(WHOLES)),
    double: () => (random(8) === 0 ? sorted(["-1.5", "0", "0.25", "1"]) : some(() => pick(FRACTIONS))),
    float: () => some(() => pick(FRACTIONS)),
    half: () => some(() => pick(FRACTIONS)),
    flag: () => some(() => pick(BOOLEANS)),
    when: () => some(() => pick(DATES)),
    day: () => some(() => pick(DAYS)),
    address: () => some(() => pick(ADDRESSES)),
    shut: () => anything(0),
    inner: () =>
      some(() => `{${space()}"name":${some(string)},"deep":{"x":${pick(FRACTIONS)}},"more":${anything(2)}${space()}}`),
    "inner.size": () => pick(WHOLES),
    "\\u0074ag": string,
    unknown: () => anything(0),
  };
  const keys = Object.keys(values).filter(() => random(4) === 0);
  // Mostly in one order, so that shapes come again.
  if (random(4) === 0) keys.sort(() => random(3) - 1);
  const gap = random(3) === 0 ? space : () => "";
  const members = keys.map((key) => `${gap()}"${key}"${gap()}:${gap()}${values[key]()}${gap()}`);
  return `${gap()}{${members.join(",")}${gap()}}${gap()}`;
}
