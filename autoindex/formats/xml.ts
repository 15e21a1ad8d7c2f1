import { Parser } from "htmlparser2";
import type { Deadline } from "./limits.js";
import { TagSteps } from "./tag-steps.js";

/** What a reader of XML is told; names are as they are written, prefix included. */
export interface XmlListener {
  open?(name: string, attributes: Record<string, string>): void;
  text?(words: string): void;
  close?(name: string): void;
}

/** Characters between two looks at the clock. */
const STEP = 64 * 1024;

/**
 * Walks through an XML text. Forgiving: what is cut off or out of order is read as far as it goes. No entity but the
 * five of XML and numbers is replaced, so that a document cannot make itself larger.
 */
export function readXml(source: string, listener: XmlListener, deadline: Deadline): void {
  const steps = new TagSteps(deadline);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        steps.open();
        listener.open?.(name, attributes);
      },
      ontext: (words) => listener.text?.(words),
      onclosetag: (name) => {
        steps.close();
        listener.close?.(name);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < source.length; at += STEP) {
    deadline.check();
    parser.write(source.slice(at, at + STEP));
  }
  parser.end();
}
