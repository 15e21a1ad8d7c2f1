/** `drop` gives the document up, `terminate` ends the pipeline. */
import type { Run } from "../processor.js";

export function drop(): Run {
  return () => "drop";
}

export function terminate(): Run {
  return () => "end";
}
