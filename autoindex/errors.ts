/** Why a whole run cannot start or go on; one file's trouble is never an error but a reason in `skip.ts`. */
export type AutoindexProblem =
  | "not_a_folder"
  | "outside_root"
  | "not_indexed"
  | "extractor_missing"
  | "name_taken"
  | "busy"
  | "bulk_failed"
  | "git";

/** Thrown by the functions of this module's face. */
export class AutoindexError extends Error {
  constructor(
    readonly problem: AutoindexProblem,
    message: string,
  ) {
    super(message);
    this.name = "AutoindexError";
  }
}
