/** What stands before a name says whose member is meant: a type of the file through an import, and no type but that. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../client/index.js";
import { findDefinitions, findReferences, openSymbolGraph, runSymbol } from "../mcp/index.js";
import { pinakes, removeFolder, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

const FILES: Readonly<Record<string, string>> = {
  "rs/Cargo.toml": '[package]\nname = "shop"\n',
  "rs/src/lib.rs": `mod far;
use far::Far;

pub struct Alpha;
impl Alpha { pub fn new() -> Alpha { Alpha } }
pub struct Beta;
impl Beta { pub fn new() -> Beta { Beta } }

fn outside() { Alpha::new(); }

#[cfg(test)]
mod tests {
    use super::{Alpha, Beta, Far};
    #[test]
    fn works() {
        Alpha::new();
        Beta::new();
        Far::new();
    }
}

mod whole {
    use crate::Alpha;
    fn f() { Alpha::new(); }
}
`,
  "rs/src/far.rs": "pub struct Far;\nimpl Far { pub fn new() -> Far { Far } }\n",
  "rs/src/made.rs": `#[derive(New)]
pub struct Made;
pub trait Speak { fn speak(&self); }
impl Speak for Made { fn speak(&self) {} }
fn make() { Made::new(); }
`,
  "rs/src/made_use.rs": "use crate::made::*;\nfn speaks() { Speak::speak(&Made); }\n",
  "rs/src/defaults.rs": `pub enum Choice { Default, Other }
pub struct Plain;
impl Default for Plain { fn default() -> Plain { Plain } }
impl Clone for Plain { fn clone(&self) -> Plain { Plain } }
fn typed(a: &str, b: Plain, c: String) -> Plain { String::new(); Plain::new() }
fn renamed() { use crate::made::Made as Mine; Mine::new(); }
fn again() { use crate::far::Far as Mine; Mine::new(); }
fn by_path(a: crate::far::Far, crate_: u8) { crate::far::Far::new(); crate::made::Made::new(); }
`,
  "cc/a.cc":
    "struct CBase { static void make(); };\nstruct CA : CBase { static void made(); };\nstruct CB { static void make(); };\nvoid f() {\n  CA::make();\n  CB::make();\n}\n",
  "rb/a.rb":
    "class RA\n  def self.make\n  end\nend\nclass RB\n  def self.make\n  end\nend\nRA.make\nRB.make\nrb = RB\nrb.make\n",
  "scala/A.scala":
    "object SA { def make(): Int = 1 }\nobject SB { def make(): Int = 2 }\nobject SUse {\n  def f() = SA.make()\n  def g() = SB.make()\n}\n",
  "py/lib.py": "class A:\n    def make(self):\n        return 1\n",
  "py/use.py": `class B:
    def make(self):
        return 2

def inner():
    from lib import A
    return A.make(None)

def outer(A):
    return A.make()

def other():
    return A.make()

B.make(None)
`,
  "own/rename.ts":
    'import { readFile as rf } from "node:fs/promises";\nexport function readFile(p) { return rf(p); }\nreadFile("own");\n',
  "own/load.js":
    'class Store { readFile() {} }\nfunction f() {\n  require("fs").readFile("y");\n  store.readFile("z");\n  require("./loaded").inLoaded();\n}\n',
  "own/lost.ts": 'import { inLoaded } from "@acme/lost";\nexport function lost() { inLoaded(); }\n',
  "own/loaded.js": "function inLoaded() {}\nmodule.exports = { inLoaded };\n",
  "own/rename.py": "from os.path import join as pj\n\ndef join():\n    return pj()\n\njoin()\n",
  "ts/a.ts":
    "export class TA { static make() {} }\nexport class TB { static make() {} }\nexport const TC = new TB();\nexport class TD extends TB {}\nexport class TE extends Mixed(TB) {}\n",
  "ts/use.ts": `import { TA as TB, TC, TD, TE } from "pkg/a";
TB.make();
TC.make();
TD.make();
TE.make();
`,
};

let node: TestNode;
let client: Client;
const project = temporaryFolder("named-types");

beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  }
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

/** `path:line certainty` of all lines that refer to what a name means first. */
async function references(name: string): Promise<string[]> {
  const graph = await openSymbolGraph({ client });
  const { meanings } = await findDefinitions(graph, name);
  expect(meanings, name).not.toEqual([]);
  const { files } = await findReferences(graph, [meanings[0]!.declaration], "without mentions");
  return files.flatMap(({ file, lines }) => lines.map((one) => `${file.path}:${one.line} ${one.certainty}`)).sort();
}

