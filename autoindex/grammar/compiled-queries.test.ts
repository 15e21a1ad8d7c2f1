import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { GRAMMARS } from "../languages/grammars.js";
import { readImages, writeImages } from "./compiled-queries.js";

const folder = mkdtempSync(path.join(tmpdir(), "pinakes-queries-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ingredients = { wasm: Uint8Array.from([0, 97, 115, 109]), sources: ["(a) @a", "(b) @b"] };
const images = [Buffer.from("first"), Buffer.from("")];

it("images are read back for what they were made of", () => {
  writeImages({ name: "x", ingredients, images }, folder);
  expect(readImages("x", ingredients, folder)).toEqual(images);
});

it("another grammar, other patterns or another division of them have none", () => {
  writeImages({ name: "x", ingredients, images }, folder);
  const { wasm, sources } = ingredients;
  expect(readImages("x", { wasm: Uint8Array.from([0, 97, 115, 110]), sources }, folder)).toBeUndefined();
  expect(readImages("x", { wasm, sources: ["(a) @a", "(b) @c"] }, folder)).toBeUndefined();
  expect(readImages("x", { wasm, sources: ["(a) @a(b) @b"] }, folder)).toBeUndefined();
  expect(readImages("y", ingredients, folder)).toBeUndefined();
});

it("the project's build keeps the queries of all grammars", () => {
  const built = path.join(import.meta.dirname, "..", "..", "dist", "autoindex", "queries");
  expect(Object.keys(GRAMMARS).filter((name) => !existsSync(path.join(built, `${name}.bin`)))).toEqual([]);
});
