/**
 * Where terms occur: documents, frequencies and positions of a field in a segment. Bytes are in format.ts; start reading
 * there. The loops that encode, decode and append are kernels; dictionaries are in text/, which merges both.
 */
export { BlockPostings } from "./iterator.js";
export { type FieldPostings, keepsPositions, openPostings } from "./reader.js";
export { type PostingsShape, PostingsWriter } from "./writer.js";
