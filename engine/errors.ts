/**
 * Everything the engine throws, typed, without any notion of HTTP. `compat/errors.ts` has one row for each `code`.
 * A message says what was wrong, where, and what to do; `details` carries the values for programs.
 */
export type ErrorCode =
  | "index_not_found"
  | "index_exists"
  | "invalid_value"
  | "document_malformed"
  | "mapping_conflict"
  | "mapping_invalid"
  | "strict_mapping"
  | "field_limit"
  | "version_conflict"
  | "document_missing"
  | "query_unsupported"
  | "fielddata_disabled"
  | "analysis_unknown"
  | "too_many_buckets"
  | "result_window"
  | "routing_missing"
  | "overloaded"
  | "repository_missing"
  | "repository_failed"
  | "repository_unverified"
  | "repository_busy"
  | "snapshot_missing"
  | "snapshot_name_taken"
  | "snapshot_concurrent"
  | "snapshot_failed"
  | "snapshot_in_progress"
  | "snapshot_unrestorable"
  | "circuit_breaking"
  | "corrupt"
  | "index_closed"
  | "index_damaged"
  | "data_folder_locked"
  | "io"
  | "closed"
  | "cancelled"
  | "internal";

export class EngineError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, string | number | boolean>> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "EngineError";
  }
}

/** A state that cannot be: a fault of ours. The values that made it so belong into the message. */
export class InternalError extends EngineError {
  constructor(message: string, details: Readonly<Record<string, string | number | boolean>> = {}) {
    super("internal", message, details);
    this.name = "InternalError";
  }
}

/** Bytes on disk that are not what was written: file, offset, what was expected and what was found. */
export class CorruptionError extends EngineError {
  constructor(file: string, offset: number, expected: string, found: string) {
    super("corrupt", `${file} is damaged at byte ${offset}: expected ${expected}, found ${found}`, {
      file,
      offset,
      expected,
      found,
    });
    this.name = "CorruptionError";
  }
}
