/** Errors as plain data, so that they can pass from one thread to another and come out as what they were. */
import { CorruptionError, EngineError, type ErrorCode, InternalError } from "./errors.js";

/** An EngineError that can be posted. */
export interface ErrorData {
  readonly kind: "engine" | "internal" | "corruption";
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
  readonly cause?: CauseData;
}

/** What it came from; `code` and `details` of an EngineError. */
interface CauseData {
  readonly name: string;
  readonly message: string;
  readonly code?: ErrorCode;
  readonly details?: ErrorData["details"];
}

/** Anything thrown; what is no EngineError is a fault of ours. */
export function errorToData(error: unknown): ErrorData {
  const cause = error instanceof Error && error.cause instanceof Error ? causeToData(error.cause) : undefined;
  if (!(error instanceof EngineError)) {
    const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
    return { kind: "internal", code: "internal", message: `${name}: ${message}`, details: {}, cause };
  }
  const { code, message, details } = error;
  const kind = error instanceof CorruptionError ? "corruption" : error instanceof InternalError ? "internal" : "engine";
  return { kind, code, message, details, cause };
}

export function errorFromData({ kind, code, message, details, cause }: ErrorData): EngineError {
  const options = cause && { cause: causeFromData(cause) };
  if (kind === "internal") return new InternalError(message, details);
  if (kind === "engine") return new EngineError(code, message, details, options);
  const { file, offset, expected, found } = details;
  return new CorruptionError(String(file), Number(offset), String(expected), String(found));
}

function causeToData(cause: Error): CauseData {
  const { name, message } = cause;
  return cause instanceof EngineError ? { name, message, code: cause.code, details: cause.details } : { name, message };
}

function causeFromData({ name, message, code, details }: CauseData): Error {
  return code === undefined
    ? Object.assign(new Error(message), { name })
    : new EngineError(code, message, details ?? {});
}