describe("Rust's types, imported into modules of their own file", () => {
  it.each([
    ["Alpha.new", ["rs/src/lib.rs:16 exact", "rs/src/lib.rs:24 exact", "rs/src/lib.rs:9 exact"]],
    ["Beta.new", ["rs/src/lib.rs:17 exact"]],
    // Two functions of a module use one name for different types.
    [
      "Far.new",
      [
        "rs/src/defaults.rs:6 heuristic",
        "rs/src/defaults.rs:7 heuristic",
        "rs/src/defaults.rs:8 heuristic",
        "rs/src/lib.rs:18 exact",
      ],
    ],
  ])("%s", async (name, expected) => {
    expect(await references(name)).toEqual(expected);
  });
});

describe("a type before a name", () => {
  it.each([
    // What a macro makes is declared nowhere, and no other type's.
    ["rs", "Alpha.new", "rs/src/made.rs", []],
    ["rs", "Made.speak", "rs/src/made_use.rs", ["rs/src/made_use.rs:2 heuristic"]],
    ["cc", "CB.make", "cc/a.cc", ["cc/a.cc:6 heuristic"]],
    ["cc", "CBase.make", "cc/a.cc", ["cc/a.cc:5 heuristic"]],
    ["rb", "RA.make", "rb/a.rb", ["rb/a.rb:12 heuristic", "rb/a.rb:9 heuristic"]],
    ["rb", "RB.make", "rb/a.rb", ["rb/a.rb:10 heuristic", "rb/a.rb:12 heuristic"]],
    ["scala", "SA.make", "scala/A.scala", ["scala/A.scala:4 heuristic"]],
    ["scala", "SB.make", "scala/A.scala", ["scala/A.scala:5 heuristic"]],
    // A parameter may be anything; what one function imports is no other type's member elsewhere.
    ["py", "B.make", "py/use.py", ["py/use.py:10 heuristic", "py/use.py:15 exact"]],
    ["ts", "TA.make", "ts/use.ts", ["ts/use.ts:2 heuristic", "ts/use.ts:3 heuristic"]],
    ["ts", "TB.make", "ts/use.ts", ["ts/use.ts:3 heuristic", "ts/use.ts:4 heuristic", "ts/use.ts:5 heuristic"]],
  ])("of %s excludes other types' members: %s", async (_language, name, file, expected) => {
    const found = await references(name);
    expect(found.filter((line) => line.startsWith(`${file}:`))).toEqual(expected);
  });
});

describe("what is imported from elsewhere under another name, or loaded where it is used", () => {
  it.each([
    ["readFile", ["own/rename.ts:3 exact"]],
    ["Store.readFile", ["own/load.js:4 heuristic"]],
    ["inLoaded", ["own/load.js:5 exact"]],
    ["join", ["own/rename.py:6 exact"]],
  ])("leaves to the file's own %s what is its own", async (name, expected) => {
    expect(await references(name)).toEqual(expected);
  });
});

it("says of a call whose import leads nowhere not that nothing declares its name", async () => {
  const text = await runSymbol({ client }, { name: "lost", section: "callees", depth: 1, from: 0, max_tokens: 300 });
  expect(text).toContain("leads to nothing in the index: inLoaded");
});
