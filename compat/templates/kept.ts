/**
 * Templates in the node's metadata: one record each, its value the JSON text of the template, so that whole numbers
 * beyond 2^53 in a mapping or in `_meta` come back as they were given.
 */
import type { EngineFace } from "../../engine/index.js";
import { parseText } from "../json/body.js";
import { printJson } from "../json/print.js";
import type { ComponentTemplate, IndexTemplate, LegacyTemplate, Templates } from "./template.js";

/** Where templates of a kind are kept, and what the kind is called. */
export interface Kind<T> {
  readonly prefix: string;
  /** As Elasticsearch's texts name it. */
  readonly label: string;
  /** Never there: it only tells the compiler what is kept. */
  readonly kept?: T;
}

export const COMPONENTS: Kind<ComponentTemplate> = { prefix: "template/component/", label: "component template" };
export const INDICES: Kind<IndexTemplate> = { prefix: "template/index/", label: "index template" };
export const LEGACY: Kind<LegacyTemplate> = { prefix: "template/legacy/", label: "index_template" };

/** Parsed texts; they are never changed. */
const parsed = new WeakMap<EngineFace, Map<string, { text: string; value: unknown }>>();

/** Templates of a kind by name, in the order of their names. */
export function templatesOf<T>(engine: EngineFace, kind: Kind<T>): Map<string, T> {
  const found = new Map<string, T>();
  for (const key of engine.metadata.keys(kind.prefix)) {
    found.set(key.slice(kind.prefix.length), parsedAt(engine, key) as T);
  }
  return found;
}

function parsedAt(engine: EngineFace, key: string): unknown {
  const text = engine.metadata.get(key) as string;
  const known = parsed.get(engine) ?? new Map<string, { text: string; value: unknown }>();
  parsed.set(engine, known);
  const before = known.get(key);
  if (before?.text === text) return before.value;
  const value = parseText(text);
  known.set(key, { text, value });
  return value;
}

/** All templates there are. */
export function allTemplates(engine: EngineFace): Templates {
  return {
    components: templatesOf(engine, COMPONENTS),
    indices: templatesOf(engine, INDICES),
    legacy: templatesOf(engine, LEGACY),
  };
}

/** Keeps a template, or forgets it when it is undefined; durable when it resolves. */
export async function keepTemplates<T>(
  engine: EngineFace,
  kind: Kind<T>,
  changes: ReadonlyMap<string, T | undefined>,
): Promise<void> {
  const records = [...changes].map(([name, template]) => [
    kind.prefix + name,
    template === undefined ? undefined : printJson(template),
  ]);
  if (records.length > 0) await engine.metadata.put(Object.fromEntries(records));
}
