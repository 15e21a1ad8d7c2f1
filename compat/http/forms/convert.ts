/** Bodies and answers in the other forms that Elasticsearch speaks. All of Pinakes works on JSON; here is the way in and out. */

import { parseTree } from "../../json/tree.js";
import { PlainError } from "../plain-error.js";
import { printCbor, readCbor } from "./cbor.js";
import { readSmile, readSmileDocuments } from "./smile-reader.js";
import { printSmile } from "./smile-writer.js";
import { printYaml, readYaml } from "./yaml.js";

/** How a body is written down. */
export type ContentForm = "json" | "yaml" | "cbor" | "smile";

const READERS: Readonly<Record<Exclude<ContentForm, "json">, (bytes: Buffer) => string>> = {
  yaml: readYaml,
  cbor: readCbor,
  smile: readSmile,
};

/** A body as JSON text, the same bytes if it is that already. Throws ApiError 400. */
export function toJsonBody(bytes: Buffer, form: ContentForm): Buffer {
  return form === "json" || bytes.length === 0 ? bytes : Buffer.from(READERS[form](bytes), "utf8");
}

/** A body of several documents as lines of JSON. Throws PlainError 406 for forms that cannot be told apart in a stream. */
export function toJsonLines(bytes: Buffer, form: ContentForm, contentType: string): Buffer {
  if (form === "json") return bytes;
  if (form !== "smile") {
    throw new PlainError(
      406,
      `Content-Type [${contentType}] does not support stream parsing. Use JSON or SMILE instead`,
    );
  }
  const lines = readSmileDocuments(bytes).map((text) => `${text}\n`);
  return Buffer.from(lines.join(""), "utf8");
}

const PRINTERS: Readonly<Record<Exclude<ContentForm, "json">, (text: string) => Buffer>> = {
  yaml: (text) => Buffer.from(printYaml(parseTree(text)), "utf8"),
  cbor: (text) => printCbor(parseTree(text)),
  smile: (text) => printSmile(parseTree(text)),
};

/** Valid JSON text in another form. */
export function fromJsonText(text: string, form: Exclude<ContentForm, "json">): Buffer {
  return PRINTERS[form](text);
}
