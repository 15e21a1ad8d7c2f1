import { describe, expect, test } from "vitest";
import type { SymbolDeclaration } from "./model.js";
import { rankDefinitions } from "./rank-definitions.js";
import type { Receiver } from "./receiver.js";
import { meaningsOf } from "./resolve.js";
import type { ResolvedImport, Use, UseScope } from "./use.js";

const LANGUAGES: Record<string, string> = {
  ts: "typescript",
  py: "python",
  go: "go",
  java: "java",
  rs: "rust",
  c: "c",
  cc: "cpp",
  rb: "ruby",
};

/** `path#qualified.name:line` and a kind. */
function declared(
  place: string,
  kind: SymbolDeclaration["kind"] = "function",
  supers: string[] = [],
): SymbolDeclaration {
  const [, path, qualifiedName, line = "1"] = /^(.*)#([^:]*)(?::(\d+))?$/.exec(place)!;
  const startLine = Number(line);
  return {
    ...{
      repo: "r",
      path: path!,
      language: LANGUAGES[path!.split(".").at(-1)!]!,
      class: "source",
      blob: "b",
      kind,
      supers,
    },
    ...{ name: qualifiedName!.split(".").at(-1)!, qualifiedName: qualifiedName!, signature: "", span: "" },
    ...{ startLine, endLine: startLine, startByte: startLine, locator: place },
  };
}

function use(at: string, name: string, more: Partial<Use> = {}): Use {
  const [path, enclosing = ""] = at.split("#");
  const language = LANGUAGES[path!.split(".").at(-1)!]!;
  const file = { repo: "r", path: path!, language, class: "source" as const, blob: "b" };
  return { ...file, kind: "call", name, enclosing, receiver: { kind: "none" }, ...more };
}

const from = (
  path: string,
  name: string,
  alias = name,
  certainty: "exact" | "heuristic" = "exact",
): ResolvedImport => ({
  alias,
  name,
  isIn: (one) => (one.path === path ? certainty : undefined),
  isForeignTo: () => false,
});

const scope = (more: Partial<UseScope> = {}): UseScope => ({
  imports: [],
  isModule: true,
  containers: [],
  mayBind: () => false,
  typesOf: () => [],
  declaredAs: () => [],
  ...more,
});
const named = (name: string): Receiver => ({ kind: "name", name });

function meanings(used: Use, all: SymbolDeclaration[], known: Partial<UseScope> = {}): string[] {
  return meaningsOf(used, scope(known), all).map(({ declaration, certainty }) => `${certainty} ${declaration.locator}`);
}

