/** `fingerprint`: a hash of fields. The bytes that are hashed are those of Elasticsearch, so that both give the same. */
import { createHash, type Hash } from "node:crypto";
import { illegalArgument } from "../../errors.js";
import { parsePath } from "../document/path.js";
import { isValueObject, javaType, type Value, WholeDouble } from "../document/values.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

const METHODS: Readonly<Record<string, string>> = {
  MD5: "md5",
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-512": "sha512",
};
const DELIMITER = Uint8Array.of(0);
const TRUE = Uint8Array.of(1);
const FALSE = Uint8Array.of(2);

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function fingerprint(options: Options): Run {
  const names = options.strings("fields").sort();
  if (names.length === 0) throw options.error("fields", "must specify at least one field");
  const fields = names.map(parsePath);
  const target = options.pathOr("target_field", "fingerprint");
  const salt = options.optionalString("salt") ?? "";
  const method = options.optionalString("method") ?? "SHA-1";
  if (method === "MurmurHash3") throw options.error("method", `[${method}] is not supported by Pinakes`);
  if (!Object.hasOwn(METHODS, method)) {
    const known = Object.keys(METHODS).join(",");
    throw options.error("method", `[${method}] must be one of the supported hash methods [${known}]`);
  }
  const ignoreMissing = options.boolean("ignore_missing", false);
  return (document) => {
    const hash = createHash(METHODS[method]);
    hash.update(salt.trim() === "" ? "" : salt);
    let found = 0;
    for (const field of fields) {
      const value = document.lookUp(field) ?? null;
      if (value === null) {
        if (ignoreMissing) continue;
        throw illegalArgument(`missing field [${field.text}] when calculating fingerprint`);
      }
      found++;
      feed(hash, value);
    }
    if (found > 0) document.set(target(document), hash.digest("base64"));
  };
}

/** Items in their order, members by name. */
function feed(hash: Hash, value: Value): void {
  if (Array.isArray(value)) for (const item of value) feed(hash, item);
  else if (isValueObject(value)) {
    for (const name of Object.keys(value).sort()) {
      hash.update(DELIMITER).update(name);
      feed(hash, value[name]);
    }
  } else hash.update(DELIMITER).update(bytesOf(value));
}

/** Numbers are little-endian, as long as Java's types are. */
function bytesOf(value: Value): Uint8Array | string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? TRUE : FALSE;
  const type = javaType(value);
  const bytes = Buffer.alloc(type === "java.lang.Integer" ? 4 : 8);
  if (type === "java.lang.Integer") bytes.writeInt32LE(value as number);
  else if (type === "java.lang.Long") bytes.writeBigInt64LE(BigInt(value as number | bigint));
  else if (type === "java.lang.Double")
    bytes.writeDoubleLE(value instanceof WholeDouble ? value.value : (value as number));
  else throw illegalArgument(`cannot convert object of type [${type}] to bytes`);
  return bytes;
}
