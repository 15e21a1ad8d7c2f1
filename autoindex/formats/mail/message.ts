import PostalMime, { type Address, type Email } from "postal-mime";
import { htmlInto } from "../html-into.js";
import { readHtml } from "../html-text.js";
import { type Deadline, LIMITS } from "../limits.js";
import type { Reader } from "../reader.js";
import type { TextBuilder } from "../text-builder.js";

/** How deep messages and parts may lie in one another. */
const MAX_NESTING = 20;
const MAX_HEADERS = 1024 * 1024;

/** One message (RFC 5322, MIME): its headers, its text, the names of what is attached. */
export const readMessage: Reader = (bytes, out, deadline) => addMessage(bytes, out, deadline);

/** Writes one message as a section called by its subject. */
export async function addMessage(bytes: Uint8Array, out: TextBuilder, deadline: Deadline): Promise<void> {
  const whole = bytes.subarray(0, LIMITS.messageBytes);
  if (whole.length < bytes.length) out.note(`a message of ${bytes.length} bytes was read to ${LIMITS.messageBytes}`);
  const parser = new PostalMime({ maxNestingDepth: MAX_NESTING, maxHeadersSize: MAX_HEADERS });
  const email = await deadline.within(parser.parse(whole));
  out.section(1, email.subject ?? "(no subject)");
  for (const [name, value] of headersOf(email)) if (value !== "") out.line(`${name}: ${value}`);
  out.line("");
  if (email.text?.trim()) out.line(email.text.replace(/\r\n/g, "\n").trim());
  else if (email.html) {
    readHtml(email.html, htmlInto(out, 2), deadline);
    out.endLine();
  }
  for (const { filename, mimeType, content } of email.attachments) {
    const size = typeof content === "string" ? content.length : content.byteLength;
    out.line(`Attachment: ${filename ?? "(unnamed)"} (${mimeType}, ${size} bytes)`);
  }
}

function headersOf(email: Email): [name: string, value: string][] {
  return [
    ["Subject", email.subject ?? ""],
    ["From", addresses(email.from ? [email.from] : [])],
    ["To", addresses(email.to ?? [])],
    ["Cc", addresses(email.cc ?? [])],
    ["Date", email.date ?? ""],
    ["Message-ID", email.messageId ?? ""],
  ];
}

function addresses(list: readonly Address[]): string {
  const printed = list.flatMap((entry) => (entry.group ? entry.group : [entry]));
  return printed.map(({ name, address }) => (name ? `${name} <${address ?? ""}>` : (address ?? ""))).join(", ");
}
