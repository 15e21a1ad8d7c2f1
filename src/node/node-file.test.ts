import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { resolveDataFolder } from "./data-folder.js";
import { findNode } from "./find-node.js";
import { readNodeFile, removeNodeFile, writeNodeFile } from "./node-file.js";

const folder = () => mkdtempSync(path.join(tmpdir(), "pinakes-node-"));
/** Beyond Linux's largest process number. */
const NOBODY = 2 ** 22 + 1;

describe("node.json", () => {
  it("tells where the node of a data folder listens", () => {
    const data = folder();
    writeNodeFile(data, { pid: process.pid, url: "http://127.0.0.1:9999" });
    expect(readNodeFile(data)).toEqual({ pid: process.pid, url: "http://127.0.0.1:9999" });
    expect(findNode({ data }, {})).toBe("http://127.0.0.1:9999");
  });

  it("names no node when its process is gone, when it is absent, or when it is no JSON", () => {
    const data = folder();
    expect(readNodeFile(data)).toBeUndefined();
    writeNodeFile(data, { pid: NOBODY, url: "http://127.0.0.1:9999" });
    expect(readNodeFile(data)).toBeUndefined();
    writeFileSync(path.join(data, "node.json"), "{");
    expect(readNodeFile(data)).toBeUndefined();
  });

  it("is removed only by the process it names", () => {
    const data = folder();
    writeNodeFile(data, { pid: process.ppid, url: "http://127.0.0.1:9999" });
    removeNodeFile(data);
    expect(readNodeFile(data)?.pid).toBe(process.ppid);
    writeNodeFile(data, { pid: process.pid, url: "http://127.0.0.1:9999" });
    removeNodeFile(data);
    expect(readNodeFile(data)).toBeUndefined();
  });
});

describe("which node a command talks to", () => {
  it("is --url, else PINAKES_URL, else the data folder's, else port 9200 of this machine", () => {
    const data = folder();
    writeNodeFile(data, { pid: process.pid, url: "http://127.0.0.1:9999" });
    const env = { PINAKES_URL: "http://127.0.0.1:7777", PINAKES_DATA: data };
    expect(findNode({ url: "http://127.0.0.1:8888/" }, env)).toBe("http://127.0.0.1:8888");
    expect(findNode({}, env)).toBe("http://127.0.0.1:7777");
    expect(findNode({ data }, env)).toBe("http://127.0.0.1:9999");
    expect(findNode({}, { PINAKES_DATA: data })).toBe("http://127.0.0.1:9999");
  });

  it("is said when it is port 9200 for want of another", () => {
    const data = folder();
    const said: string[] = [];
    expect(findNode({}, { PINAKES_DATA: data }, (line) => said.push(line))).toBe("http://127.0.0.1:9200");
    expect(said).toEqual([`no node runs on ${data}: asking http://127.0.0.1:9200`]);
    writeNodeFile(data, { pid: process.pid, url: "http://127.0.0.1:9999" });
    findNode({}, { PINAKES_DATA: data }, (line) => said.push(line));
    findNode({ url: "http://127.0.0.1:8888" }, {}, (line) => said.push(line));
    expect(said).toHaveLength(1);
  });

  it("refuses an address that is none", () => {
    expect(() => findNode({ url: "localhost" }, {})).toThrow(/write it like http/);
  });

  it("is not another one when a data folder was named that has none", () => {
    expect(() => findNode({ data: path.join(tmpdir(), "pinakes-no-such-folder") }, {})).toThrow(/^no node runs on/);
  });
});

describe("the data folder", () => {
  it("is --data, else PINAKES_DATA, else below the XDG data home", () => {
    expect(resolveDataFolder("/a/b", { PINAKES_DATA: "/c" })).toBe("/a/b");
    expect(resolveDataFolder(undefined, { PINAKES_DATA: "/c" })).toBe("/c");
    if (process.platform === "linux") {
      expect(resolveDataFolder(undefined, { XDG_DATA_HOME: "/x" })).toBe("/x/pinakes");
      expect(resolveDataFolder(undefined, { XDG_DATA_HOME: "relative" })).toMatch(/\.local\/share\/pinakes$/);
    }
  });
});
