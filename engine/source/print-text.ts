import type { ByteOutput } from "./byte-output.js";

/**
 * Appends text as the inside of a JSON string, as ECMAScript's JSON.stringify writes it: \\" \\\\ \\b \\f \\n \\r \\t, other
 * control characters as \\u00xx in lower case, everything else as it is. Part of the segment's format. Bytes that are no
 * UTF-8 are printed as others: who compares finds out.
 */
export function printText(u8: Uint8Array, address: number, length: number, output: ByteOutput): void {
  const text = Buffer.from(u8.buffer, u8.byteOffset + address, length).toString("utf8");
  const json = Buffer.from(JSON.stringify(text), "utf8");
  output.append(json, 1, json.length - 1);
}
