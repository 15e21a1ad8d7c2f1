/**
 * Strings of JSON between their quotes, as bytes: what they hold. Their form was checked by the walk that found them.
 */

/** What a raw string holds: escapes; bytes beyond ASCII; escapes of the form `\u0041`, which may stand for any character. */
export const StringFlags = { escapes: 1, nonAscii: 2, codeUnits: 4 } as const;

/** Text of raw string bytes [start, end), escapes resolved. */
export function stringText(bytes: Uint8Array, start: number, end: number, flags: number): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
  return (flags & StringFlags.escapes) === 0 ? raw : (JSON.parse(`"${raw}"`) as string);
}
