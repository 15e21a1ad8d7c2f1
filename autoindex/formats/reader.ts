import type { Deadline } from "./limits.js";
import type { TextBuilder } from "./text-builder.js";

/**
 * Reads a file of one format into a text. May throw at any moment: what it had written so far is kept, and the reason
 * is recorded. Must call `deadline.check()` in every loop over the content.
 */
export type Reader = (bytes: Buffer, out: TextBuilder, deadline: Deadline) => Promise<void> | void;
