import { getDocumentProxy } from "unpdf";
import { type Deadline, LIMITS } from "./limits.js";
import { checkPdfStreams } from "./pdf-streams.js";
import type { Reader } from "./reader.js";
import { ignoringStrayRejections } from "./stray-rejections.js";
import type { TextBuilder } from "./text-builder.js";

/** Parts of the information dictionary that are worth searching. */
const INFO = ["Title", "Author", "Subject", "Keywords"] as const;

/** PDF (ISO 32000), by pdf.js: a section a page. What is drawn as pictures has no text. */
export const readPdf: Reader = (bytes, out, deadline) => ignoringStrayRejections(() => readPages(bytes, out, deadline));

async function readPages(bytes: Buffer, out: TextBuilder, deadline: Deadline): Promise<void> {
  checkPdfStreams(bytes, deadline);
  // pdf.js takes the memory it is given for itself.
  const pdf = await deadline.within(getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false }));
  try {
    const { info } = await deadline.within(pdf.getMetadata());
    const about = info as Record<string, unknown>;
    for (const key of INFO) if (typeof about[key] === "string" && about[key] !== "") out.line(`${key}: ${about[key]}`);
    for (let number = 1; number <= Math.min(pdf.numPages, LIMITS.pages); number++) {
      deadline.check();
      const page = await deadline.within(pdf.getPage(number));
      const { items } = await deadline.within(page.getTextContent());
      out.section(1, `page ${number}`);
      for (const item of items) if ("str" in item) out.add(item.hasEOL ? `${item.str}\n` : item.str);
      page.cleanup();
    }
    if (pdf.numPages > LIMITS.pages) out.note(`${pdf.numPages - LIMITS.pages} pages beyond ${LIMITS.pages}`);
    if (out.isEmpty) out.note("no text is in it; its pages may be pictures");
  } finally {
    await pdf.destroy();
  }
}
