import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { docx, epub, notebook, openDocument, pdf, pptx, xlsx, zip } from "../testing/document-fixtures.js";
import { gif, jpeg, png, webp } from "../testing/picture-fixtures.js";
import { convert } from "./convert.js";
import { Deadline } from "./limits.js";
import { describeBinary } from "./media/describe.js";
import { readNotebook } from "./notebook.js";
import { type DocumentFormat, tell } from "./tell.js";
import type { MadeText } from "./text-builder.js";

/** A document told by its content and read. */
async function read(bytes: Buffer, format: DocumentFormat): Promise<MadeText> {
  const told = await tell(bytes, new Deadline());
  expect(told).toMatchObject({ kind: "document", format });
  if (format === "notebook") throw new Error("notebooks are read by readNotebook");
  return convert(format, bytes, new Deadline());
}

const names = ({ sections }: MadeText) => sections.map(({ qualifiedName }) => qualifiedName);
/** The text of each section by its name. */
const texts = ({ text, sections }: MadeText) =>
  Object.fromEntries(sections.map(({ name, start, end }) => [name, text.slice(start, end)]));

const MESSAGE = [
  "Return-Path: <ada@example.org>",
  "From: =?utf-8?Q?Ada_L=C3=B6vel?= <ada@example.org>",
  "To: bob@example.org",
  "Subject: The engine's plan",
  "Date: Tue, 01 Oct 2024 10:00:00 +0000",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain; charset=iso-8859-1",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "Die Pl=E4ne liegen bei.",
  "--b",
  'Content-Type: application/pdf; name="plan.pdf"',
  'Content-Disposition: attachment; filename="plan.pdf"',
  "Content-Transfer-Encoding: base64",
  "",
  "JVBERi0=",
  "--b--",
  "",
].join("\r\n");

