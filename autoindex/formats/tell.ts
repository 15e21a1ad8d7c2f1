import { isNamedAsText } from "../languages/index.js";
import { decode, type Encoding } from "../sniff/decode.js";
import { isTar } from "./archive/is-tar.js";
import type { Packing } from "./archive/unpack.js";
import type { Deadline } from "./limits.js";
import { SEPARATOR } from "./mail/separator.js";

/** Documents that are read into a text. */
export type DocumentFormat =
  | "pdf"
  | "docx"
  | "pptx"
  | "xlsx"
  | "odt"
  | "odp"
  | "ods"
  | "epub"
  | "rtf"
  | "email"
  | "mbox"
  | "notebook";

/** Files that hold other files. */
export type ArchiveFormat = "zip" | "tar" | Packing;

/** What a file is, by its content alone. */
export type Told =
  | { kind: "text"; text: string; encoding: Encoding }
  | { kind: "document"; format: DocumentFormat; text: string; encoding: Encoding }
  | { kind: "archive"; format: ArchiveFormat }
  | { kind: "binary" };

/** Bytes at the beginning that say what follows. */
const SIGNATURES: readonly [hex: string, told: Told][] = [
  ["1f8b08", { kind: "archive", format: "gzip" }],
  ["fd377a585a00", { kind: "archive", format: "xz" }],
  ["28b52ffd", { kind: "archive", format: "zstd" }],
  ["425a6831314159265359", { kind: "archive", format: "bzip2" }],
];
/** Where a PDF's signature may stand: some programs write a few lines before it. */
const PDF_WITHIN = 1024;
/** How much of a text is looked at for the marks of mail and notebooks. */
const HEAD = 16 * 1024;

/** The parts that tell what a zip is the package of. */
const PACKAGES: readonly [part: string, format: DocumentFormat][] = [
  ["word/document.xml", "docx"],
  ["ppt/presentation.xml", "pptx"],
  ["xl/workbook.xml", "xlsx"],
  ["META-INF/container.xml", "epub"],
];
/** What the member `mimetype` of a zip begins with. */
const MEDIA_TYPES: readonly [type: string, format: DocumentFormat][] = [
  ["application/vnd.oasis.opendocument.text", "odt"],
  ["application/vnd.oasis.opendocument.presentation", "odp"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/epub+zip", "epub"],
];

/**
 * Tells what a file is, by its content. Its name counts in one case: where a few bytes are in it that no text has, a file
 * of a known language is still a text.
 */
export async function tell(bytes: Buffer, deadline: Deadline, name = ""): Promise<Told> {
  const start = bytes.toString("hex", 0, 16);
  const signed = SIGNATURES.find(([hex]) => start.startsWith(hex) || (hex.startsWith("425a68") && isBzip2(start)));
  if (signed) return signed[1];
  if (start.startsWith("504b0304") || start.startsWith("504b0506")) return tellZip(bytes, deadline);
  if (isTar(bytes)) return { kind: "archive", format: "tar" };
  if (bytes.toString("latin1", 0, 5) === "%PDF-") return document("pdf");
  const decoded = decode(bytes, isNamedAsText(name) ? "text" : "anything");
  if (decoded.kind === "binary") return tellBinary(bytes);
  const format = tellText(decoded.text);
  return format ? { ...decoded, kind: "document", format } : decoded;
}

function document(format: DocumentFormat): Told {
  return { kind: "document", format, text: "", encoding: "utf-8" };
}

/** The block size stands between the signature's two parts. */
function isBzip2(hex: string): boolean {
  return /^425a683[1-9]314159265359/.test(hex);
}

function tellBinary(bytes: Buffer): Told {
  return bytes.subarray(0, PDF_WITHIN).includes("%PDF-") ? document("pdf") : { kind: "binary" };
}

async function tellZip(bytes: Buffer, deadline: Deadline): Promise<Told> {
  const { listZip } = await import("./archive/zip.js");
  const { members } = await listZip(bytes, deadline);
  const first = members[0];
  if (first?.name === "mimetype") {
    const content = await first.read(200);
    const type = content.kind === "bytes" ? content.bytes.toString("latin1") : "";
    const row = MEDIA_TYPES.find(([prefix]) => type.startsWith(prefix));
    if (row) return document(row[1]);
  }
  const names = new Set(members.map(({ name }) => name));
  const row = PACKAGES.find(([part]) => names.has(part));
  const isBook = row?.[1] !== "epub" || [...names].some((name) => name.endsWith(".opf"));
  return row && isBook ? document(row[1]) : { kind: "archive", format: "zip" };
}

function tellText(text: string): DocumentFormat | undefined {
  const head = text.slice(0, HEAD);
  if (head.startsWith("{\\rtf")) return "rtf";
  if (isNotebook(text)) return "notebook";
  if (isMailbox(head)) return "mbox";
  return isMessage(head) ? "email" : undefined;
}

/** JSON with the two keys that every notebook has; the second stands at the end when keys are sorted. */
function isNotebook(text: string): boolean {
  if (!/^\s{0,100}\{/.test(text)) return false;
  return /"nbformat"\s*:\s*\d/.test(text) && /"(?:cells|worksheets)"\s*:\s*\[/.test(text);
}

/** The first line separates messages, and headers follow. Patches as git mails them stay the text they are. */
function isMailbox(head: string): boolean {
  const end = head.indexOf("\n");
  if (end < 0 || !SEPARATOR.test(head.slice(0, Math.min(end, 300)))) return false;
  const isPatch = /^From [0-9a-f]{40,64} Mon Sep 17 00:00:00 2001/.test(head);
  return !isPatch && headersIn(head.slice(end + 1)) >= 2;
}

/** Headers from the first line on, those that say who and when among them, then an empty line. */
function isMessage(head: string): boolean {
  return (
    headersIn(head) >= 3 &&
    /^(?:from|received|return-path):/im.test(head) &&
    /^(?:date|message-id|received):/im.test(head)
  );
}

const KNOWN_HEADERS =
  /^(?:received|return-path|from|to|cc|bcc|subject|date|message-id|mime-version|content-type|reply-to|sender|delivered-to|x-[a-z-]+|dkim-signature|in-reply-to|references)$/i;

/** How many known headers of mail a text begins with; 0 when something else stands between them. */
function headersIn(head: string): number {
  let count = 0;
  for (const line of head.split(/\r?\n/)) {
    if (line === "") return count;
    if (/^[ \t]/.test(line)) continue;
    const name = /^([A-Za-z][A-Za-z0-9-]{0,76}):/.exec(line)?.[1];
    if (name === undefined) return 0;
    if (KNOWN_HEADERS.test(name)) count++;
  }
  // The headers are longer than what is looked at.
  return count;
}
