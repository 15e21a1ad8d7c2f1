/** Short forms of languages that people type, and the names that an index may have for each. */
const NAMES: readonly (readonly string[])[] = [
  ["bash", "sh", "shell"],
  ["cpp", "c++", "cxx", "cc"],
  ["csharp", "c#", "cs", "c_sharp", "c-sharp"],
  ["elixir", "ex"],
  ["fsharp", "f#", "fs"],
  ["go", "golang"],
  ["haskell", "hs"],
  ["javascript", "js", "jsx", "mjs"],
  ["kotlin", "kt"],
  ["markdown", "md"],
  ["objc", "objective-c", "objective_c"],
  ["ocaml", "ml"],
  ["perl", "pl"],
  ["python", "py"],
  ["ruby", "rb"],
  ["rust", "rs"],
  ["typescript", "ts", "tsx"],
  ["yaml", "yml"],
];

/** All names under which a language may be indexed, the given one among them, in lower case. */
export function languageNames(written: string): string[] {
  const name = written.toLowerCase();
  return [...(NAMES.find((names) => names.includes(name)) ?? [name])];
}

/** The name that the others are short for; the given one where it is none of them. */
export function languageNamed(written: string): string {
  return languageNames(written)[0] ?? written;
}

/** Every name and short form that is known beside the names an index has. */
export const KNOWN_LANGUAGES: readonly string[] = NAMES.flat();
