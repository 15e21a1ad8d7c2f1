/** Words that stand where a type would and are none. */
const NO_TYPES = new Set(
  "return new await in of is as if else and or not case go defer range from extends const let var val mut final".split(
    " ",
  ),
);

const TYPE = "([\\p{L}_][\\p{L}\\p{N}_]*(?:(?:\\.|::)[\\p{L}_][\\p{L}\\p{N}_]*)*)";
/** What may follow a value's name, from its end on. */
const AFTER = [
  `\\s*\\??\\s*:\\s*(?:&\\s*(?:mut\\s+)?|\\*|readonly\\s+|dyn\\s+|impl\\s+)*${TYPE}`,
  `\\s+(?:\\*|\\[\\])*${TYPE}\\s*[,){=]`,
  `\\s*:?=\\s*(?:await\\s+)?(?:new\\s+|&\\s*)?${TYPE}\\s*[({<]`,
].map((pattern) => new RegExp(pattern, "uy"));
/** A type before a value's name, which something that ends a declaration must follow. */
const BEFORE = new RegExp(`${TYPE}(?:<[^<>]*>)?[\\s*&]+$`, "u");
const ENDS_DECLARATION = /\s*[=;,):]/y;
/** A type's name, its parameters and what stands between it and the value: what is looked at before a name. */
const LONGEST_BEFORE = 120;
const INSIDE_NAME = /[\p{L}\p{N}_$]/u;

/**
 * The names of types that a text gives to a value, as far as one can read them beside it: `name: Type`, `name *pkg.Type`,
 * `Type name`, `name = new Type(`, `name := Type{`, `name = Type::new(`. Last parts alone; for ranking, not for proof.
 * Only the places of the name are looked at: a callers' question asks this of hundreds of texts.
 */
export function typesOfValue(code: string, name: string): string[] {
  const written = new Set<string>();
  if (name === "") return [];
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (isInsideName(code, at - 1) || isInsideName(code, end)) continue;
    const before = typeBefore(code, at, end);
    if (before !== undefined) written.add(before);
    if (code[at - 1] === ".") continue;
    for (const pattern of AFTER) {
      pattern.lastIndex = end;
      const type = pattern.exec(code)?.[1];
      if (type !== undefined) written.add(type);
    }
  }
  return [...new Set([...written].flatMap(lastParts))].filter((part) => !NO_TYPES.has(part));
}

function typeBefore(code: string, at: number, end: number): string | undefined {
  if (!/[\s*&]/.test(code[at - 1] ?? "")) return undefined;
  ENDS_DECLARATION.lastIndex = end;
  return ENDS_DECLARATION.test(code) ? BEFORE.exec(code.slice(Math.max(0, at - LONGEST_BEFORE), at))?.[1] : undefined;
}

/** Half of a letter beyond the basic plane counts as part of a name: names hold no others. */
function isInsideName(code: string, at: number): boolean {
  const char = code[at] ?? "";
  return INSIDE_NAME.test(char) || (char >= "\uD800" && char <= "\uDFFF");
}

/** `store.Mem` is `Mem`; `Store::new`, which makes one, is `Store` as well. */
function lastParts(written: string): string[] {
  const parts = written.split(/\.|::/);
  const isMaker = parts.length > 1 && /^\p{Lu}/u.test(parts.at(-2)!);
  return isMaker ? parts.slice(-2) : parts.slice(-1);
}
