import { BoundReached, LIMITS } from "../limits.js";
import type { Reader } from "../reader.js";
import { addMessage } from "./message.js";
import { SEPARATOR } from "./separator.js";

const LINE_FEED = 0x0a;

/** A mailbox (RFC 4155): a section a message. A message that cannot be read is left out, the others are there. */
export const readMbox: Reader = async (bytes, out, deadline) => {
  let damaged = 0;
  let count = 0;
  for (const message of messagesOf(bytes)) {
    deadline.check();
    if (++count > LIMITS.messages) throw new BoundReached(`more than ${LIMITS.messages} messages`);
    try {
      await addMessage(unquoted(message), out, deadline);
    } catch (error) {
      if (error instanceof BoundReached) throw error;
      damaged++;
    }
  }
  if (damaged > 0) out.note(`${damaged} messages left out: damaged`);
};

/** The bytes of each message, without its separating line. */
function* messagesOf(bytes: Buffer): Generator<Buffer> {
  let start = -1;
  for (let line = 0; line < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, line);
    const end = feed < 0 ? bytes.length : feed + 1;
    if (isSeparator(bytes, line, end)) {
      if (start >= 0) yield bytes.subarray(start, line);
      start = end;
    }
    line = end;
  }
  if (start >= 0) yield bytes.subarray(start);
}

/** At the beginning or after an empty line. */
function isSeparator(bytes: Buffer, line: number, end: number): boolean {
  if (bytes[line] !== 0x46 || bytes[line + 1] !== 0x72) return false;
  const isAfterEmpty =
    line === 0 || bytes[line - 2] === LINE_FEED || bytes.toString("latin1", line - 3, line) === "\n\r\n";
  return isAfterEmpty && SEPARATOR.test(bytes.toString("latin1", line, Math.min(end, line + 300)));
}

/** Lines of a message that began with `From ` were written with a `>` before them. */
function unquoted(message: Buffer): Buffer {
  if (!message.includes("\n>From ")) return message;
  return Buffer.from(message.toString("latin1").replace(/^>(>*From )/gm, "$1"), "latin1");
}
