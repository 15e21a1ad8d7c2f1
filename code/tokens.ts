/**
 * Tokens of a text: ceil(UTF-8 bytes / 3). An upper bound on what real tokenizers make of code, and the same everywhere,
 * so that a budget can be kept without knowing the model.
 */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text, "utf8") / BYTES_PER_TOKEN);
}

/** UTF-8 bytes that count as one token. */
export const BYTES_PER_TOKEN = 3;
