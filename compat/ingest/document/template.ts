/**
 * Texts with fields in them: `{{field}}` (escaped as in a JSON text) and `{{{field}}}` or `{{&field}}` (as they are). Of
 * mustache that is all; its sections and partials are refused by name.
 */
import { notSupported } from "../../errors.js";
import { type Json, setMember } from "../../json/value.js";
import { checkLength } from "../limits.js";
import type { IngestDocument } from "./ingest-document.js";
import { type FieldPath, parsePath } from "./path.js";
import { isValueObject, textOf, type Value, type ValueObject } from "./values.js";

/** A text that depends on the document. */
export interface Template {
  /** The text where it has no fields in it. */
  readonly constant: string | undefined;
  render(document: IngestDocument): string;
}

interface Part {
  readonly text: string;
  readonly path: FieldPath | undefined;
  readonly escaped: boolean;
}

const TAG = /\{\{\{\s*([^{}]+?)\s*\}\}\}|\{\{\s*([#^/>=!&]?)\s*([^{}]*?)\s*\}\}/g;

/** Compiles a text. Throws ApiError 400 naming what of mustache is not there. */
export function compileTemplate(text: string): Template {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(TAG)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), path: undefined, escaped: false });
    from = match.index + match[0].length;
    const sign = match[2] ?? "";
    if (sign === "!") continue;
    if (sign !== "" && sign !== "&") throw notSupported(`mustache tag [${match[0]}]`);
    const name = match[1] ?? match[3];
    if (name === "") throw notSupported(`mustache tag [${match[0]}]`);
    parts.push({ text: "", path: parsePath(name), escaped: match[1] === undefined && sign === "" });
  }
  if (from < text.length) parts.push({ text: text.slice(from), path: undefined, escaped: false });
  const constant = parts.every(({ path }) => path === undefined) ? parts.map((part) => part.text).join("") : undefined;
  return { constant, render: (document) => constant ?? joined(parts, document) };
}

function joined(parts: readonly Part[], document: IngestDocument): string {
  let text = "";
  for (const part of parts) {
    text += rendered(part, document);
    checkLength(text.length, document.limit);
  }
  return text;
}

function rendered({ text, path, escaped }: Part, document: IngestDocument): string {
  if (path === undefined) return text;
  const value = document.lookUp(path);
  if (value === undefined || value === null) return "";
  // Elasticsearch's mustache shows a list as a map from its indices.
  const shown = Array.isArray(value) ? textOf(Object.fromEntries(value.entries())) : textOf(value);
  return escaped ? JSON.stringify(shown).slice(1, -1) : shown;
}

/** A value of which every text may hold fields. */
export type ValueTemplate = (document: IngestDocument) => Value;

/** Compiles a value of a processor's options. */
export function compileValue(given: Json): ValueTemplate {
  if (typeof given === "string") {
    const template = compileTemplate(given);
    return (document) => template.render(document);
  }
  if (Array.isArray(given)) {
    const values = given.map(compileValue);
    return (document) => values.map((value) => value(document));
  }
  if (isValueObject(given)) {
    const members = Object.entries(given).map(
      ([key, value]) => [compileTemplate(key), compileValue(value as Json)] as const,
    );
    return (document) => {
      const object: ValueObject = {};
      for (const [key, value] of members) setMember(object, key.render(document), value(document));
      return object;
    };
  }
  return () => given as Value;
}
