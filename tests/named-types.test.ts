/** What stands before a name says whose member is meant: a type of the file through an import, and no type but that. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../client/index.js";
import { findDefinitions, findReferences, openSymbolGraph } from "../mcp/index.js";
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
    ["Far.new", ["rs/src/lib.rs:18 exact"]],
  ])("%s", async (name, expected) => {
    expect(await references(name)).toEqual(expected);
  });
});
