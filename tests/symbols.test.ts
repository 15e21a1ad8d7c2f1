import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../client/index.js";
import { INDEX, type SymbolDeclaration } from "../code/index.js";
import {
  dependentsOf,
  findCallees,
  findCallers,
  findDefinitions,
  findFile,
  findImplementations,
  findReferences,
  importsOfFile,
  openSymbolGraph,
  runMap,
  runSymbol,
  type SymbolArguments,
  type SymbolGraph,
} from "../mcp/index.js";
import { ROOT } from "./import-graph.js";
import { pinakes, removeFolder, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

/** Kept with a second ending, so that no tool of this project takes the files for its own. */
const FIXTURE = path.join(ROOT, "tests/fixtures/polyglot");

let node: TestNode;
let client: Client;
const project = temporaryFolder("symbols");

function place(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const inside = path.join(from, entry.name);
    if (entry.isDirectory()) place(inside, path.join(to, entry.name));
    else cpSync(inside, path.join(to, entry.name.replace(/\.txt$/, "")));
  }
}

beforeAll(async () => {
  place(FIXTURE, project);
  node = await startTestNode();
  client = new Client({ url: node.url });
  expect(await pinakes(["autoindex", project, "--url", node.url])).toMatchObject({ status: 0 });
}, 120_000);
afterAll(async () => {
  client.close();
  await node.stop();
  removeFolder(node.dataFolder);
  removeFolder(project);
});

/** Without re-indexing, as a program sees it that has no extractor. */
const open = () => openSymbolGraph({ client });

/** The declarations of a file and name, all that are one symbol. */
async function symbols(graph: SymbolGraph, file: string, name: string): Promise<SymbolDeclaration[]> {
  const { meanings } = await findDefinitions(graph, name);
  const found = meanings.map(({ declaration }) => declaration).filter((one) => one.path === file);
  expect(found, `${name} in ${file}`).not.toEqual([]);
  return found;
}

const named = ({ path: file, qualifiedName }: SymbolDeclaration) => `${file}#${qualifiedName}`;

async function callees(file: string, name: string): Promise<string[]> {
  const graph = await open();
  const { edges } = await findCallees(graph, await symbols(graph, file, name), 1);
  return edges.map(({ node: { declaration }, certainty }) => `${certainty} ${named(declaration!)}`).sort();
}

async function callers(file: string, name: string): Promise<string[]> {
  const graph = await open();
  const { edges } = await findCallers(graph, await symbols(graph, file, name), 1);
  return edges
    .map(
      ({ node: found, certainty }) =>
        `${certainty} ${named(found.declaration ?? ({ ...found.file, qualifiedName: "" } as SymbolDeclaration))}`,
    )
    .sort();
}

async function heirs(file: string, name: string): Promise<string[]> {
  const graph = await open();
  const found = await findImplementations(graph, await symbols(graph, file, name));
  return found.heirs.map(({ declaration, certainty, depth }) => `${certainty} ${depth} ${named(declaration)}`).sort();
}

