import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { encodeSmallFile, nodeFiles } from "../store/index.js";
import { temporaryFolder } from "../store/testing.js";
import { encodeDescription, type Listing, piecesOf, readDescription } from "./format.js";

const SOURCE = readFileSync(new URL("./format.ts", import.meta.url), "utf8");
const LISTING: Listing = { format: 1, uuid: "kBT2mGzTRDyeq0eUNfWhrQ", generation: 0, snapshots: [] };

it("the examples in the description of the format are what is written", () => {
  expect(SOURCE).toContain(` *   ${Buffer.from(encodeDescription(LISTING, false)).toString()}\n`);
  const file = { name: "s1.seg", size: 5000, seal: 0xc0ffee, crc: 0, piece: 2048 };
  expect(piecesOf("u", file)).toEqual([
    { path: "indices/u/s1.seg-00c0ffee.0", size: 2048 },
    { path: "indices/u/s1.seg-00c0ffee.1", size: 2048 },
    { path: "indices/u/s1.seg-00c0ffee.2", size: 904 },
  ]);
});

it.each([true, false])("a description reads back, deflated or not (%s)", (compress) => {
  const file = path.join(temporaryFolder(), "index");
  writeFileSync(file, encodeSmallFile(encodeDescription(LISTING, compress)));
  expect(readDescription(nodeFiles, file)).toEqual(LISTING);
});

it("a format of a later program is refused by its number, and what is no JSON by its name", () => {
  const file = path.join(temporaryFolder(), "index");
  writeFileSync(file, encodeSmallFile(encodeDescription({ ...LISTING, format: 2 }, true)));
  expect(() => readDescription(nodeFiles, file)).toThrow(`${file} is of repository format 2; this program reads 1`);
  writeFileSync(file, encodeSmallFile(Buffer.from("nonsense")));
  expect(() => readDescription(nodeFiles, file)).toThrow(`${file} is damaged`);
});
