import { LIMITS } from "../limits.js";

/** A member's path inside its archive, or why it has none that can be shown. */
export type MemberPath = { kind: "path"; path: string } | { kind: "left out"; reason: string };

/** Between an archive's path and that of a member: `lib.zip!/src/a.py`. */
export const MEMBER_MARK = "!/";

/**
 * A member's path as it is shown. Nothing is ever written by it; but a path that leads out of the archive, or to a
 * root, would name something else than what it is.
 */
export function memberPath(written: string): MemberPath {
  if (written.includes("\0")) return { kind: "left out", reason: "a path with a NUL in it" };
  if (written.length > LIMITS.memberPath) return { kind: "left out", reason: "a path that is too long" };
  const plain = written.replaceAll("\\", "/");
  if (plain.startsWith("/") || /^[a-z]:/i.test(plain)) return { kind: "left out", reason: "an absolute path" };
  const names = plain.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) return { kind: "left out", reason: "a path that leads out of the archive" };
  return names.length === 0 ? { kind: "left out", reason: "no name" } : { kind: "path", path: names.join("/") };
}
