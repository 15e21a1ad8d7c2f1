import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { packTar } from "modern-tar";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../formats/limits.js";
import { docx, zip } from "../testing/document-fixtures.js";
import { folderWith } from "../testing/folder.js";
import { packed } from "../testing/packed-fixtures.js";
import { extractFile } from "./extract-file.js";
import type { FileResult } from "./protocol.js";

type Document = Record<string, unknown> & { path: string };

/** Reads one file of a folder; answers its documents by index. */
async function extract(name: string, bytes: Uint8Array, maxFileBytes = 16 * 1024 * 1024) {
  const root = folderWith({ [name]: bytes });
  const context = { root, repo: "r", branches: [], maxFileBytes };
  const result = await extractFile({ path: name, knownBlob: "", knownVersion: "", records: "dataset" }, context);
  return { result, files: documents(result, "pinakes-files"), declarations: documents(result, "pinakes-decls") };
}

function documents(result: FileResult, index: string): Document[] {
  const parts = result.kind === "same" ? [] : (result.parts ?? []);
  const lines = parts.flatMap(({ bytes }) => Buffer.from(bytes).toString().trimEnd().split("\n"));
  const isOf = (_: string, at: number) => at % 2 === 1 && JSON.parse(lines[at - 1]!).index._index === index;
  return lines.filter(isOf).map((line) => JSON.parse(line) as Document);
}

const paths = (files: Document[]) => files.map(({ path }) => path).sort();
const detail = (result: FileResult) => (result.kind === "same" ? "" : result.detail);

async function tar(files: Record<string, string>): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name, size: Buffer.byteLength(body) },
    body,
  }));
  return packTar(entries);
}

describe("a file inside an archive", () => {
  it("is a document of its own, with declarations, under the archive's path", async () => {
    const { result, files, declarations } = await extract("lib.zip", zip({ "src/a.py": "def quill(): pass\n" }));
    expect(result).toMatchObject({ kind: "indexed", language: "archive", detail: "" });
    expect(files).toEqual([
      expect.objectContaining({ path: "lib.zip!/src/a.py", container: "lib.zip", language: "python", name: "a.py" }),
      expect.objectContaining({ path: "lib.zip", format: "zip", body: "src/a.py\n", class: "data" }),
    ]);
    expect(declarations[0]).toMatchObject({ kind: "function", name: "quill", container: "lib.zip", start_line: 1 });
    expect(files[1]).not.toHaveProperty("container");
  });

  it.each<[name: string, bytes: () => Promise<Uint8Array> | Uint8Array, path: string, body: string]>([
    ["a.tar", () => tar({ "x/y.txt": "in a tar" }), "a.tar!/x/y.txt", "in a tar"],
    ["a.tgz", async () => gzipSync(await tar({ "y.txt": "in a tgz" })), "a.tgz!/y.txt", "in a tgz"],
    ["a.tar.xz", () => packed("tarXz"), "a.tar.xz!/deep/notes.txt", "Inside a tar packed by xz: sundew tarxz\n"],
    ["a.txt.gz", () => gzipSync("in a gz"), "a.txt.gz!/a.txt", "in a gz"],
    ["a.txt.xz", () => packed("xz"), "a.txt.xz!/a.txt", "The packed words say: quillwort xz\n".repeat(3)],
    ["a.txt.bz2", () => packed("bz2"), "a.txt.bz2!/a.txt", "The packed words say: quillwort bz2\n".repeat(3)],
    ["a.txt.zst", () => packed("zst"), "a.txt.zst!/a.txt", "The packed words say: quillwort zstd\n".repeat(3)],
    ["unnamed", () => gzipSync("no name"), "unnamed!/content", "no name"],
  ])("is read out of %s", async (name, bytes, path, body) => {
    const { result, files } = await extract(name, await bytes());
    expect(detail(result)).toBe("");
    expect(files).toContainEqual(expect.objectContaining({ path, body, container: name }));
  });

  it("is found in archives inside archives, and documents are read there too", async () => {
    const inner = gzipSync(await tar({ "plan.docx": (await docx([["Aim", "deep words"]], [])).toString("latin1") }));
    const report = await docx([["Aim", "deep words"]], ["a"]);
    const { files } = await extract("o.zip", zip({ "i.zip": zip({ "plan.docx": report }), "t.tgz": inner }));
    const found = files.find(({ path }) => path === "o.zip!/i.zip!/plan.docx");
    expect(found).toMatchObject({ format: "docx", container: "o.zip", symbols: ["Aim"] });
    expect(String(found!.body)).toContain("deep words");
    expect(paths(files)).toContain("o.zip!/t.tgz!/plan.docx");
  });

  it("has a name with the letters of an old encoding", async () => {
    const bytes = zip({ "XXXXXXXXXX.txt": "words" });
    const name = Buffer.from("90dd92e88eb497a78169", "hex"); // Shift-JIS of 10 bytes
    const written = Buffer.from(bytes.toString("latin1").replaceAll("XXXXXXXXXX", name.toString("latin1")), "latin1");
    const { files } = await extract("a.zip", written);
    expect(paths(files)).toHaveLength(2);
  });

  it("of records packed alone is a data set, as it would be on disk", async () => {
    const { result } = await extract("people.csv.gz", gzipSync("name,age\nAda,36\nGrace,45\n"));
    expect(result).toMatchObject({
      kind: "indexed",
      datasets: [{ records: 2, fields: [{ name: "age" }, { name: "name" }] }],
    });
  });
});

