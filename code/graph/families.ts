/**
 * Languages whose code can call each other's, by the names of the index. A name used in one family never means a
 * declaration of another.
 */
export type Family = "ecmascript" | "python" | "go" | "java" | "rust" | "c" | "ruby" | "other";

const FAMILIES: Readonly<Record<string, Family>> = {
  javascript: "ecmascript",
  typescript: "ecmascript",
  tsx: "ecmascript",
  vue: "ecmascript",
  svelte: "ecmascript",
  html: "ecmascript",
  python: "python",
  go: "go",
  java: "java",
  kotlin: "java",
  scala: "java",
  groovy: "java",
  rust: "rust",
  c: "c",
  cpp: "c",
  objc: "c",
  ruby: "ruby",
  erb: "ruby",
};

/** The family of a language; `other` for all that no rule here knows. */
export function familyOf(language: string): Family {
  return Object.hasOwn(FAMILIES, language) ? FAMILIES[language] : "other";
}

/** Whether code of one language can use what is declared in the other. */
export function canUse(user: string, declarer: string): boolean {
  const family = familyOf(user);
  return user === declarer || (family !== "other" && family === familyOf(declarer));
}
