/** What a data folder's bytes are: by structure (section kind) and by field, as its segment files' own tables say. */
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { loadKernels } from "../engine/kernels/load.js";
import { SegmentFile } from "../engine/segment/index.js";
import { Arena } from "../engine/store/arena.js";
import { nodeFiles } from "../engine/store/files.js";
import { NO_FIELD, SectionKind } from "../engine/store/section.js";
import { createStorage } from "../engine/store/storage.js";

/** Bytes of one structure, of one field where it belongs to a field. */
export interface SectionBytes {
  kind: string;
  field: string;
  bytes: number;
}

/** Bytes below a folder. */
export interface FolderBytes {
  segments: number;
  sections: SectionBytes[];
  /** All files, segments included. */
  total: number;
}

const KIND_NAMES = new Map<number, string>(Object.entries(SectionKind).map(([name, number]) => [number, name]));

/** Adds up the sections of all segment files below `folder`; `fields` are paths by ordinal. */
export function folderSections(folder: string, fields: readonly string[]): FolderBytes {
  const arena = Arena.create(2 ** 20);
  const storage = createStorage(nodeFiles, arena, loadKernels(arena.memory), { cacheBytes: 0 });
  const sums = new Map<string, SectionBytes>();
  const add = (kind: string, field: string, bytes: number): void => {
    const sum = sums.get(`${kind}/${field}`) ?? { kind, field, bytes: 0 };
    sum.bytes += bytes;
    sums.set(`${kind}/${field}`, sum);
  };
  const result = { segments: 0, total: 0 };
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const { size } = statSync(file);
    result.total += size;
    if (entry.name.endsWith(".seg")) {
      const segment = SegmentFile.open(storage, file);
      let rest = size;
      for (const { kind, field, length } of segment.entries) {
        add(KIND_NAMES.get(kind) ?? `kind ${kind}`, field === NO_FIELD ? "" : (fields[field] ?? `${field}`), length);
        rest -= length;
      }
      // Headers, padding to 64 bytes, section tables and checksums.
      add("framing", "", rest);
      segment.close();
      result.segments++;
    } else {
      add(`file ${path.extname(entry.name) || entry.name}`, "", size);
    }
  }
  return { ...result, sections: [...sums.values()] };
}

/** Sums over one of the two names, largest first. */
export function sumBy(sections: readonly SectionBytes[], name: "kind" | "field"): Map<string, number> {
  const sums = new Map<string, number>();
  for (const section of sections) sums.set(section[name], (sums.get(section[name]) ?? 0) + section.bytes);
  return new Map([...sums].sort((a, b) => b[1] - a[1]));
}