describe("what is left out of an archive", () => {
  it("is counted by its reason: paths that lead elsewhere", async () => {
    const { result, files } = await extract(
      "a.zip",
      zip({ "../up.txt": "1", "/root.txt": "2", "C:\\x": "3", "ok.txt": "4" }),
    );
    expect(paths(files)).toEqual(["a.zip", "a.zip!/ok.txt"]);
    expect(detail(result)).toBe(
      "1 member left out: a path that leads out of the archive (../up.txt); 2 members left out: an absolute path (/root.txt, C:\\x)",
    );
  });

  it("is encrypted or damaged: the others are there", async () => {
    const bytes = zip({ "a.txt": "first words", "b.txt": "second words", "c.txt": "third words" });
    // The flag of a.txt in the central directory, and a byte of b.txt's content.
    const central = bytes.indexOf(Buffer.from("PK\x01\x02", "latin1"));
    bytes[central + 8]! |= 1;
    const b = bytes.indexOf("b.txt") + 8;
    bytes[b]! ^= 0xff;
    const { result, files } = await extract("a.zip", bytes);
    expect(paths(files)).toEqual(["a.zip", "a.zip!/c.txt"]);
    expect(detail(result)).toBe("1 member left out: encrypted (a.txt); 1 member left out: damaged (b.txt)");
    expect(files.find(({ path }) => path === "a.zip")!.body).toContain("encrypted (a.txt)");
  });

  it("is beyond the bound of a zip that unpacks to a thousand times its size", async () => {
    const zeros = new Uint8Array(12 * 1024 * 1024);
    const bomb = zipSync({ "0.bin": zeros, "1.bin": zeros, "2.bin": zeros, "z.txt": strToU8("never reached") });
    const { result, files } = await extract("bomb.zip", bomb);
    expect(bomb.length).toBeLessThan(60_000);
    expect(detail(result)).toMatch(/read in part: it unpacks to more than/);
    expect(files.length).toBeLessThan(3);
  });

  it("is beyond the bound of a stream that does", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const { result } = await extract("bomb.gz", bomb);
    expect(detail(result)).toMatch(/it unpacks to more than \d+ bytes/);
  });

  it("lies deeper than archives are opened", async () => {
    let bytes = zip({ "a.txt": "words" });
    for (let depth = 0; depth < 5; depth++) bytes = zip({ "in.zip": bytes });
    const { result, files } = await extract("deep.zip", bytes);
    expect(detail(result)).toMatch(/in\.zip: not opened: archives are opened 3 deep/);
    expect(files).toHaveLength(LIMITS.depth + 1);
  });

  it("has the path of another member, or is larger than files may be", async () => {
    const bytes = zip({ "a.txt": "1", "b.txt": "22222" });
    const twin = Buffer.from(bytes.toString("latin1").replaceAll("b.txt", "a.txt"), "latin1");
    expect(detail((await extract("a.zip", twin)).result)).toBe("1 member left out: another one has its path (a.txt)");
    const large = zip({ "large.bin": new Uint8Array(5000), "b.txt": "ok" });
    expect(detail((await extract("l.zip", large, 4000)).result)).toBe("1 member left out: too large (large.bin)");
  });

  it("is said of one that is cut off", async () => {
    const whole = zip({ "a.txt": "words" });
    expect(detail((await extract("a.zip", whole.subarray(0, -10))).result)).toMatch(/^damaged: /);
    const cut = gzipSync(await tar({ "a.txt": "first", "b.txt": "x".repeat(5000) })).subarray(0, -20);
    expect(detail((await extract("a.tgz", cut)).result)).toMatch(/damaged: /);
    const shortTar = (await tar({ "a.txt": "first", "b.txt": "x".repeat(5000) })).subarray(0, 3000);
    const { result, files } = await extract("a.tar", shortTar);
    expect(paths(files)).toEqual(["a.tar", "a.tar!/a.txt"]);
    expect(detail(result)).toMatch(/damaged: /);
  });
});