describe("a bare name", () => {
  test("is the nearest declaration around it: nested before the file's", () => {
    const all = [
      declared("a.ts#run:1"),
      declared("a.ts#outer.run:5"),
      declared("a.ts#other.run:9"),
      declared("b.ts#run"),
    ];
    expect(meanings(use("a.ts#outer.inner", "run"), all)).toEqual(["exact a.ts#outer.run:5"]);
    expect(meanings(use("a.ts#third", "run"), all)).toEqual(["exact a.ts#run:1"]);
  });

  test("is what is imported under it, also by another name", () => {
    const all = [declared("b.ts#run"), declared("c.ts#run")];
    expect(meanings(use("a.ts#f", "run"), all, { imports: [from("b.ts", "run")] })).toEqual(["exact b.ts#run"]);
    expect(meanings(use("a.ts#f", "go"), all, { imports: [from("c.ts", "run", "go")] })).toEqual(["exact c.ts#run"]);
    expect(meanings(use("a.ts#f", "run"), all, { imports: [from("b.ts", "run", "run", "heuristic")] })).toEqual([
      "heuristic b.ts#run",
    ]);
  });

  test("is nothing that a module does not import, and may be a script's", () => {
    const all = [declared("b.ts#run")];
    expect(meanings(use("a.ts#f", "run"), all)).toEqual([]);
    expect(meanings(use("a.ts#f", "run"), all, { isModule: false })).toEqual(["heuristic b.ts#run"]);
  });

  test("is never a member of a type, nor of another language", () => {
    expect(meanings(use("a.py#f", "run"), [declared("a.py#A.run", "method"), declared("a.ts#run")])).toEqual([]);
  });

  test("is a guess where it may be bound, where it is declared twice, and where a star may bring it in", () => {
    const once = [declared("a.py#run:1")];
    expect(meanings(use("a.py#f", "run"), once)).toEqual(["exact a.py#run:1"]);
    expect(meanings(use("a.py#f", "run"), once, { mayBind: (name) => name === "run" })).toEqual([
      "heuristic a.py#run:1",
    ]);
    const star: ResolvedImport = { alias: "m::*", name: "*", isIn: () => undefined, isForeignTo: () => false };
    expect(meanings(use("a.py#f", "run"), once, { imports: [star] })).toEqual(["heuristic a.py#run:1"]);
    expect(meanings(use("a.py#f", "run"), [...once, declared("a.py#run:9")])).toEqual([
      "heuristic a.py#run:1",
      "heuristic a.py#run:9",
    ]);
  });

  test("of TypeScript with signatures before its body is one symbol", () => {
    const body = { ...declared("a.ts#run:2"), endLine: 9 };
    expect(meanings(use("a.ts#f", "run"), [declared("a.ts#run:1"), body])).toEqual(["exact a.ts#run:2"]);
  });

  test("of Go is the package's, whatever the file; build variants are guesses", () => {
    const all = [declared("p/a.go#run"), declared("q/a.go#run")];
    expect(meanings(use("p/b.go#f", "run"), all)).toEqual(["exact p/a.go#run"]);
    expect(meanings(use("p/b.go#f", "run"), [...all, declared("p/linux.go#run")])).toEqual([
      "heuristic p/a.go#run",
      "heuristic p/linux.go#run",
    ]);
  });

  test("of Rust crosses an inner module by use super::* alone", () => {
    const all = [declared("a.rs#run")];
    const containers = [declared("a.rs#tests", "module")];
    const above: ResolvedImport = { alias: "super::*", name: "*", isIn: () => undefined, isForeignTo: () => false };
    expect(meanings(use("a.rs#tests.works", "run"), all, { containers })).toEqual(["heuristic a.rs#run"]);
    expect(meanings(use("a.rs#tests.works", "run"), all, { containers, imports: [above] })).toEqual(["exact a.rs#run"]);
  });

  test("of C is the file's or an included header's, of C++ and Ruby always a guess", () => {
    expect(meanings(use("a.c#f", "run"), [declared("a.c#run"), declared("b.c#run")])).toEqual(["exact a.c#run"]);
    const header = {
      alias: "*",
      name: "*",
      isIn: (one: SymbolDeclaration) => (one.path === "h.c" ? ("exact" as const) : undefined),
      isForeignTo: () => false,
    };
    expect(meanings(use("a.c#f", "run"), [declared("h.c#run"), declared("b.c#run")], { imports: [header] })).toEqual([
      "exact h.c#run",
    ]);
    expect(meanings(use("a.cc#f", "run"), [declared("a.cc#run")])).toEqual(["heuristic a.cc#run"]);
    expect(meanings(use("a.rb#A.f", "run"), [declared("a.rb#A.run", "method")])).toEqual(["heuristic a.rb#A.run"]);
  });
});

describe("a name behind another", () => {
  const all = [
    declared("a.ts#A.run", "method"),
    declared("a.ts#B.run", "method"),
    declared("b.ts#run"),
    declared("b.ts#A.run", "method"),
  ];

  test("is a member of the type around it behind this", () => {
    expect(meanings(use("a.ts#A.go", "run", { receiver: { kind: "self" } }), all)).toEqual(["exact a.ts#A.run"]);
    expect(meanings(use("a.ts#C.go", "run", { receiver: { kind: "self" } }), all)).toHaveLength(3);
  });

  test("is what a named type or module has", () => {
    expect(meanings(use("a.ts#f", "run", { receiver: named("B") }), all)).toEqual(["exact a.ts#B.run"]);
    const imports = [from("b.ts", "", "lib")];
    expect(meanings(use("c.ts#f", "run", { receiver: named("lib") }), all, { imports })).toEqual(["exact b.ts#run"]);
    expect(meanings(use("c.ts#f", "run", { receiver: named("A") }), all, { imports: [from("b.ts", "A")] })).toEqual([
      "exact b.ts#A.run",
    ]);
  });

  test("is a guess behind a value, first the type that is named like it, and no function", () => {
    const found = meanings(use("c.ts#f", "run", { receiver: named("b") }), all);
    expect(found[0]).toBe("heuristic a.ts#B.run");
    expect(found).toHaveLength(3);
    expect(meanings(use("c.ts#f", "run", { receiver: { kind: "other" } }), all)).not.toContain("heuristic b.ts#run");
  });
});

