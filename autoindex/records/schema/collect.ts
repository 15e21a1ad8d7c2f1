import { BOUNDS } from "../bounds.js";
import { isFieldName } from "../field-name.js";
import { isRecord, type RecordValue } from "../record.js";
import { FieldProfile } from "./profile.js";

/** A field with those inside it, by the names that records use. */
class FieldNode {
  readonly profile = new FieldProfile();
  readonly children = new Map<string, FieldNode>();

  constructor(readonly path: string) {}
}

/** Why records are not taken as a data set. */
export type Refusal = "too_many_fields" | "bad_field_name";

/** Looks at every value of every record, so that none is refused later because the first one looked like something else. */
export class SchemaCollector {
  readonly #root = new FieldNode("");
  readonly #byPath = new Map<string, FieldNode>();
  records = 0;
  refusal: Refusal | undefined;

  /** False when the records cannot be one data set; `refusal` says why. */
  add(record: RecordValue): boolean {
    this.records++;
    return this.#walk(record, this.#root, 0);
  }

  /** Profiles by path, sorted by it. */
  profiles(): [path: string, profile: FieldProfile][] {
    return [...this.#byPath].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, node]) => [path, node.profile]);
  }

  #walk(record: RecordValue, at: FieldNode, depth: number): boolean {
    for (const name of Object.keys(record)) {
      const value = record[name];
      const node = at.children.get(name) ?? this.#adopt(at, name);
      if (!node) return false;
      if (typeof value !== "object") node.profile.add(value);
      else if (value !== null && !this.#walkInside(value, node, depth)) return false;
    }
    return true;
  }

  /** The values of an array count one by one, as Elasticsearch takes them. */
  #walkInside(value: object, node: FieldNode, depth: number): boolean {
    const { profile } = node;
    if (depth >= BOUNDS.depth) {
      profile.isClosed = true;
      return true;
    }
    if (isRecord(value)) {
      profile.objects++;
      return this.#walk(value, node, depth + 1);
    }
    for (const item of value as unknown[]) {
      if (typeof item !== "object") profile.add(item);
      // Arrays inside arrays are one list to Elasticsearch.
      else if (item !== null && !this.#walkInside(item, node, isRecord(item) ? depth : depth + 1)) return false;
    }
    return true;
  }

  /** A field met for the first time; a dot in a name is an object to Elasticsearch. */
  #adopt(parent: FieldNode, name: string): FieldNode | undefined {
    if (!isFieldName(name)) {
      this.refusal = "bad_field_name";
      return undefined;
    }
    const path = parent.path === "" ? name : `${parent.path}.${name}`;
    for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
      const around = this.#at(path.slice(0, dot));
      if (around) around.profile.objects ||= 1;
    }
    const node = this.#at(path);
    if (node) parent.children.set(name, node);
    return node;
  }

  #at(path: string): FieldNode | undefined {
    const known = this.#byPath.get(path);
    if (known) return known;
    if (this.#byPath.size >= BOUNDS.fields) {
      this.refusal = "too_many_fields";
      return undefined;
    }
    const node = new FieldNode(path);
    this.#byPath.set(path, node);
    return node;
  }
}
