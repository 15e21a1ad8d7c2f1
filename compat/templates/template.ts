/** The three kinds of templates, as they are kept. Start reading here, then plan-index.ts. */
import type { AliasEntry } from "../indices/aliases.js";
import type { JsonObject } from "../json/value.js";

/** What a template gives an index. */
export interface TemplateContent {
  /** Dotted names with `index.`; values are strings or lists of strings. */
  readonly settings?: FlatSettings;
  /** As it was given, without the name of a type around it. */
  readonly mappings?: JsonObject;
  readonly aliases?: Readonly<Record<string, AliasEntry>>;
}

export type FlatSettings = Readonly<Record<string, string | string[]>>;

/** A building block of index templates. */
export interface ComponentTemplate {
  readonly template: TemplateContent;
  readonly version?: number;
  readonly _meta?: JsonObject;
  readonly deprecated?: boolean;
}

/** What names that match are made as. */
export interface DataStreamOptions {
  readonly hidden: boolean;
  readonly allowCustomRouting: boolean;
  readonly timestampField: string;
}

export interface IndexTemplate {
  readonly patterns: readonly string[];
  readonly template?: TemplateContent;
  /** Names of component templates, the strongest last. */
  readonly composedOf: readonly string[];
  readonly ignoreMissing?: readonly string[];
  readonly priority?: number;
  readonly version?: number;
  readonly _meta?: JsonObject;
  readonly dataStream?: DataStreamOptions;
  readonly allowAutoCreate?: boolean;
  readonly deprecated?: boolean;
}

/** A template of the older kind: all that match apply, the highest order strongest. */
export interface LegacyTemplate extends TemplateContent {
  readonly patterns: readonly string[];
  readonly order: number;
  readonly version?: number;
}

/** Templates of a node at one moment, by name. */
export interface Templates {
  readonly components: ReadonlyMap<string, ComponentTemplate>;
  readonly indices: ReadonlyMap<string, IndexTemplate>;
  readonly legacy: ReadonlyMap<string, LegacyTemplate>;
}
