const MAGIC_AT = 257;

/** A tar of POSIX or GNU has a mark in its first header. */
export function isTar(bytes: Buffer): boolean {
  return bytes.length >= 512 && bytes.toString("latin1", MAGIC_AT, MAGIC_AT + 5) === "ustar";
}
