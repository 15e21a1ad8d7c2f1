/** A scalar of a document, where it lies in the arena. */
import type { RecordOutput } from "./prepare-output.js";

/** Kinds of scalar values in JSON. */
export const ValueKind = { string: 1, number: 2, boolean: 3 } as const;

/**
 * One scalar value: its bytes in the arena (strings: escapes resolved; others: as written), and for numbers what the
 * walk found out about them.
 */
export interface ScalarValue {
  kind: number;
  start: number;
  length: number;
  ascii: boolean;
  exact: boolean;
  mantissa: number;
  scale: number;
}

/** Text of a value. */
export function valueText(output: RecordOutput, value: ScalarValue): string {
  const { buffer } = output.arena.u8;
  return Buffer.from(buffer, value.start, value.length).toString("utf8");
}