test("of a value whose type is written beside it, that type's member is the likeliest", () => {
  const all = [
    declared("a.ts#A.run", "method"),
    declared("b.ts#B.run", "method"),
    declared("c.ts#Store.run", "method"),
  ];
  const known = { typesOf: (value: string) => (value === "db" ? ["Store"] : []) };
  const found = meanings(use("a.ts#f", "run", { receiver: named("db") }), all, known);
  expect([found[0], found.length]).toEqual(["heuristic c.ts#Store.run", 3]);
});

test("another repository is meant only where the own one has nothing of the name", () => {
  const here = declared("a.rb#A.run", "method");
  const there = { ...declared("b.rb#B.run", "method"), repo: "other" };
  expect(meanings(use("c.rb#f", "run"), [here, there])).toEqual(["heuristic a.rb#A.run"]);
  expect(meanings(use("c.rb#f", "run"), [there])).toEqual(["heuristic b.rb#B.run"]);
});

test("what the type around it does not declare is inherited, not the member of a type further out", () => {
  const self = { receiver: { kind: "self" as const } };
  const types = { containers: [declared("a.py#A", "class"), declared("a.py#A.make.In", "class")] };
  const outer = [declared("a.py#A.run", "method")];
  expect(meanings(use("a.py#A.make.In.go", "run", self), outer, types)).toEqual(["heuristic a.py#A.run"]);
  expect(meanings(use("a.py#A.make.nested", "run", self), outer, types)).toEqual(["exact a.py#A.run"]);
});

describe("Java", () => {
  test("methods are exact where nothing is inherited and nothing overloaded", () => {
    const one = [declared("p/A.java#A.run", "method")];
    const plain = { containers: [declared("p/A.java#A", "class")] };
    const heir = { containers: [declared("p/A.java#A", "class", ["Base"])] };
    expect(meanings(use("p/A.java#A.go", "run"), one, plain)).toEqual(["exact p/A.java#A.run"]);
    expect(meanings(use("p/A.java#A.go", "run"), one, heir)).toEqual(["heuristic p/A.java#A.run"]);
    expect(meanings(use("p/A.java#A.go", "run"), [...one, declared("p/A.java#A.run:7", "method")], plain)).toHaveLength(
      2,
    );
  });

  test("in a class without a name a bare name may be inherited, and beside one it may be that one's", () => {
    const types = { containers: [declared("p/A.java#A", "class")] };
    const outer = declared("p/A.java#A.help", "method");
    const inner = declared("p/A.java#A.make.help", "method");
    expect(meanings(use("p/A.java#A.make.run", "help"), [outer], types)).toEqual(["heuristic p/A.java#A.help"]);
    expect(meanings(use("p/A.java#A.make.run", "help"), [outer, inner], types)).toHaveLength(2);
    expect(meanings(use("p/A.java#A.make", "help"), [outer, inner], types)).toHaveLength(2);
    expect(meanings(use("p/A.java#A.go", "help"), [outer, inner], types)).toEqual(["exact p/A.java#A.help"]);
  });

  test("an inner class sees the methods of the class around it", () => {
    const types = { containers: [declared("p/A.java#A", "class"), declared("p/A.java#A.In", "class")] };
    expect(meanings(use("p/A.java#A.In.go", "help"), [declared("p/A.java#A.help", "method")], types)).toEqual([
      "exact p/A.java#A.help",
    ]);
  });

  test("types are the file's, the imported one, the package's", () => {
    const all = [declared("p/B.java#B", "class"), declared("q/B.java#B", "class")];
    const made = { kind: "instantiate" as const };
    expect(meanings(use("p/A.java#A.f", "B", made), all)).toEqual(["exact p/B.java#B"]);
    expect(meanings(use("p/A.java#A.f", "B", made), all, { imports: [from("q/B.java", "B")] })).toEqual([
      "exact q/B.java#B",
    ]);
  });
});

test("a name alone is exact when one declaration has it; source before tests, whole names before ends", () => {
  const all = [declared("t.ts#Store.run:1", "method"), declared("a.ts#Store.run:2", "method")];
  const [test] = [{ ...all[0]!, class: "test" as const }];
  const found = rankDefinitions("Store::run", [test, all[1]!, declared("b.ts#Other.run", "method")]);
  expect(found.map(({ declaration, certainty }) => `${certainty} ${declaration.locator}`)).toEqual([
    "heuristic a.ts#Store.run:2",
    "heuristic t.ts#Store.run:1",
  ]);
  expect(rankDefinitions("run", [all[1]!])[0]!.certainty).toBe("exact");
});
