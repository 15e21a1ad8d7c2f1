import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { setJsonEntry } from "./edit-json.js";

const entry = { command: "pinakes", args: ["mcp"] };
const set = (text: string | undefined) => setJsonEntry({ file: "x.json", text, path: ["servers", "pinakes"], entry });

describe("an entry set in JSON", () => {
  it("makes a file where there is none, or an empty one", () => {
    const text =
      '{\n  "servers": {\n    "pinakes": {\n      "command": "pinakes",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n';
    expect(set(undefined)).toBe(text);
    expect(set(" \n")).toBe(text);
  });

  it("keeps comments, other keys, their order, trailing commas and the layout", () => {
    const text =
      '// mine\n{\n\t"theme": "dark", /* why */\n\t"servers": {\n\t\t"other": { "command": "x" },\n\t},\n}\n';
    const after = set(text);
    for (const kept of ["// mine", "/* why */", '\t"theme": "dark",', '\t\t"other": { "command": "x" },'])
      expect(after).toContain(kept);
    expect(parse(after, [], { allowTrailingComma: true })).toEqual({
      theme: "dark",
      servers: { other: { command: "x" }, pinakes: entry },
    });
  });

  it.each([
    ['{"a": 1}', '{"a": 1, "servers": {"pinakes":{"command":"pinakes","args":["mcp"]}}}'],
    ['{\n  "a": 1 // why\n}', '{\n  "a": 1, // why\n  "servers": {'],
    ['{\n    "servers": {}\n}', '{\n    "servers": {\n        "pinakes": {\n            "command"'],
    ["{\n  // none yet\n}\n", '{\n  // none yet\n  "servers": {'],
  ])("is put into %j where a person would put it", (text, beginning) => {
    expect(set(text).startsWith(beginning)).toBe(true);
    expect(parse(set(text))).toMatchObject({ servers: { pinakes: entry } });
  });

  it("changes nothing the second time, whatever the layout", () => {
    for (const text of [undefined, "{}", '{"a":1}', '{\r\n  "a": 1\r\n}\r\n', '\uFEFF{ "servers": {} }']) {
      const once = set(text);
      expect(set(once)).toBe(once);
    }
  });

  it("keeps line ends and a byte order mark", () => {
    expect(set('\uFEFF{\r\n  "a": 1\r\n}\r\n').replace(/\r\n/g, "")).not.toContain("\n");
    expect(set('\uFEFF{"a": 1}')).toMatch(/^\uFEFF\{/);
  });

  it("brings an entry up to date and leaves its other keys", () => {
    const after = set('{"servers": {"pinakes": {"command": "old", "args": ["mcp"], "env": {"A": "1"}}}}');
    expect(parse(after)).toEqual({ servers: { pinakes: { ...entry, env: { A: "1" } } } });
  });

  it.each([
    [
      '{\n  "a": 1,\n  "b": \n}',
      /x\.json: it is no valid JSON \(ValueExpected at line 4, column 1\); nothing was written/,
    ],
    ["[]", /no JSON object/],
    ["{} {}", /no valid JSON/],
    ['{"servers": {}, "servers": {"pinakes": {}}}', /"servers" stands in it twice: take one away/],
    ['{"servers": {"pinakes": {"args": [], "args": []}}}', /"servers\.pinakes\.args" stands in it twice/],
    ['{"servers": []}', /"servers" is no object/],
    ['{"servers": {"pinakes": "x"}}', /"servers\.pinakes" is no object/],
  ])("is refused in %j", (text, reason) => {
    expect(() => set(text)).toThrow(reason);
  });
});
