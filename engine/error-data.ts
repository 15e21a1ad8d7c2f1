/** Errors as plain data, so that they can pass from one thread to another and come out as what they were. */
import { CorruptionError, EngineError, type ErrorCode, InternalError } from "./errors.js";

/** An EngineError that can be posted. */
export interface ErrorData {
  readonly kind: "engine" | "internal" | "corruption";
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
  readonly cause?: ErrorData | NamedCause;
}

/** A cause that is no EngineError. */
interface NamedCause {
  readonly kind: "other";
  readonly name: string;
  readonly message: string;
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

function causeToData(cause: Error): ErrorData | NamedCause {
  if (cause instanceof EngineError) return errorToData(cause);
  return { kind: "other", name: cause.name, message: cause.message };
}

function causeFromData(cause: ErrorData | NamedCause): Error {
  if (cause.kind !== "other") return errorFromData(cause);
  return Object.assign(new Error(cause.message), { name: cause.name });
}
