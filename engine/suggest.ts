/** What is asked of completion fields, and what they answer. */

/** The beginning of what somebody types. */
export interface CompletionRequest {
  field: string;
  prefix: string;
  /** Options at most. */
  size: number;
  /** Each text once. */
  skipDuplicates: boolean;
  /** Instead of the field's own. */
  analyzer?: string;
}

/** One input that the prefix begins, and its document. */
export interface CompletionOption {
  text: string;
  weight: number;
  index: string;
  id: string;
  /** Raw `_source`. */
  source: Uint8Array;
}