describe("documents", () => {
  it("PDF: a section a page, the title first", async () => {
    const made = await read(await pdf(["The first page", "The second page"], "A plan"), "pdf");
    expect(names(made)).toEqual(["page 1", "page 2"]);
    expect(made.text).toMatch(/^Title: A plan\nThe first page\nThe second page/);
    expect(made.notes).toEqual([]);
  });

  it("PDF without text says so", async () => {
    expect((await read(await pdf([""]), "pdf")).notes).toEqual(["no text is in it; its pages may be pictures"]);
  });

  it("PDF whose page unpacks to a hundred million blanks is not unpacked", async () => {
    const blanks = deflateSync(Buffer.alloc(100_000_000, " "), { level: 9 });
    const head = Buffer.from(`%PDF-1.4\n1 0 obj\n<</Filter/FlateDecode/Length ${blanks.length}>>\nstream\n`);
    const made = await read(Buffer.concat([head, blanks, Buffer.from("\nendstream\nendobj\n")]), "pdf");
    expect(made.notes).toEqual(["read in part: a stream of it unpacks to more than 67108864 bytes"]);
  });

  it("Word: sections by headings, a table's row on one line", async () => {
    const made = await read(
      await docx(
        [
          ["Intro", "Hello & welcome."],
          ["Costs", "All in all."],
        ],
        ["hammer", "12.50"],
      ),
      "docx",
    );
    expect(names(made)).toEqual(["Intro", "Costs"]);
    expect(texts(made).Intro).toBe("Intro\nHello & welcome.");
    expect(texts(made).Costs).toBe("Costs\nAll in all.\nhammer\t12.50");
  });

  it("PowerPoint: slides in the order they are shown, with title and notes", async () => {
    const slides = [
      { title: "Start", words: "Why we are here", notes: "Speak slowly" },
      { title: "End", words: "Thanks", notes: "" },
    ];
    const made = await read(pptx(slides), "pptx");
    expect(texts(made)).toEqual({
      "slide 1: Start": "Start\nWhy we are here\nSpeak slowly",
      "slide 2: End": "End\nThanks",
    });
  });

  it("Excel: a section a sheet, cells with tabs, dates as dates", async () => {
    const rows = [
      ["item", "price", "bought"],
      ["anvil", 99.5, new Date(Date.UTC(2024, 1, 29))],
    ];
    const made = await read(await xlsx("Tools", rows), "xlsx");
    expect(texts(made)).toEqual({ Tools: "Tools\nitem\tprice\tbought\nanvil\t99.5\t2024-02-29" });
  });

  it("OpenDocument text: headings by their depth", async () => {
    const body =
      '<text:h text:outline-level="1">One</text:h><text:p>First<text:tab/>words</text:p><text:h text:outline-level="2">Two</text:h><text:p>More</text:p>';
    const made = await read(openDocument("text", body), "odt");
    expect(names(made)).toEqual(["One", "One.Two"]);
    expect(made.text).toBe("One\nFirst\twords\nTwo\nMore\n");
  });

  it("OpenDocument presentation and spreadsheet: slides and sheets", async () => {
    const slide = "<draw:page><draw:frame><text:p>On the slide</text:p></draw:frame></draw:page>";
    expect(texts(await read(openDocument("presentation", slide), "odp"))).toEqual({ "slide 1": "On the slide" });
    const cell = (words: string) => `<table:table-cell><text:p>${words}</text:p></table:table-cell>`;
    const sheet = `<table:table table:name="Stock"><table:table-row>${cell("bolts")}${cell("17")}</table:table-row></table:table>`;
    expect(texts(await read(openDocument("spreadsheet", sheet), "ods"))).toEqual({ Stock: "Stock\nbolts\t17" });
  });

  it("EPUB: chapters in the order of the spine", async () => {
    const chapters = ["<h1>Begin</h1><p>Once &eacute;n route</p>", "<h1>End</h1><p>They lived</p>"];
    const made = await read(epub("A tale", chapters), "epub");
    expect(names(made)).toEqual(["chapter 1.Begin", "chapter 2.End"]);
    expect(made.text).toBe("A tale\nBegin\nOnce én route\nEnd\nThey lived\n");
  });

  it("RTF: its text without the layout, in its code page and in Unicode", async () => {
    const source =
      "{\\rtf1\\ansi\\ansicpg1251{\\fonttbl{\\f0 Arial;}}{\\*\\generator x;}\\f0 Hello \\b world\\b0\\par \\'cf\\'f0\\'e8 \\u8364?\\tab 5\\par}";
    expect((await read(Buffer.from(source), "rtf")).text).toBe("Hello world\nПри €\t5\n");
    // Control words that every object of the language has are unknown ones, and stand for nothing.
    const odd = "{\\rtf1\\ansi one\\constructor two\\toString three\\valueOf{\\hasOwnProperty four}\\par}";
    expect((await read(Buffer.from(odd), "rtf")).text).toBe("onetwothreefour\n");
  });

  it("a message: headers, text by its own encoding, names of attachments", async () => {
    const made = await read(Buffer.from(MESSAGE), "email");
    expect(names(made)).toEqual(["The engine's plan"]);
    expect(made.text).toContain("From: Ada Lövel <ada@example.org>\n");
    expect(made.text).toContain("\nDie Pläne liegen bei.\n");
    expect(made.text).toContain("Attachment: plan.pdf (application/pdf, 5 bytes)");
  });

  it("a mailbox: a section a message, quoted lines as they were", async () => {
    const second = "From: x@example.org\nSubject: Two\nDate: Tue, 1 Oct 2024 10:00:00 +0000\n\n>From here on\n";
    const mbox = `From ada Tue Oct  1 10:00:00 2024\n${MESSAGE.replaceAll("\r\n", "\n")}\nFrom x Tue Oct  1 11:00:00 2024\n${second}`;
    const made = await read(Buffer.from(mbox), "mbox");
    expect(names(made)).toEqual(["The engine's plan", "Two"]);
    expect(texts(made).Two).toMatch(/\nFrom here on$/);
  });

  it("a message of HTML alone: as it is read", async () => {
    const html = "<style>p{}</style><p>Dear <b>all</b>,</p><p>caf&eacute;</p>";
    const source = `From: a@example.org\nDate: Tue, 1 Oct 2024 10:00:00 +0000\nSubject: Hi\nMIME-Version: 1.0\nContent-Type: text/html\n\n${html}\n`;
    expect((await read(Buffer.from(source), "email")).text).toMatch(/\nDear all,\ncafé\n$/);
  });

  it("a notebook: cells, outputs, where the code and where the prose is", async () => {
    const source = notebook([
      { kind: "markdown", source: "# Load\nThe *data*." },
      { kind: "code", source: "def load():\n    return 1", output: "loaded 7 rows\n" },
    ]);
    expect(await tell(Buffer.from(source), new Deadline())).toMatchObject({ kind: "document", format: "notebook" });
    const made = readNotebook(source)!;
    const cut = ({ start, end }: { start: number; end: number }) => made.text.slice(start, end);
    expect(made.language).toBe("python");
    expect(made.text).toBe("# Load\nThe *data*.\n\ndef load():\n    return 1\nloaded 7 rows\n");
    expect(made.prose.map(cut)).toEqual(["# Load\nThe *data*.\n"]);
    expect(made.code.map(cut)).toEqual(["def load():\n    return 1\n"]);
  });
});

