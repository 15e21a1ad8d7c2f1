/** Errors on their way from a worker to the thread that asked. */
import { CorruptionError, EngineError, type ErrorCode, InternalError } from "../errors.js";

/** An error as plain data. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** undefined: not an EngineError. */
  readonly code: ErrorCode | undefined;
  readonly details: EngineError["details"];
  readonly cause: SentError | undefined;
}

/** An error with its causes. */
export function sendableError(error: unknown): SentError {
  if (!(error instanceof Error)) {
    const nothing = { stack: undefined, code: undefined, details: {}, cause: undefined };
    return { name: "Error", message: String(error), ...nothing };
  }
  const { name, message, stack } = error;
  const cause = error.cause === undefined ? undefined : sendableError(error.cause);
  if (!(error instanceof EngineError)) return { name, message, stack, code: undefined, details: {}, cause };
  return { name, message, stack, code: error.code, details: error.details, cause };
}

/** The error as it was thrown, causes and stack included. What was no EngineError is a fault of ours. */
export function receivedError(sent: SentError): EngineError {
  if (sent.code !== undefined) return restored(engineError(sent, sent.code), sent);
  return restored(new InternalError(`${sent.name}: ${sent.message}`), sent);
}

function engineError({ name, message, details }: SentError, code: ErrorCode): EngineError {
  if (name === "CorruptionError") return corruption(details);
  return name === "InternalError" ? new InternalError(message, details) : new EngineError(code, message, details);
}

function restored<E extends Error>(error: E, { stack, cause }: SentError): E {
  if (stack !== undefined) error.stack = stack;
  if (cause !== undefined) error.cause = receivedCause(cause);
  return error;
}

function receivedCause(sent: SentError): Error {
  if (sent.code !== undefined) return restored(engineError(sent, sent.code), sent);
  const error = new Error(sent.message);
  error.name = sent.name;
  return restored(error, sent);
}

function corruption(details: EngineError["details"]): CorruptionError {
  const { file, offset, expected, found } = details;
  return new CorruptionError(String(file), Number(offset), String(expected), String(found));
}

/** A job that was given up before it ended. */
export function cancelled(): EngineError {
  return new EngineError("cancelled", "the work was cancelled by whoever asked for it");
}

/** A job that came too late. */
export function closed(): EngineError {
  return new EngineError("closed", "the worker threads are closed");
}
