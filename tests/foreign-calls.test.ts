/** Calls of standard libraries and of other people's packages mean nothing that the repository declares. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../client/index.js";
import { findCallees, findDefinitions, openSymbolGraph, runMap } from "../mcp/index.js";
import { pinakes, removeFolder, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

const FILES: Readonly<Record<string, string>> = {
  "go/go.mod": "module example.com/shop\n",
  "go/store/store.go": `package store

import (
	"fmt"
	"net/http"
	"os"
)

type Mem struct{}

func (m *Mem) Open(name string) {}
func (m *Mem) Printf(text string) {}
func (m *Mem) Do(text string) {}
func Fetch(name string) {}

func goForeign() {
	os.Open("a")
	fmt.Printf("b")
	http.DefaultClient.Do(nil)
}

func goShadowed(os *Mem) {
	os.Open("a")
}
`,
  "go/main.go": `package main

import (
	"example.com/shop/store"
	"fmt"
)

func Printf(text string) {}

func goOwn() {
	store.Fetch("a")
	Printf("b")
	fmt.Printf("c")
}

func goUses1() { fmt.Printf("1") }
func goUses2() { fmt.Printf("2") }
func goUses3() { fmt.Printf("3") }
`,
  "py/shop/__init__.py": "",
  "py/shop/parts.py":
    "class Parts:\n    def join(self, a):\n        return a\n    def dumps(self):\n        return 1\n",
  "py/shop/use.py": `import json
import os
import os.path
import numpy as np
from shop import parts

def py_foreign():
    os.path.join("a", "b")
    json.dumps({})
    np.join(1)
    str.join("", [])

def py_own():
    parts.Parts.join(None, 1)
`,
  "java/src/com/shop/Sum.java":
    "package com.shop;\n\npublic class Sum {\n  static int max(int a) { return a; }\n  static void sort(int a) {}\n  void println(String s) {}\n}\n",
  "java/src/com/shop/Use.java": `package com.shop;

import java.util.Arrays;
import org.other.Tool;
import static org.junit.Assert.max;

public class Use {
  void javaForeign() {
    Math.max(1, 2);
    Arrays.sort(null);
    Tool.sort(null);
    System.out.println("a");
    java.util.Collections.sort(null);
    max(1);
  }

  void javaOwn() {
    Sum.max(1);
  }
}
`,
  "rust/Cargo.toml": '[package]\nname = "shop"\n\n[dependencies]\nserde_json = "1"\ninner = { path = "../inner" }\n',
  "rust/src/lib.rs": `mod fs;
pub fn to_string(a: u8) -> u8 { a }

fn rust_foreign() {
    std::fs::read("a");
    serde_json::to_string(&1);
    String::from("a");
}

fn rust_own() {
    crate::fs::read("a");
}
`,
  "rust/src/fs.rs": "pub fn read(a: &str) -> u8 { 1 }\npub struct W;\nimpl W { pub fn from(a: &str) -> W { W } }\n",
  "rust/src/other.rs": 'use std::fs;\n\nfn rust_imported() {\n    fs::read("a");\n    fs::File::from("b");\n}\n',
  "ts/package.json": '{"name":"shop","dependencies":{"lodash":"1"},"devDependencies":{"@shop/core":"workspace:*"}}',
  "ts/core/package.json": '{"name":"@shop/core"}',
  "ts/core/index.ts":
    "export class Disk {\n  readFile() {}\n  parse() {}\n  chunk() {}\n  save() {}\n}\nexport const disk = new Disk();\n",
  "ts/a/one.ts": "export function sharedName() {}\n",
  "ts/b/two.ts": "export function sharedName() {}\nexport function user1() {\n  sharedName();\n}\n",
  "ts/b/three.ts": 'import { sharedName } from "./two.js";\nexport function user2() {\n  sharedName();\n}\n',
  "ts/promises.ts": "export function writeFile() {}\n",
  "ts/use.ts": `import fs from "fs";
import * as promises from "fs/promises";
import _ from "lodash";
import { disk } from "@shop/core";

export function tsForeign() {
  fs.readFile("a");
  promises.writeFile("b");
  _.chunk([]);
  JSON.parse("{}");
}

export function tsOwn() {
  disk.save();
}
`,
};

let node: TestNode;
let client: Client;
const project = temporaryFolder("foreign");

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

async function callees(name: string): Promise<string[]> {
  const graph = await openSymbolGraph({ client });
  const { meanings } = await findDefinitions(graph, name);
  expect(meanings, name).not.toEqual([]);
  const { edges } = await findCallees(graph, [meanings[0]!.declaration], 1);
  return edges.map(({ node: { declaration } }) => `${declaration!.path}#${declaration!.qualifiedName}`).sort();
}

describe("calls of other people's packages lead nowhere", () => {
  it.each(["goForeign", "py_foreign", "javaForeign", "rust_foreign", "rust_imported", "tsForeign"])(
    "%s",
    async (name) => {
      expect(await callees(name)).toEqual([]);
    },
  );
});

describe("calls of what the repository has lead there", () => {
  it.each([
    ["goOwn", ["go/main.go#Printf", "go/store/store.go#Fetch"]],
    ["goShadowed", ["go/store/store.go#Mem.Open"]],
    ["py_own", ["py/shop/parts.py#Parts.join"]],
    ["javaOwn", ["java/src/com/shop/Sum.java#Sum.max"]],
    ["rust_own", ["rust/src/fs.rs#read"]],
    ["tsOwn", ["ts/core/index.ts#Disk.save"]],
  ])("%s", async (name, expected) => {
    expect(await callees(name)).toEqual(expected);
  });
});

describe("the map", () => {
  const declarations = (scope: { repo?: string; path?: string }) =>
    runMap({ client }, { ...scope, section: "declarations", from: 0, max_tokens: 4000 });

  it("says as much of a declaration whatever is mapped", async () => {
    const line = /ts\/a\/one\.ts:1: function sharedName \(used by \d+\)/;
    const [whole] = line.exec(await declarations({}))!;
    // Three refer to the name (the import is one), and two declarations share it.
    expect(whole).toContain("(used by 2)");
    expect(line.exec(await declarations({ path: "ts/a" }))![0]).toBe(whole);
    expect(line.exec(await declarations({ path: "ts" }))![0]).toBe(whole);
  });

  it("credits nobody with the uses of what standard libraries have", async () => {
    expect(await declarations({})).not.toContain("Printf");
  });

  it("counts the uses of each repository apart", async () => {
    const other = temporaryFolder("foreign-other");
    try {
      writeFileSync(
        path.join(other, "lib.ts"),
        "export function sharedName() {}\nexport function user3() {\n  sharedName();\n}\n",
      );
      const before = await declarations({});
      expect(await pinakes(["autoindex", other, "--url", node.url])).toMatchObject({ status: 0 });
      const after = await declarations({});
      for (const own of before.split("\n").filter((row) => row.startsWith("  "))) expect(after).toContain(`${own}\n`);
      expect(after).toContain("lib.ts:1: function sharedName (used by 1)");
    } finally {
      removeFolder(other);
    }
  });
});
