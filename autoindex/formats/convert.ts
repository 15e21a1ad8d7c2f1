import { BoundReached, type Deadline } from "./limits.js";
import type { Reader } from "./reader.js";
import type { DocumentFormat } from "./tell.js";
import { type MadeText, TextBuilder } from "./text-builder.js";

/** Formats whose readers write into a text; a notebook has code and is read by process/notebook-outline.ts. */
type ReadFormat = Exclude<DocumentFormat, "notebook">;

/** The readers, loaded when the first file of their format is met. */
const READERS: Readonly<Record<ReadFormat, () => Promise<Reader>>> = {
  docx: async () => (await import("./office/docx.js")).readDocx,
  email: async () => (await import("./mail/message.js")).readMessage,
  epub: async () => (await import("./office/epub.js")).readEpub,
  mbox: async () => (await import("./mail/mbox.js")).readMbox,
  odp: async () => (await import("./office/odf.js")).readOdf,
  ods: async () => (await import("./office/odf.js")).readOdf,
  odt: async () => (await import("./office/odf.js")).readOdf,
  pdf: async () => (await import("./pdf.js")).readPdf,
  pptx: async () => (await import("./office/pptx.js")).readPptx,
  rtf: async () => (await import("./rtf.js")).readRtf,
  xlsx: async () => (await import("./office/xlsx.js")).readXlsx,
};

/** Makes a text of a document. Never throws for what is in the file: what was read is there, the notes say what is not. */
export async function convert(format: ReadFormat, bytes: Buffer, deadline: Deadline): Promise<MadeText> {
  const read = await READERS[format]();
  const out = new TextBuilder();
  try {
    await read(bytes, out, deadline);
  } catch (error) {
    out.note(reasonOf(error));
  }
  return out.finish();
}

/** A bound by its own words; anything else is damage that a library met. */
function reasonOf(error: unknown): string {
  if (error instanceof BoundReached) return `read in part: ${error.message}`;
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  if (name === "PasswordException") return "encrypted: a password is needed";
  return `damaged: ${message.slice(0, 200)}`;
}
