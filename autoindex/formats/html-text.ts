import { Parser } from "htmlparser2";
import { type Deadline, LIMITS } from "./limits.js";
import { TagSteps } from "./tag-steps.js";

/** What a reader of HTML is told, in the order of the document. */
export interface HtmlListener {
  /** Words to be read; entities are decoded, white space is as it was only inside `pre`. */
  text(words: string): void;
  /** A new line of text begins. */
  breakLine(): void;
  /** A heading begins at an index of the source; its words come as text until `headingEnd`. */
  heading(level: number, start: number): void;
  headingEnd(): void;
  /** The words of the document's title. */
  title(words: string): void;
}

/** Elements whose content nobody reads. */
const UNREAD = new Set(["script", "style", "template", "noscript", "object", "canvas", "svg", "math"]);
/** Elements that stand on lines of their own. */
const BLOCKS = new Set(
  (
    "address article aside blockquote br caption center dd details dialog div dl dt fieldset figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody tfoot thead title tr ul"
  ).split(" "),
);
/** Characters between two looks at the clock. */
const STEP = 64 * 1024;

/** Walks through an HTML or XHTML text and tells what a reader of the page sees of it. */
export function readHtml(source: string, listener: HtmlListener, deadline: Deadline): void {
  const steps = new TagSteps(deadline);
  let unread = 0;
  let pre = 0;
  let title: string | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        steps.open();
        if (UNREAD.has(name)) unread++;
        if (name === "title") title = "";
        if (unread > 0) return;
        if (name === "pre" || name === "textarea") pre++;
        if (BLOCKS.has(name)) listener.breakLine();
        else if (name === "td" || name === "th") listener.text("\t");
        const level = headingLevel(name);
        if (level > 0) listener.heading(level, parser.startIndex);
        const { alt } = attributes;
        if (alt) listener.text(` ${alt} `);
      },
      ontext(words) {
        if (title !== undefined) title += words;
        else if (unread === 0) listener.text(pre > 0 ? words : words.replace(/\s+/g, " "));
      },
      onclosetag(name) {
        steps.close();
        if (UNREAD.has(name)) unread = Math.max(0, unread - 1);
        if (name === "title" && title !== undefined) {
          listener.title(title.trim().replace(/\s+/g, " "));
          title = undefined;
        }
        if (unread > 0) return;
        if (headingLevel(name) > 0) listener.headingEnd();
        if (name === "pre" || name === "textarea") pre = Math.max(0, pre - 1);
        if (BLOCKS.has(name)) listener.breakLine();
      },
    },
    { decodeEntities: true },
  );
  const whole = source.slice(0, LIMITS.textLength);
  for (let at = 0; at < whole.length; at += STEP) {
    deadline.check();
    parser.write(whole.slice(at, at + STEP));
  }
  parser.end();
}

function headingLevel(name: string): number {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
}