describe("what the documents of a file say", () => {
  async function document(index: string, file: string, name?: string): Promise<Record<string, unknown>> {
    const filter = [{ term: { path: file } }, ...(name === undefined ? [] : [{ term: { qualified_name: name } }])];
    const body = { query: { bool: { filter } }, size: 1 };
    const answer = await client.json<{ hits: { hits: { _source: Record<string, unknown> }[] } }>(
      "POST",
      `/${index}/_search`,
      body,
    );
    return answer.hits.hits[0]!._source;
  }

  it("names the modules that it imports, not what it takes out of them", async () => {
    expect((await document(INDEX.files, "ts/main.ts")).imports).toEqual(["./index.js", "./store.js"]);
    expect((await document(INDEX.files, "py/pkg/use.py")).imports).toEqual([".shapes", "pkg"]);
    expect((await document(INDEX.files, "rust/src/lib.rs")).imports).toEqual(["crate::codec"]);
    expect((await document(INDEX.files, "go/main.go")).imports).toEqual(["example.com/app/store"]);
    expect((await document(INDEX.files, "ts/other.ts")).imports).toBeUndefined();
  });

  it("has what each declaration calls by its own text, and what a type inherits", async () => {
    expect(await document(INDEX.declarations, "ts/store.ts", "Store.read")).toMatchObject({
      calls: ["fallback", "find"],
    });
    const store = await document(INDEX.declarations, "ts/store.ts", "Store");
    expect([store.calls, store.supers]).toEqual([undefined, ["Reader"]]);
    expect(await document(INDEX.declarations, "rust/src/lib.rs", "Dog")).toMatchObject({ supers: ["Speak"] });
    expect(await document(INDEX.declarations, "rb/dog.rb", "Dog")).toMatchObject({ supers: ["Animal"] });
  });

  it("answers a plain term query for who calls a name", async () => {
    const body = { query: { term: { calls: "encode" } }, sort: [{ start_line: "asc" }], _source: ["qualified_name"] };
    const answer = await client.json<{ hits: { hits: { _source: unknown }[] } }>(
      "POST",
      `/${INDEX.declarations}/_search`,
      body,
    );
    expect(answer.hits.hits.map((hit) => hit._source)).toEqual([
      { qualified_name: "Dog.bark" },
      { qualified_name: "run" },
    ]);
  });
});

describe("what each declaration calls", () => {
  it.each<[string, string, string[]]>([
    ["ts/store.ts", "Store.read", ["exact ts/store.ts#Store.find", "exact ts/store.ts#fallback"]],
    ["ts/store.ts", "Store.find", ["exact ts/store.ts#normalize"]],
    ["ts/cached.ts", "Cached.read", ["exact ts/store.ts#normalize"]],
    // A parameter of that name is called.
    ["ts/cached.ts", "local", []],
    [
      "ts/main.ts",
      "main",
      ["exact ts/cached.ts#Cached", "exact ts/store.ts#normalize", "heuristic ts/cached.ts#Cached.read"],
    ],
    ["ts/other.ts", "twice", ["exact ts/other.ts#normalize"]],
    ["ts/cycle.ts", "pong", ["exact ts/cycle.ts#ping", "exact ts/cycle.ts#self"]],
    ["py/pkg/shapes.py", "Shape.area", ["exact py/pkg/shapes.py#Shape.scale"]],
    ["py/pkg/shapes.py", "Shape.scale", ["exact py/pkg/shapes.py#helper"]],
    ["py/pkg/use.py", "build", ["exact py/pkg/shapes.py#Square"]],
    ["py/pkg/use.py", "through_module", ["exact py/pkg/shapes.py#helper"]],
    ["py/pkg/use.py", "through_package", ["exact py/pkg/shapes.py#Shape"]],
    ["py/pkg/use.py", "unknown", ["heuristic py/pkg/shapes.py#Shape.area"]],
    ["go/main.go", "main", ["exact go/store/store.go#Open", "heuristic go/store/store.go#Mem.Get"]],
    ["go/store/store.go", "Mem.Get", ["exact go/store/store.go#Mem.load"]],
    ["go/store/store.go", "Mem.load", ["exact go/store/clean.go#clean"]],
    ["java/app/Circle.java", "Circle.area", ["exact java/app/Numbers.java#Numbers.square"]],
    ["java/app/Numbers.java", "Numbers.square", ["exact java/app/Numbers.java#Numbers.check"]],
    // Two overloads: which one is meant is for a compiler to say.
    ["java/app/Numbers.java", "Numbers.check", ["heuristic java/app/Numbers.java#Numbers.log"]],
    ["java/app/Numbers.java", "Numbers.make", ["exact java/app/Circle.java#Circle"]],
    ["rust/src/lib.rs", "Dog.bark", ["exact rust/src/codec.rs#encode"]],
    ["rust/src/lib.rs", "Dog.speak", ["exact rust/src/lib.rs#Dog.bark"]],
    ["rust/src/lib.rs", "run", ["exact rust/src/codec.rs#decode", "exact rust/src/codec.rs#encode"]],
    ["rust/src/lib.rs", "tests.works", ["exact rust/src/lib.rs#run"]],
    ["c/util.c", "twofold", ["exact c/util.c#halve"]],
    ["c/main.c", "main", ["exact c/util.h#twofold"]],
    ["rb/dog.rb", "Dog.bark", ["heuristic rb/animal.rb#Animal.sound_of"]],
    ["rb/dog.rb", "Dog.speak", ["heuristic rb/animal.rb#Animal", "heuristic rb/dog.rb#Dog.bark"]],
  ])("%s %s", async (file, name, expected) => {
    expect(await callees(file, name)).toEqual(expected);
  });

  it("names what nothing here declares", async () => {
    const graph = await open();
    expect((await findCallees(graph, await symbols(graph, "go/main.go", "main"), 1)).external).toEqual(["println"]);
  });
});

