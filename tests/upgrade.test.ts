/** Data folders of earlier programs are opened by this one, with everything in them. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEngine } from "../engine/index.js";

const FIXTURE = path.join(import.meta.dirname, "fixtures/log-v1");

describe("a data folder with logs of version 1", () => {
  it("is opened with all its documents, grows, and stays readable", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-v1-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    fs.cpSync(FIXTURE, folder, { recursive: true });
    const sources = async (more?: { id: string; n: number }) => {
      const engine = await openEngine(folder, { arenaBytes: 64 * 2 ** 20, warn: (text) => expect.fail(text) });
      const index = engine.index("old");
      if (more) await index?.write([{ kind: "index", id: more.id, source: Buffer.from(`{"n":${more.n}}`) }]);
      const found = ["a", "b", "c", "d", "é–1", "new"].map((id) => {
        const document = index?.get(id);
        return document && (JSON.parse(Buffer.from(document.source).toString()) as { n: number; extra?: string });
      });
      expect(engine.metadata.keys("key/")).toEqual(["key/1", "key/2", "key/3", "key/4"]);
      await engine.close();
      return found.map((source) => (source ? [source.n, source.extra] : undefined));
    };
    const old = [[4, undefined], undefined, [6, "grown"], [5, undefined], [7, undefined]];
    expect(await sources()).toEqual([...old, undefined]);
    expect(await sources({ id: "new", n: 8 })).toEqual([...old, [8, undefined]]);
    expect(await sources()).toEqual([...old, [8, undefined]]);
  });
});
