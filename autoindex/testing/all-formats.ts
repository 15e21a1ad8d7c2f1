import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { docx, epub, notebook, openDocument, pdf, pptx, xlsx, zip } from "./document-fixtures.js";
import { packed } from "./packed-fixtures.js";
import { gif, jpeg, png, webp } from "./picture-fixtures.js";

/** A message with a text, a page and something attached. */
export function message(subject: string, words: string): string {
  return [
    "From: Ada <ada@example.org>",
    "To: bob@example.org",
    `Subject: ${subject}`,
    "Date: Tue, 01 Oct 2024 10:00:00 +0000",
    "Message-ID: <1@example.org>",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    words,
    "--b",
    'Content-Disposition: attachment; filename="data.bin"',
    "Content-Transfer-Encoding: base64",
    "",
    "AAECAw==",
    "--b--",
    "",
  ].join("\n");
}

/** A mailbox of some messages. */
export function mailbox(messages: readonly string[]): string {
  return messages.map((text) => `From ada@example.org Tue Oct  1 10:00:00 2024\n${text}\n`).join("");
}

/** A tar of texts. */
export async function tar(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name, size: Buffer.byteLength(body), mtime: new Date(0) },
    body,
  }));
  return Buffer.from(await packTar(entries));
}

/** One small file of every format that has a reader, by its name. */
export async function oneOfEach(): Promise<Record<string, Buffer>> {
  const row = "<table:table-cell><text:p>17</text:p></table:table-cell>";
  const shot = { make: "Canon", model: "EOS 5D", taken: "2021:06:05 10:20:30" };
  const slides = [{ title: "Start", words: "Words", notes: "Slowly" }];
  return {
    "a.pdf": await pdf(["The first page", "The second"], "A plan"),
    "a.docx": await docx([["Intro", "Hello."]], ["hammer", "12"]),
    "a.xlsx": await xlsx("Tools", [
      ["item", "bought"],
      ["anvil", new Date(0)],
    ]),
    "a.pptx": pptx(slides),
    "a.odt": openDocument("text", '<text:h text:outline-level="1">One</text:h><text:p>Words</text:p>'),
    "a.odp": openDocument("presentation", "<draw:page><text:p>Words</text:p></draw:page>"),
    "a.ods": openDocument(
      "spreadsheet",
      `<table:table table:name="S"><table:table-row>${row}</table:table-row></table:table>`,
    ),
    "a.epub": epub("A tale", ["<h1>Begin</h1><p>Once</p>"]),
    "a.rtf": Buffer.from("{\\rtf1\\ansicpg1251{\\fonttbl{\\f0 A;}}Hello \\'cf\\'f0 \\u8364?\\par{\\b x}}"),
    "a.eml": Buffer.from(message("Plan", "Some words")),
    "a.mbox": Buffer.from(mailbox([message("One", "First"), message("Two", "Second")])),
    "a.ipynb": Buffer.from(
      notebook([
        { kind: "code", source: "def f(): pass", output: "1" },
        { kind: "markdown", source: "# H" },
      ]),
    ),
    "a.html": Buffer.from("<title>T</title><h1>A</h1><script>x</script><p>B &amp; C<table><tr><td>1<td>2</table><h2>D"),
    "a.rst": Buffer.from("Title\n=====\n\nwords\n\nPart\n----\n\nmore\n"),
    "a.adoc": Buffer.from("= Title\n\nwords\n\n== Part\n\n----\n== code\n----\n"),
    "a.org": Buffer.from("* TODO One :tag:\nwords\n** Two\nmore\n"),
    "a.zip": zip({ "src/a.py": "def quill(): pass\n", "b.txt": "words ".repeat(200) }),
    "a.tar": await tar({ "a.txt": "first", "b/c.txt": "second" }),
    "a.tar.gz": gzipSync(await tar({ "a.txt": "first", "b/c.txt": "second" })),
    "a.tar.xz": packed("tarXz"),
    "a.xz": packed("xz"),
    "a.bz2": packed("bz2"),
    "a.zst": packed("zst"),
    "a.png": png(3, 5),
    "a.gif": gif(7, 9),
    "a.webp": webp(16, 32),
    "a.jpg": jpeg(640, 480, shot),
  };
}