describe("what calls a declaration", () => {
  it.each<[string, string, string[]]>([
    [
      "ts/store.ts",
      "normalize",
      [
        "exact ts/cached.ts#Cached.read",
        "exact ts/main.ts#main",
        "exact ts/store.test.ts#normalize trims",
        "exact ts/store.ts#Store.find",
        "exact ts/store.ts#normalize",
      ],
    ],
    ["ts/other.ts", "normalize", ["exact ts/other.ts#twice"]],
    ["py/pkg/shapes.py", "helper", ["exact py/pkg/shapes.py#Shape.scale", "exact py/pkg/use.py#through_module"]],
    ["go/store/store.go", "Open", ["exact go/main.go#main"]],
    ["rust/src/codec.rs", "decode", ["exact rust/src/lib.rs#run"]],
    ["c/util.h", "twofold", ["exact c/main.c#main"]],
    ["rb/animal.rb", "Animal.sound_of", ["heuristic rb/animal.rb#Animal.speak", "heuristic rb/dog.rb#Dog.bark"]],
  ])("%s %s", async (file, name, expected) => {
    expect(await callers(file, name)).toEqual(expected);
  });

  it("goes round a cycle once", async () => {
    const graph = await open();
    const { edges } = await findCallers(graph, await symbols(graph, "ts/cycle.ts", "ping"), 20);
    expect(edges.map(({ node: found, depth, isRepeated }) => [found.declaration!.name, depth, isRepeated])).toEqual([
      ["pong", 1, false],
      ["ping", 2, true],
    ]);
  });

  it("follows as many steps as it was asked for, and no more", async () => {
    const graph = await open();
    const found = await findCallers(graph, await symbols(graph, "ts/chain.ts", "step29"), 20);
    expect(found.edges.map(({ depth }) => depth)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect(found.edges.at(-1)!.node.declaration!.name).toBe("step9");
    const few = await findCallers(graph, await symbols(graph, "ts/chain.ts", "step29"), 3);
    expect(few.edges).toHaveLength(3);
  });
});

describe("what implements a type", () => {
  it.each<[string, string, string[]]>([
    ["ts/store.ts", "Reader", ["exact 1 ts/store.ts#Store", "exact 2 ts/cached.ts#Cached"]],
    ["ts/store.ts", "Reader.read", ["exact 1 ts/store.ts#Store.read", "exact 2 ts/cached.ts#Cached.read"]],
    ["py/pkg/shapes.py", "Shape", ["exact 1 py/pkg/shapes.py#Square", "exact 2 py/pkg/shapes.py#Tile"]],
    ["go/store/store.go", "Getter", ["heuristic 1 go/store/store.go#Mem"]],
    ["java/app/Shape.java", "Shape", ["exact 1 java/app/Circle.java#Circle"]],
    ["rust/src/lib.rs", "Speak", ["exact 1 rust/src/lib.rs#Dog"]],
    ["rb/animal.rb", "Animal", ["heuristic 1 rb/dog.rb#Dog"]],
  ])("%s %s", async (file, name, expected) => {
    expect(await heirs(file, name)).toEqual(expected);
  });
});

describe("what a file imports, and what imports it", () => {
  async function imports(file: string): Promise<string[]> {
    const graph = await open();
    const found = await importsOfFile(graph, await findFile(graph, file, {}));
    return found.map(
      ({ module, files }) => `${module}: ${files.map((one) => `${one.certainty} ${one.path}`).join(", ")}`,
    );
  }
  async function dependents(file: string): Promise<string[]> {
    const graph = await open();
    const found = await dependentsOf(graph, await findFile(graph, file, {}));
    return found.map(({ file: importer, certainty }) => `${certainty} ${importer.path}`);
  }

  it.each<[string, string[]]>([
    ["ts/main.ts", ["./index.js: exact ts/index.ts", "./store.js: exact ts/store.ts"]],
    ["py/pkg/use.py", [".shapes: exact py/pkg/shapes.py", "pkg: exact py/pkg/__init__.py"]],
    ["go/main.go", ["example.com/app/store: exact go/store/clean.go, exact go/store/store.go"]],
    ["c/util.c", ["util.h: exact c/util.h"]],
    ["rb/dog.rb", ["./animal: exact rb/animal.rb"]],
    ["rust/src/lib.rs", ["crate::codec: exact rust/src/codec.rs"]],
  ])("%s imports", async (file, expected) => {
    expect((await imports(file)).filter((line) => !line.startsWith("super"))).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ["ts/store.ts", ["exact ts/cached.ts", "exact ts/index.ts", "exact ts/main.ts", "exact ts/store.test.ts"]],
    ["ts/index.ts", ["exact ts/main.ts"]],
    ["py/pkg/shapes.py", ["exact py/pkg/__init__.py", "exact py/pkg/use.py"]],
    ["go/store/clean.go", ["exact go/main.go"]],
    ["c/util.h", ["exact c/main.c", "exact c/util.c"]],
    ["rb/animal.rb", ["exact rb/dog.rb"]],
    ["rust/src/codec.rs", ["exact rust/src/lib.rs"]],
  ])("%s is imported by", async (file, expected) => {
    expect(await dependents(file)).toEqual(expected);
  });
});

describe("go to definition", () => {
  async function definitions(asked: string): Promise<string[]> {
    const { meanings } = await findDefinitions(await open(), asked);
    return meanings.map(({ declaration, certainty }) => `${certainty} ${named(declaration)}:${declaration.startLine}`);
  }

  it("of a name is every declaration of it, of a qualified one those of its container", async () => {
    expect((await definitions("normalize")).sort()).toEqual([
      "heuristic ts/other.ts#normalize:1",
      "heuristic ts/store.ts#normalize:15",
      "heuristic ts/store.ts#normalize:16",
    ]);
    expect(await definitions("Dog.bark")).toHaveLength(2);
    expect(await definitions("Numbers::square")).toEqual(["exact java/app/Numbers.java#Numbers.square:4"]);
  });

  it("of a place is what is used there", async () => {
    expect(await definitions("ts/main.ts:6:10")).toEqual(["exact ts/store.ts#normalize:16"]);
    expect(await definitions("ts/main.ts:6:27")).toEqual([
      "heuristic ts/cached.ts#Cached.read:4",
      "heuristic ts/store.ts#Reader.read:2",
      "heuristic ts/store.ts#Store.read:6",
    ]);
    expect(await definitions("ts/main.ts:6:48")).toEqual(["exact ts/store.ts#normalize:16"]);
    expect(await definitions("ts/main.ts:6:42")).toEqual([]);
    // A type is in no reference; its import says what it is.
    expect(await definitions("ts/cached.ts:3:31")).toEqual(["exact ts/store.ts#Store:5"]);
  });

  it("of a line is what is declared there, else all that is used", async () => {
    expect(await definitions("ts/store.ts:10")).toEqual(["exact ts/store.ts#Store.find:10"]);
    expect(await definitions("go/main.go:6")).toEqual(["exact go/store/store.go#Open:17"]);
    // A parameter of the name: what is declared outside is a guess at most.
    expect(await definitions("go/store/clean.go:8:9")).toEqual(["heuristic go/store/clean.go#clean:3"]);
  });

  it("says which file it does not know", async () => {
    await expect(definitions("ts/missing.ts:1")).rejects.toThrow(/ts\/missing\.ts is not in the index/);
  });
});

describe("references", () => {
  it("come by file, with the lines as they are, and lines that only mention the name beside them", async () => {
    const graph = await open();
    const { files, mentions, others } = await findReferences(graph, await symbols(graph, "ts/store.ts", "normalize"));
    const lines = files.flatMap(({ file, lines: own }) =>
      own.map(({ line, certainty }) => `${certainty} ${file.path}:${line}`),
    );
    expect(lines.sort()).toEqual([
      "exact ts/cached.ts:1",
      "exact ts/cached.ts:5",
      "exact ts/index.ts:1",
      "exact ts/main.ts:1",
      "exact ts/main.ts:6",
      "exact ts/store.test.ts:1",
      "exact ts/store.test.ts:4",
      "exact ts/store.ts:11",
      "exact ts/store.ts:17",
    ]);
    const texts = mentions.files.flatMap(({ file, lines: own }) => own.map(({ line }) => `${file.path}:${line}`));
    // A comment, a parameter, a test's title, and the other function of the name with its call.
    expect(texts.sort()).toEqual(
      [
        "ts/cached.ts:10",
        "ts/cached.ts:11",
        "ts/cached.ts:9",
        "ts/other.ts:1",
        "ts/other.ts:6",
        "ts/store.test.ts:3",
      ].sort(),
    );
    expect(mentions.lines).toBe(6);
    expect(others).toBe(2);
  });
});

describe("the tool symbol", () => {
  const symbol = (name: string, more: Partial<SymbolArguments> = {}) =>
    runSymbol({ client }, { name, from: 0, depth: 1, max_tokens: 2_000, ...more });

  it("gives the definition, what calls it, what it calls and the tests in one answer", async () => {
    const text = await symbol("ts/store.ts:16");
    expect(text).toMatch(/^ts\/store\.ts:16-18#normalize@[0-9a-f]{12}~[0-9a-f]{12} function\n/);
    expect(text).toContain("16: export function normalize(key: string, deep?: boolean): string {\n17:   return deep ?");
    expect(text).toContain("  ts/main.ts:4: export function main(): string (exact; at 6)\n");
    expect(text).toContain("tests that mention it: 1\n  ts/store.test.ts:4: normalize trims (exact)\n");
  });

  it("takes a path below the repository's name, and so do the map and an absolute one", async () => {
    const repo = path.basename(project);
    expect(await symbol(`${repo}/ts/store.ts:16`)).toBe(await symbol("ts/store.ts:16"));
    await expect(symbol(`${repo}/ts/nowhere.ts:16`)).rejects.toThrow(/nowhere\.ts is not in the index/);
    const map = (scope: object) => runMap({ client }, { ...scope, from: 0, max_tokens: 4000 });
    const wanted = await map({ repo, path: "ts" });
    for (const given of ["ts", "ts/", "./ts"]) {
      expect(await map({ path: path.join(project, given) })).toBe(wanted);
      expect(await map({ repo, path: path.join(project, given) })).toBe(wanted);
    }
    expect(await map({ path: project })).toBe(await map({ repo }));
    await expect(map({ path: "/nowhere/at/all" })).rejects.toThrow(/nothing at .*nowhere\/at\/all is in the index/);
  });

  it("degrades the body to the signature, with the call that shows it", async () => {
    const text = await symbol("Store", { max_tokens: 130 });
    expect(text).toContain("  export class Store implements Reader\n");
    expect(text).not.toContain("fallback(key)");
    const next = /body of 9 lines: symbol\((\{.*\})\)/.exec(text)?.[1] ?? "";
    expect(await symbol("", { ...JSON.parse(next), max_tokens: 300 })).toContain(
      "7:     return this.find(key) ?? fallback(key);",
    );
  });

  it("never exceeds its budget, and its continuations give every item once and in order", async () => {
    const names = ["normalize", "Store", "ping", "read", "Shape", "encode", "main", "step9", "nothing_of_this_name"];
    const sections = ["others", "callers", "callees", "implementations", "tests", "references"] as const;
    const cases = fc.record({
      name: fc.constantFrom(...names),
      section: fc.option(fc.constantFrom(...sections), { nil: undefined }),
      depth: fc.integer({ min: 1, max: 4 }),
      max_tokens: fc.integer({ min: 100, max: 700 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async (asked) => {
        const text = await symbol("", asked);
        expect(Math.ceil(Buffer.byteLength(text) / 3) + 14).toBeLessThanOrEqual(asked.max_tokens);
        if (asked.section === undefined) return;
        const whole = itemsOf(await symbol("", { ...asked, max_tokens: 50_000 }));
        const seen = itemsOf(text);
        for (let page = text; ; ) {
          const next = /next: symbol\((\{.*\})\)\n$/.exec(page)?.[1];
          if (next === undefined) break;
          page = await symbol("", JSON.parse(next) as Partial<SymbolArguments>);
          expect(itemsOf(page).length).toBeGreaterThan(0);
          seen.push(...itemsOf(page));
        }
        expect(seen.map(uncut)).toEqual(
          whole.map((item, at) => uncut(seen[at]!.includes(" ... (+") ? cutLike(item, seen[at]!) : item)),
        );
      }),
      // Here the call that shows the rest is longest after the first item.
      { numRuns: 40, examples: [[{ name: "read", section: "callees" as const, depth: 2, max_tokens: 100 }]] },
    );
  }, 120_000);

  function itemsOf(text: string): string[] {
    return text.split("\n").filter((line) => line.startsWith("  ") && !/^ {2}\d+ more/.test(line));
  }
  const uncut = (item: string) => item.replace(/ \.\.\. \(\+\d+ bytes\)$/, "");
  const cutLike = (item: string, cut: string) => item.slice(0, uncut(cut).length);
});

describe("the command line", () => {
  const run = (...args: string[]) => pinakes([...args, "--url", node.url], {}, project);

  it("says where a name is declared; status 1 where it is not, 2 where it cannot be looked for", async () => {
    const found = await run("def", "Circle.area");
    expect(found).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^java\/app\/Circle\.java:4: Circle\.area: .*\(exact: /),
    });
    expect(await run("def", "nothingOfThisName")).toMatchObject({ status: 1, stdout: "" });
    expect(await run("def", "ts/missing.ts:3")).toMatchObject({ status: 2, stdout: "" });
    const json = JSON.parse((await run("def", "Circle.area", "--json")).stdout);
    expect(json[0].definitions[0]).toMatchObject({ path: "java/app/Circle.java", start_line: 4, certainty: "exact" });
  });

  it("prints references as grep prints lines, and counts beside them", async () => {
    const { stdout, stderr, status } = await run("refs", "ts/other.ts:1");
    expect(status).toBe(0);
    expect(stdout).toBe("ts/other.ts:6:   return normalize(1);\n");
    expect(stderr).toMatch(/^1 line in 1 file refers to it, 1 exactly; \d+ more lines mention the name/);
  });

  it("prints callers and callees as a tree", async () => {
    expect((await run("callers", "clean", "--depth", "3")).stdout).toBe(
      "go/store/clean.go:3: func clean(key string) string\n" +
        "  go/store/store.go:13: Mem.load: func (m *Mem) load(key string) string  (exact; line 14)\n" +
        "    go/store/store.go:9: Mem.Get: func (m *Mem) Get(key string) string  (exact; line 10)\n" +
        "      go/main.go:5: func main()  (heuristic, 1 of 2; line 7)\n",
    );
    expect((await run("callers", "through_module", "--callees")).stdout).toContain(
      "  py/pkg/shapes.py:18: def helper(value)  (exact; line 11)\n",
    );
    expect(await run("callers", "clean", "--depth", "99")).toMatchObject({ status: 2 });
  });

  it("outlines a file", async () => {
    const { stdout } = await run("outline", "ts/store.ts");
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      "1-3: export interface Reader",
      "  2: Reader.read: read(key: string): string",
      "5-13: export class Store implements Reader",
      "  6-8: Store.read: read(key: string): string",
    ]);
    expect((await run("outline", "ts/store.ts", "--imports")).stdout).toContain(
      "imported by ts/main.ts:1  (as ./store.js; exact)\n",
    );
  });

  it("takes paths below the repository's name wherever it is called", async () => {
    const repo = path.basename(project);
    for (const args of [
      ["refs", "ts/store.ts:16"],
      ["outline", "ts/store.ts"],
      ["def", "ts/store.ts:16"],
      ["map", "ts"],
    ]) {
      const [command = "", place = ""] = args;
      const own = await run(command, place);
      expect(own.stdout, command).not.toBe("");
      expect(await run(command, `${repo}/${place}`), command).toEqual(own);
    }
    expect((await run("why", `${repo}/ts/store.ts`)).stdout).toMatch(/ts\/store\.ts: indexed: /);
  });

  it("maps a folder within its tokens, what is used most first", async () => {
    const { stdout } = await run("map", "ts", "--tokens", "400");
    expect(Math.ceil(Buffer.byteLength(stdout) / 3)).toBeLessThanOrEqual(400);
    expect(stdout).toMatch(
      /declarations referred to most, and by how many\n {2}ts\/(other\.ts:1|store\.ts:16): function normalize \(used by 5\)/,
    );
    const repo = path.basename(project);
    // Where all of it fits, it is what agents are given.
    const whole = await run("map", "ts", "--tokens", "4000");
    expect(await runMap({ client }, { from: 0, max_tokens: 4000, repo, path: "ts" })).toBe(whole.stdout);
  });

  it("maps on from where it stopped, by the command that it printed", async () => {
    const whole = (await run("map", "ts", "--section", "declarations", "--tokens", "4000")).stdout;
    const first = (await run("map", "ts", "--section", "declarations", "--tokens", "120")).stdout;
    const next = /more; next: .*pinakes(?:\.js)? (map ts --section declarations --from (\d+) --tokens 120) --url/.exec(
      first,
    );
    expect(next, first).not.toBeNull();
    const items = (text: string) =>
      text.split("\n").filter((line) => line.startsWith("  ") && !line.includes("; next: "));
    const second = items((await run(...(next?.[1] ?? "").split(" "))).stdout);
    const shown = items(first);
    expect(shown).toHaveLength(Number(next?.[2]));
    expect([...shown, ...second]).toEqual(items(whole).slice(0, shown.length + second.length));
  });
});

