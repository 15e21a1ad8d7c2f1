/**
 * A disk that is really full: a small file system in memory where the system lets us mount one, and files that count
 * where it does not. Writes are refused, what is there is found, and with room again everything goes on.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type EngineFace, type Index, openEngine } from "../../engine/index.js";
import { type Files, nodeFiles } from "../../engine/store/files.js";
import { FaultyFiles } from "../../engine/store/testing/faulty-files.js";
import { definitionOf } from "../../engine/testing/engine-fixture.js";
import { shownNow } from "../../engine/testing/model/ask.js";
import { removeFolder, temporaryFolder } from "../support/node.js";

const DISK_BYTES = 24 * 2 ** 20;
const BALLAST_BYTES = 8 * 2 ** 20;
const BATCH = 20;
const DEFINITION = definitionOf({ properties: { n: { type: "long" }, t: { type: "text", index: false } } });

/** A disk with little room; `makeRoom` gives some back. */
interface SmallDisk {
  readonly folder: string;
  readonly files: Files;
  makeRoom(): void;
  remove(): void;
}

/** undefined: the system does not let us. */
function mountSmallDisk(): SmallDisk | undefined {
  const folder = temporaryFolder("small");
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    removeFolder(folder);
    return undefined;
  }
  const ballast = path.join(folder, "ballast");
  fs.writeFileSync(ballast, Buffer.alloc(BALLAST_BYTES));
  return {
    folder: path.join(folder, "data"),
    files: nodeFiles,
    makeRoom: () => fs.rmSync(ballast),
    remove() {
      execFileSync("umount", [folder]);
      removeFolder(folder);
    },
  };
}

/** Counts what is written; what is removed does not come back. */
function countingDisk(): SmallDisk {
  const folder = temporaryFolder("small");
  const files = new FaultyFiles(nodeFiles);
  let room = DISK_BYTES - BALLAST_BYTES;
  files.plan = ({ bytes }) => {
    room = Math.max(-1, room - bytes);
    return room < 0 && bytes > 0 ? { kind: "error", errno: "ENOSPC", written: 0 } : undefined;
  };
  return {
    folder: path.join(folder, "data"),
    files,
    makeRoom() {
      room = Number.POSITIVE_INFINITY;
    },
    remove: () => removeFolder(folder),
  };
}

let disk: SmallDisk | undefined;
let engine: EngineFace;
afterEach(async () => {
  await engine.close();
  disk?.remove();
  disk = undefined;
});

const open = async ({ folder, files }: SmallDisk) => openEngine(folder, { arenaBytes: 64 * 2 ** 20, ...{ files } });

/** Writes batches until one is refused; how many documents were acknowledged before. */
async function writeUntilRefused(index: Index): Promise<number> {
  // Words that do not compress, or a disk takes long to fill.
  const text = () =>
    Buffer.from(Array.from({ length: 3000 }, () => Math.floor(Math.random() * 256))).toString("base64");
  for (let n = 0; ; n += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => {
      return { kind: "index", id: `d${n + i}`, source: Buffer.from(`{"n":${n + i},"t":"${text()}"}`) } as const;
    });
    try {
      await index.write(batch);
      if (n % 400 === 0) await index.refresh();
    } catch (error) {
      expect(error).toMatchObject({ code: "io" });
      return n;
    }
  }
}

async function expectDocuments(count: number): Promise<void> {
  const shown = await shownNow(engine, "x");
  const ids = new Set(shown.map(({ id }) => id));
  const missing = Array.from({ length: count }, (_, i) => `d${i}`).filter((id) => !ids.has(id));
  expect(missing).toEqual([]);
}

async function fillAndFree(small: SmallDisk): Promise<void> {
  engine = await open(small);
  let index = await engine.createIndex("x", DEFINITION);
  const acknowledged = await writeUntilRefused(index);
  expect(acknowledged).toBeGreaterThan(BATCH);
  // Something small may still fit: what counts is that the answer is true.
  const late = index.write([{ kind: "index", id: "late", source: Buffer.from('{"n":-2}') }]);
  const took = await late.then(
    ([outcome]) => outcome.ok,
    (error: unknown) => {
      expect(error).toMatchObject({ code: "io" });
      return false;
    },
  );
  expect(index.get("late") !== undefined).toBe(took);
  expect(index.get(`d${acknowledged - 1}`)).toBeDefined();
  small.makeRoom();
  const [outcome] = await index.write([{ kind: "index", id: "room", source: Buffer.from('{"n":-1}') }]);
  expect(outcome).toMatchObject({ ok: true, result: "created" });
  await index.refresh();
  await expectDocuments(acknowledged);
  await index.flush();
  await engine.close();
  engine = await open(small);
  index = engine.index("x") as Index;
  await expectDocuments(acknowledged);
  expect(index.get("room")).toBeDefined();
  expect(index.get("late") !== undefined).toBe(took);
}

describe("a full disk", () => {
  const isRoot = process.platform === "linux" && process.getuid?.() === 0;
  it.skipIf(!isRoot)(
    "refuses writes and takes them again with room: a real file system",
    { timeout: 60_000 },
    async (test) => {
      disk = mountSmallDisk();
      if (!disk) return test.skip("this system does not let us mount a file system");
      await fillAndFree(disk);
    },
  );

  it("refuses writes and takes them again with room: files that count", { timeout: 60_000 }, async () => {
    disk = countingDisk();
    await fillAndFree(disk);
  });
});
