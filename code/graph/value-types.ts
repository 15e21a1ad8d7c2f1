/** Words that stand where a type would and are none. */
const NO_TYPES = new Set(
  "return new await in of is as if else and or not case go defer range from extends const let var val mut final".split(
    " ",
  ),
);

/**
 * The names of types that a text gives to a value, as far as one can read them beside it: `name: Type`, `name *pkg.Type`,
 * `Type name`, `name = new Type(`, `name := Type{`, `name = Type::new(`. Last parts alone; for ranking, not for proof.
 */
export function typesOfValue(code: string, name: string): string[] {
  const value = `(?<![\\p{L}\\p{N}_$.])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`;
  const type = "([\\p{L}_][\\p{L}\\p{N}_]*(?:(?:\\.|::)[\\p{L}_][\\p{L}\\p{N}_]*)*)";
  const patterns = [
    `${value}\\s*\\??\\s*:\\s*(?:&\\s*(?:mut\\s+)?|\\*|readonly\\s+|dyn\\s+|impl\\s+)*${type}`,
    `${value}\\s+(?:\\*|\\[\\])*${type}\\s*[,){=]`,
    `${type}(?:<[^<>]*>)?[\\s*&]+${value.slice(value.indexOf(")") + 1)}\\s*[=;,):]`,
    `${value}\\s*:?=\\s*(?:await\\s+)?(?:new\\s+|&\\s*)?${type}\\s*[({<]`,
  ];
  const found = patterns.flatMap((pattern) =>
    [...code.matchAll(new RegExp(pattern, "gu"))].map(([, written]) => written!),
  );
  return [...new Set(found.flatMap(lastParts))].filter((part) => !NO_TYPES.has(part));
}

/** `store.Mem` is `Mem`; `Store::new`, which makes one, is `Store` as well. */
function lastParts(written: string): string[] {
  const parts = written.split(/\.|::/);
  const isMaker = parts.length > 1 && /^\p{Lu}/u.test(parts.at(-2)!);
  return isMaker ? parts.slice(-2) : parts.slice(-1);
}
