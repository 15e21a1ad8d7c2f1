import { gzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { mailbox, message, tar } from "../../autoindex/testing/all-formats.js";
import { docx, epub, notebook, openDocument, pdf, pptx, xlsx, zip } from "../../autoindex/testing/document-fixtures.js";
import { ENCODED_TEXTS } from "../../autoindex/testing/encoded-texts.js";
import { packed } from "../../autoindex/testing/packed-fixtures.js";
import { gif, jpeg, png, webp } from "../../autoindex/testing/picture-fixtures.js";

/** A file, and what was put into it to be found again. */
export interface PlantedFile {
  path: string;
  bytes: Uint8Array;
  /** Words of its text, or its own name where it has none. */
  value: string;
  /** Path of the document that has it, where that lies inside the file. */
  within?: string;
  /** What it is, as the index is to say. */
  format: string;
  encoding: string;
}

type Row = [path: string, format: string, value: string, content: string | Uint8Array, within?: string];

/** A folder of everything: formats with a word each, and texts in every encoding. */
export async function plantedFiles(): Promise<PlantedFile[]> {
  const rows: Row[] = [...texts(), ...(await documents()), ...(await archives()), ...binaries()];
  const files = rows.map(([path, format, value, content, within]) => ({
    path,
    bytes: typeof content === "string" ? Buffer.from(content) : content,
    value,
    format,
    encoding: "utf-8",
    ...(within !== undefined && { within: `${path}!/${within}` }),
  }));
  return [...files, ...encoded()];
}

function encoded(): PlantedFile[] {
  return ENCODED_TEXTS.flatMap(([language, encodings, short, long]) =>
    encodings.split(" ").map((encoding) => ({
      path: `encodings/${language.replace(/\W+/g, "-")}-${encoding}.c`,
      bytes: iconv.encode(`// ${short}\n// ${long}\nint main(void) { return 0; }\n`, encoding),
      value: short,
      format: "text",
      encoding,
    })),
  );
}

function texts(): Row[] {
  return [
    ["texts/a.md", "text", "quillmd", "# Heading\n\nThe quillmd words.\n"],
    ["texts/a.rst", "text", "quillrst", "Title\n=====\n\nThe quillrst words.\n"],
    ["texts/a.adoc", "text", "quilladoc", "= Title\n\nThe quilladoc words.\n"],
    ["texts/a.org", "text", "quillorg", "* Headline\nThe quillorg words.\n"],
    ["texts/a.txt", "text", "quilltxt", "The quilltxt words.\n"],
    ["texts/a.html", "text", "quillhtml", "<title>T</title><h1>H</h1><p>The quillhtml words.</p>"],
    ["texts/a.xml", "text", "quillxml", "<?xml version='1.0'?><a><b>The quillxml words</b></a>"],
    ["texts/a.svg", "text", "quillsvg", "<svg xmlns='http://www.w3.org/2000/svg'><text>quillsvg</text></svg>"],
    ["texts/a.yaml", "text", "quillyaml", "key:\n  - quillyaml\n"],
    ["texts/a.toml", "text", "quilltoml", '[part]\nkey = "quilltoml"\n'],
    ["texts/a.ini", "text", "quillini", "[part]\nkey=quillini\n"],
    ["texts/a.json", "text", "quilljson", '{"key": "quilljson"}'],
    ["texts/a.jsonl", "text", "quilljsonl", '{"key": "quilljsonl"}\n{"key": "b"}\n'],
    ["texts/a.csv", "text", "quillcsv", "name,age\nquillcsv,1\nb,2\n"],
    ["texts/a.tsv", "text", "quilltsv", "name\tage\nquilltsv\t1\nb\t2\n"],
    ["texts/a.sql", "text", "quillsql", "CREATE TABLE quillsql (id INT);\n"],
    ["texts/a.py", "text", "quillpy", "def quillpy():\n    return 1\n"],
    ["texts/a.ts", "text", "quillts", "export function quillts(): number {\n  return 1;\n}\n"],
    ["texts/named-as-a-picture.png", "text", "quillnamed", "The quillnamed words: the name says something else.\n"],
  ];
}

async function documents(): Promise<Row[]> {
  const slides = [{ title: "Start", words: "The quillpptx words", notes: "Slowly" }];
  const cell = "<table:table-cell><text:p>quillods</text:p></table:table-cell>";
  const table = `<table:table table:name="S"><table:table-row>${cell}</table:table-row></table:table>`;
  const cells = [
    { kind: "markdown" as const, source: "# Load\nThe words." },
    { kind: "code" as const, source: "def quillipynb():\n    return 1", output: "done" },
  ];
  return [
    ["documents/a.pdf", "pdf", "quillpdf", await pdf(["The first page", "The quillpdf words"])],
    ["documents/a.docx", "docx", "quilldocx", await docx([["Aim", "The quilldocx words"]], [])],
    ["documents/a.pptx", "pptx", "quillpptx", pptx(slides)],
    ["documents/a.xlsx", "xlsx", "quillxlsx", await xlsx("Sheet", [["item"], ["quillxlsx"]])],
    ["documents/a.odt", "odt", "quillodt", openDocument("text", "<text:p>The quillodt words</text:p>")],
    [
      "documents/a.odp",
      "odp",
      "quillodp",
      openDocument("presentation", "<draw:page><text:p>quillodp</text:p></draw:page>"),
    ],
    ["documents/a.ods", "ods", "quillods", openDocument("spreadsheet", table)],
    ["documents/a.epub", "epub", "quillepub", epub("A tale", ["<h1>Begin</h1><p>The quillepub words</p>"])],
    ["documents/a.rtf", "rtf", "quillrtf", "{\\rtf1\\ansi The {\\b quillrtf} words\\par}"],
    ["documents/a.eml", "email", "quilleml", message("A plan", "The quilleml words")],
    [
      "documents/a.mbox",
      "mbox",
      "quillmbox",
      mailbox([message("One", "First"), message("Two", "The quillmbox words")]),
    ],
    ["documents/a.ipynb", "notebook", "quillipynb", notebook(cells)],
    ["documents/a-word-file-without-extension", "docx", "quillbare", await docx([["Aim", "The quillbare words"]], [])],
  ];
}

async function archives(): Promise<Row[]> {
  const report = await docx([["Aim", "The quilldeep words"]], []);
  return [
    ["archives/a.zip", "text", "quillzip", zip({ "src/a.py": "def quillzip(): pass\n" }), "src/a.py"],
    ["archives/b.zip", "docx", "quilldeep", zip({ "in/report.docx": report }), "in/report.docx"],
    ["archives/a.tar", "text", "quilltar", await tar({ "b/c.txt": "The quilltar words" }), "b/c.txt"],
    ["archives/a.tar.gz", "text", "quilltgz", gzipSync(await tar({ "c.txt": "The quilltgz words" })), "c.txt"],
    ["archives/a.tar.xz", "text", "sundew tarxz", packed("tarXz"), "deep/notes.txt"],
    ["archives/a.txt.gz", "text", "quillgz", gzipSync("The quillgz words"), "a.txt"],
    ["archives/b.txt.xz", "text", "quillwort xz", packed("xz"), "b.txt"],
    ["archives/c.txt.bz2", "text", "quillwort bz2", packed("bz2"), "c.txt"],
    ["archives/d.txt.zst", "text", "quillwort zstd", packed("zst"), "d.txt"],
  ];
}

function binaries(): Row[] {
  const shot = { make: "Quillcam", model: "Model One", taken: "2021:06:05 10:20:30" };
  const padded = (start: string) => Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(200)]);
  return [
    ["binaries/a.png", "png", "3 x 5 pixels", png(3, 5)],
    ["binaries/a.gif", "gif", "7 x 9 pixels", gif(7, 9)],
    ["binaries/a.webp", "webp", "16 x 32 pixels", webp(16, 32)],
    ["binaries/a.jpg", "jpg", "Camera: Quillcam Model One", jpeg(640, 480, shot)],
    ["binaries/quillsong.mp3", "mp3", "quillsong.mp3", padded("ID3\x03\0\0\0\0\0\0")],
    ["binaries/quillfont.woff2", "woff2", "quillfont.woff2", padded("wOF2\0\x01\0\0")],
    ["binaries/quillprogram", "elf", "quillprogram", padded("\x7fELF\x02\x01\x01")],
    ["binaries/quillunknown.bin", "binary", "quillunknown.bin", Buffer.from([0, 1, 2, 3, 0])],
  ];
}
