/** `drop` gives the document up, `terminate` ends the pipeline. */
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function drop(): Run {
  return () => "drop";
}

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function terminate(): Run {
  return () => "end";
}
