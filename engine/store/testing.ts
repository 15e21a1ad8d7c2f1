/** What tests of storage need: a folder that goes away, memory with the compiled kernels, chance with a printed seed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { loadKernels } from "../kernels/load.js";
import { Arena } from "./arena.js";
import { type Files, nodeFiles } from "./files.js";
import type { SectionKind, SectionSink } from "./section.js";
import { createStorage, type Storage } from "./storage.js";
import { type Chance, chanceOf, newSeed } from "./testing/chance.js";

export type { Chance } from "./testing/chance.js";

/** A fresh folder, removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Storage over real files and an arena of this size. */
export function testStorage(arenaBytes = 64 * 2 ** 20, files: Files = nodeFiles): Storage {
  const arena = Arena.create(arenaBytes);
  return createStorage(files, arena, loadKernels(arena.memory), { cacheBytes: 2 ** 20 });
}

/** Random numbers from a seed: PINAKES_SEED, or a new one. */
export function chance(): Chance {
  return chanceOf(newSeed());
}

/** Keeps sections in memory, to look at what was written. */
export class MemorySink implements SectionSink {
  readonly sections = new Map<string, Uint8Array>();
  #name = "";
  #parts: Uint8Array[] = [];

  begin(kind: SectionKind, field: number): void {
    this.#name = `${kind}/${field}`;
    this.#parts = [];
  }

  append(bytes: Uint8Array): void {
    this.#parts.push(bytes.slice());
  }

  end(): void {
    this.sections.set(this.#name, new Uint8Array(Buffer.concat(this.#parts)));
  }

  /** Hex of a section, without spaces. */
  hex(kind: SectionKind, field: number): string {
    return Buffer.from(this.sections.get(`${kind}/${field}`) ?? []).toString("hex");
  }
}

/** Hex digits of a format's comment, without its spaces. */
export function hex(text: string): string {
  return text.replace(/\s/g, "");
}
