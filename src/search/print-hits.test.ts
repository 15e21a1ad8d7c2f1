import { describe, expect, test } from "vitest";
import type { FileHit } from "../../code/index.js";
import { type Asked, readAsked } from "./asked.js";
import { hitPrinter } from "./print-hits.js";
import type { ShownHit } from "./shown-hit.js";
import { type ShownLine, withContext } from "./shown-lines.js";

const line = (number: number, text: string, ranges: [number, number][] = []): ShownLine => {
  return { line: number, text, ranges, cutBytes: 0, isContext: ranges.length === 0 };
};

function file(path: string, lines: ShownLine[], more: Partial<ShownHit> = {}): ShownHit {
  const about = {
    id: path,
    score: undefined,
    repo: "r",
    language: "go",
    class: "source",
    blob: "b",
    sort: [],
  } as const;
  const hit: FileHit = { type: "file", ...about, path, lines: { total: lines.length, lines: [] } };
  return { hit, path, note: "", lines, total: lines.filter(({ isContext }) => !isContext).length, ...more };
}

function printed(options: Record<string, string | boolean>, hits: ShownHit[]): string {
  const asked: Asked = readAsked({ args: ["/x/"], options }, {});
  const printer = hitPrinter(asked);
  return (
    hits.map((hit) => printer.hit(hit)).join("") + printer.end({ hits: 1, total: 1, totalIs: "exact", warnings: [] })
  );
}

const A = file("a.go", [line(2, "xa", [[0, 1]]), line(9, "ax", [[1, 2]])]);
const B = file("b.go", [line(1, "x", [[0, 1]])], { note: "unverified" });

describe("hits are printed", () => {
  test("as grep does, with what is to be said at the last line of a hit", () => {
    expect(printed({}, [A, B])).toBe("a.go:2:xa\na.go:9:ax\nb.go:1:x  (unverified)\n");
  });

  test("under the path of each file", () => {
    expect(printed({ heading: true }, [A, B])).toBe("a.go\n2:xa\n9:ax\n\nb.go\n1:x  (unverified)\n");
  });

  test("with lines around, and a mark where lines are left out", () => {
    const around = file("a.go", [line(1, "-"), line(2, "xa", [[0, 1]]), line(9, "ax", [[1, 2]])]);
    expect(printed({ context: "1" }, [around])).toBe("a.go-1--\na.go:2:xa\n--\na.go:9:ax\n");
  });

  test("in colours, matches among them, a letter of several bytes as one", () => {
    const shown = printed({ color: "always" }, [file("a.go", [line(1, "éxé", [[2, 3]])])]);
    expect(shown).toContain("é\u001b[1m\u001b[31mx\u001b[0mé");
    expect(shown.startsWith("\u001b[35ma.go\u001b[0m")).toBe(true);
  });

  test("without control characters, and with what is left out of a long line", () => {
    const long = { ...line(1, "\u001bx", [[1, 2]]), cutBytes: 7 };
    expect(printed({}, [file("a.go", [long])])).toBe("a.go:1:\\x1bx ... (+7 bytes)\n");
  });

  test("as paths, each once, and as counts", () => {
    expect(printed({ filesWithMatches: true }, [A, B, A])).toBe("a.go\nb.go\n");
    expect(printed({ count: true }, [A, B])).toBe("a.go:2\nb.go:1\n");
  });

  test("by path alone where no line is to be shown", () => {
    expect(printed({}, [file("a.go", [])])).toBe("a.go\n");
  });

  test("as JSON, one object a line, a summary last", () => {
    const [hit, summary] = printed({ json: true }, [A])
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(hit).toMatchObject({ type: "file", path: "a.go", state: "exact", total: 2 });
    expect(hit.lines).toEqual([
      { line: 2, text: "xa", ranges: [[0, 1]] },
      { line: 9, text: "ax", ranges: [[1, 2]] },
    ]);
    expect(summary).toEqual({ type: "summary", hits: 1, total: 1, total_is: "exact", warnings: [] });
  });
});

describe("arguments", () => {
  const asked = (args: string[], options: Record<string, string | boolean> = {}) => readAsked({ args, options }, {});

  test("of grep are words of the query", () => {
    expect(asked(["a", "b"], { ignoreCase: true, wordRegexp: true }).text).toBe("a b case:no word:yes");
    expect(asked(['say "x" \\', "lang:go"], { fixedStrings: true }).query.terms).toMatchObject([
      { type: "literal", text: 'say "x" \\' },
      { key: "lang" },
    ]);
  });

  test("say how many hits there are", () => {
    expect(asked(["x"]).limit).toBe(10);
    expect(asked(["/x/"]).limit).toBe(100);
    expect(asked(["/x/"], { count: true }).limit).toBeUndefined();
    expect(asked(["x"], { limit: "3" }).limit).toBe(3);
    expect(() => asked(["x"], { limit: "0" })).toThrow(/--limit takes a whole number from 1/);
  });

  test("that exclude one another, or mean nothing, are refused", () => {
    expect(() => asked(["x"], { count: true, json: true })).toThrow(/exclude one another/);
    expect(() => asked(["x"], { color: "red" })).toThrow(/--color takes auto, always or never/);
    expect(() => asked(["x class:tests"])).toThrow(/did you mean test\?.*\n {2}x class:tests\n {10}\^/);
  });

  test("choose colours and headings by the terminal, unless told", () => {
    const on = (options: Record<string, string | boolean>) => readAsked({ args: ["x"], options }, { isTTY: true });
    expect(on({})).toMatchObject({ layout: "heading" });
    expect(on({ heading: false, color: "never" })).toMatchObject({ layout: "path on each line", color: false });
    expect(asked(["x"])).toMatchObject({ layout: "path on each line", color: false });
  });
});

test("lines around are given once, in order, and end with the text", () => {
  const found = [line(2, "b", [[0, 1]]), line(4, "d", [[0, 1]])];
  const text = { lines: ["a\r", "b", "c", "d"], firstLine: 1 };
  expect(withContext(found, text, { before: 1, after: 1 }).map(({ line: at, text: shown }) => [at, shown])).toEqual([
    [1, "a"],
    [2, "b"],
    [3, "c"],
    [4, "d"],
  ]);
});
