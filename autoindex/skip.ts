/**
 * Why something met in a folder has no documents: one row a reason, with the sentence that `why PATH` shows.
 *
 * A reason is the `status` of a catalog entry; `indexed` is the only status that is not in this table.
 */
export const SKIP_REASONS = {
  bad_name: "Git's name for it is not valid UTF-8; what is on disk is read whatever it is called.",
  binary: "The content is binary.",
  data_folder: "A Pinakes node keeps its data there; indexing it would change it without end.",
  extractor_crashed: "Reading it ended the extractor process, also when it was read alone and without its grammar.",
  extractor_timeout: "Reading it took longer than the bound, so the extractor process was ended.",
  hidden:
    "The name begins with a dot; hidden files are read only with --hidden or when an ignore rule re-includes them.",
  ignored: "An ignore rule excludes it.",
  not_a_file: "It is a device, a pipe or a socket.",
  not_written: "The node did not take its documents for a reason that may pass; it is tried again on the next run.",
  rejected: "The node refused documents of it for what is in them; it is tried again when it or Pinakes has changed.",
  rules_unread: "What it says of other files (what to leave out, what is generated) does not count, or not all of it.",
  submodule: "It is another repository inside this one (a submodule): index its folder by itself.",
  symlink: "Symbolic links are not followed.",
  too_large: "It is larger than the size limit.",
  unreadable: "The operating system did not let it be read.",
  vanished: "It was there when the folder was listed and gone when it was to be read.",
} as const;

/** One reason of the table. */
export type SkipReason = keyof typeof SKIP_REASONS;

/** What a catalog entry's `status` can be. */
export type FileStatus = "indexed" | SkipReason;

/** Whether a text from the catalog is one of our reasons. */
export function isSkipReason(text: string): text is SkipReason {
  return Object.hasOwn(SKIP_REASONS, text);
}

/** The sentence for a status; `indexed` has one too. */
export function explainStatus(status: string): string {
  if (status === "indexed") return "It is indexed.";
  return isSkipReason(status) ? SKIP_REASONS[status] : `Unknown status ${status}.`;
}
