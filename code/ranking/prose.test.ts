import { describe, expect, test } from "vitest";
import { readProse } from "./prose.js";

describe("words", () => {
  test("of the first line are the title; function words and those of a report's form are left out", () => {
    const prose = readProse("Where is the retryDelay computed?\nSteps to reproduce: run the worker twice, worker dies");
    expect(prose.title).toEqual(["retry", "delay", "computed"]);
    expect(prose.body).toEqual(["worker", "run", "twice", "dies"]);
  });

  test("that stand side by side are kept as they are written", () => {
    expect(readProse("failed to lookup view").pairs).toEqual(["failed to", "to lookup", "lookup view"]);
  });

  test("of addresses and of comments in a template are no words", () => {
    expect(readProse("see https://example.org/widget <!-- tick the box --> please socket").title).toEqual(["socket"]);
  });
});

test("names are what is written as code, what stands in backticks first", () => {
  const { names } = readProse("The `send` method of HttpServer calls parse_args, session.mount and flush() twice");
  expect(names).toEqual(["send", "HttpServer", "parse_args", "flush", "session", "mount"]);
});

describe("stack traces", () => {
  test.each([
    [
      "Python",
      'File "/x/site-packages/app/a.py", line 3, in outer\n  File "/x/site-packages/app/b.py", line 9, in inner',
      ["inner", "outer"],
      ["app/b.py", "app/a.py"],
    ],
    [
      "JavaScript",
      "at inner (/x/node_modules/app/b.js:3:4)\n    at Foo.outer (/x/node_modules/app/a.js:5:6)",
      ["inner", "outer"],
      ["app/b.js", "app/a.js"],
    ],
    [
      "Java",
      "at com.acme.Inner.run(Inner.java:3)\n\tat com.acme.Outer.start(Outer.java:9)",
      ["run", "start"],
      ["com/acme/Inner.java", "com/acme/Outer.java"],
    ],
    ["Ruby", "lib/b.rb:3:in `block in inner'\nlib/a.rb:9:in `outer'", ["inner", "outer"], ["lib/b.rb", "lib/a.rb"]],
    ["Go", "acme.(*Engine).serve(0xc000)\n\t/go/src/acme/engine.go:620 +0x66e", ["serve"], ["go/src/acme/engine.go"]],
    ["C", "/usr/bin/server(lookupKey+0x3a)[0x55d0]", ["lookupKey"], []],
  ])("of %s give frames and paths, the innermost first", (_language, text, frames, paths) => {
    const prose = readProse(text);
    expect(prose.frames).toEqual(frames);
    expect(prose.paths.slice(0, paths.length)).toEqual(paths);
  });
});

describe("places", () => {
  test("are lines of files by each end that the path may have, the innermost first, each once", () => {
    const text =
      "at inner (/home/ada/shop/src/b.ts:3:4)\n at outer (src/a.ts:5:6)\n at inner (/home/ada/shop/src/b.ts:3:4)";
    expect(readProse(text).places).toEqual([
      {
        paths: ["home/ada/shop/src/b.ts", "ada/shop/src/b.ts", "shop/src/b.ts", "src/b.ts", "b.ts"],
        line: 3,
        name: "inner",
      },
      { paths: ["src/a.ts", "a.ts"], line: 5, name: "outer" },
    ]);
  });

  test("of installed packages begin with the package", () => {
    expect(readProse('File "/x/lib/site-packages/app/a.py", line 3, in f').places).toEqual([
      { paths: ["app/a.py", "a.py"], line: 3, name: "f" },
    ]);
  });
});

test("paths are told from abbreviations and names with a dot", () => {
  expect(readProse("in requests/sessions.py and conf.yaml, e.g. os.path, i.e. version 2.4.3").paths).toEqual([
    "requests/sessions.py",
    "conf.yaml",
  ]);
});

test("a text of any length is read in time that grows with it alone", () => {
  const long = `${"at a.b.c(".repeat(3000)}\n${'File "'.repeat(3000)}\n${"a/".repeat(20_000)}`;
  expect(readProse(long).title.length).toBeLessThanOrEqual(30);
});
