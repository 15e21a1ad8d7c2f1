import { describe, expect, it } from "vitest";
import { Deadline } from "../formats/limits.js";
import { tell } from "../formats/tell.js";
import "../testing/quick-grammars.js";
import { ContentReading } from "./content-reading.js";

/** Documents of a file, as the bulk lines have them. */
async function read(path: string, written: string | Buffer) {
  const bytes = Buffer.from(written);
  const context = { root: "/", repo: "r", branches: [], maxFileBytes: 16 * 1024 * 1024 };
  const deadline = new Deadline();
  const reading = new ContentReading({ context, deadline, packedBytes: bytes.length });
  const content = { path, container: "", blob: "0".repeat(40), bytes, records: "dataset" as const };
  await reading.read(content, await tell(bytes, deadline, path));
  const { parts, datasets, detail, isBinary } = reading.take();
  const lines = parts.map((part) => Buffer.from(part.bytes).toString()).join("");
  const documents = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { documents, datasets, detail, isBinary };
}

const named = (documents: Record<string, unknown>[], name: string) => documents.find((one) => one.name === name);

describe("reading a file", () => {
  it("of SQL with one row gives what it creates and the row, and is a source", async () => {
    const text = "CREATE TABLE a1 (a int);\nINSERT INTO t VALUES (1);\nCREATE TABLE a2 (a int);\n";
    const { documents, datasets } = await read("s6.sql", text);
    expect(named(documents, "a1")).toMatchObject({ kind: "struct", class: "source" });
    expect(named(documents, "a2")).toMatchObject({ kind: "struct" });
    expect(datasets).toHaveLength(1);
  });

  it("of SQL that is a dump gives its tables and rows, and is data", async () => {
    const text = `CREATE TABLE t (a int);\n${"INSERT INTO t VALUES (1);\n".repeat(20)}`;
    const { documents, datasets } = await read("dump.sql", text);
    expect(named(documents, "t")).toMatchObject({ kind: "struct", class: "data" });
    expect(datasets).toHaveLength(1);
  });

  it("with a NUL between two functions gives both, at their bytes", async () => {
    const text = "export function before() {}\n\0\nexport function behind() {}\n";
    const { documents, isBinary } = await read("nul.ts", text);
    expect(isBinary).toBe(false);
    expect(named(documents, "before")).toMatchObject({ kind: "function", start_line: 1 });
    expect(named(documents, "behind")).toMatchObject({ kind: "function", start_line: 3, start_byte: 30 });
  });

  it.each([
    ["cut.db", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(200, 7)])],
    ["cut.parquet", Buffer.concat([Buffer.from("PAR1"), Buffer.alloc(200, 7), Buffer.from("PAR1")])],
  ])("of a damaged database %s says that its records could not be read", async (name, bytes) => {
    const { datasets, detail, isBinary } = await read(name, bytes);
    expect({ datasets, isBinary }).toEqual({ datasets: [], isBinary: true });
    expect(detail).toMatch(/no records: it cannot be read.*: \S/);
  });
});