describe("telling by content", () => {
  const told = async (bytes: string | Buffer) => {
    const found = await tell(Buffer.from(bytes), new Deadline());
    return "format" in found ? found.format : found.kind;
  };

  it.each<[what: string, bytes: string | Buffer, format: string]>([
    ["a zip of other files", zip({ "a.txt": "words" }), "zip"],
    ["an empty zip", Buffer.from(`504b0506${"00".repeat(18)}`, "hex"), "zip"],
    [
      "a patch that git mails",
      `From ${"a".repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: a@b\nDate: x\nSubject: y\n\nd\n`,
      "text",
    ],
    ["prose that begins with From", "From here to eternity: a novel\n\nIt was late.\n", "text"],
    ["a list of keys and values", "Name: x\nVersion: 2\n\nwords\n", "text"],
    ["a text that speaks of PDF", "the mark is %PDF-1.4\n", "text"],
    ["JSON that is no notebook", '{"nbformat": 4}', "text"],
    ["bytes", Buffer.from([0, 1, 2, 3]), "binary"],
    ["nothing", "", "text"],
  ])("%s", async (_, bytes, format) => {
    expect(await told(bytes)).toBe(format);
  });
});

describe("pictures and other binaries", () => {
  const facts = async (bytes: Buffer) => describeBinary(bytes, undefined, new Deadline());

  it.each<[what: string, bytes: Buffer, format: string, facts: string[]]>([
    ["PNG", png(3, 5), "png", ["3 x 5 pixels"]],
    ["GIF", gif(7, 9), "gif", ["7 x 9 pixels"]],
    ["WebP", webp(16, 32), "webp", ["16 x 32 pixels"]],
    [
      "JPEG with its camera",
      jpeg(640, 480, { make: "Canon", model: "EOS 5D", taken: "2021:06:05 10:20:30" }),
      "jpg",
      ["640 x 480 pixels", "Camera: Canon EOS 5D", "Taken: 2021-06-05 10:20:30"],
    ],
    ["ELF", Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01", "latin1"), Buffer.alloc(200)]), "elf", []],
    ["MP3", Buffer.concat([Buffer.from("ID3\x03\0\0\0\0\0\0", "latin1"), Buffer.alloc(200)]), "mp3", []],
    ["a font", Buffer.concat([Buffer.from("wOF2\0\x01\0\0", "latin1"), Buffer.alloc(200)]), "woff2", []],
    ["unknown bytes", Buffer.from([0, 1, 2, 3]), "binary", []],
  ])("%s", async (_, bytes, format, expected) => {
    expect(await facts(bytes)).toMatchObject({ format, facts: expected });
  });
});