describe("after edits", () => {
  const run = (...args: string[]) => pinakes([...args, "--url", node.url], {}, project);

  it("answers by the files of now, and leaves out what nothing here can bring up to date", async () => {
    const file = path.join(project, "ts/other.ts");
    writeFileSync(
      file,
      `// A line above.\n\n${readFileSync(file, "utf8")}\nexport function third(): number {\n  return twice();\n}\n`,
    );
    const graph = await open();
    const { meanings } = await findDefinitions(graph, "twice");
    expect(meanings).toEqual([]);
    expect(graph.workspace.warnings).toEqual(["ts/other.ts changed since it was indexed, and is left out"]);
    expect((await run("def", "twice")).stdout).toMatch(/^ts\/other\.ts:7: /);
    expect((await run("callers", "twice")).stdout).toContain(
      "ts/other.ts:11: export function third(): number  (exact; line 12)",
    );
  });

  it("shows a deleted file no more, and a renamed one under its new name once that is indexed", async () => {
    renameSync(path.join(project, "rb/dog.rb"), path.join(project, "rb/hound.rb"));
    expect(await run("def", "rb/dog.rb:4")).toMatchObject({ status: 2 });
    expect((await run("def", "Dog.speak")).stdout).not.toContain("rb/dog.rb");
    await pinakes(["autoindex", project, "--url", node.url]);
    expect((await run("def", "Dog.speak")).stdout).toContain("rb/hound.rb:4: ");
  });
});
