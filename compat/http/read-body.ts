/**
 * Reads the bodies of requests. A body is charged to the breaker `in_flight_requests` before it is read, as long as its
 * length is known beforehand, and given back when the request has been answered. One that finds no room is read over,
 * so that its connection stays usable for the next try.
 */
import type { FastifyRequest } from "fastify";
import type { EngineFace, RequestMemory } from "../../engine/index.js";
import { tooLarge } from "./decompress.js";

/** What requests that were read hold. */
const HELD = new WeakMap<FastifyRequest, RequestMemory>();

const LABEL = "<http_request>";

type Done = (error: Error | null, body?: Buffer) => void;
type Payload = FastifyRequest["raw"];

/** What reading bodies works with. */
export interface BodyReaderParts {
  readonly engine: EngineFace;
  /** The largest body. */
  readonly limit: number;
  /** Whether the breaker may refuse it: what changes settings, a limit among them, must get through. */
  readonly mayRefuse: (request: FastifyRequest) => boolean;
}

/** A parser of all content types: the bytes as they are. */
export function bodyReader({ engine, limit, mayRefuse }: BodyReaderParts) {
  return (request: FastifyRequest, payload: Payload, done: Done): void => {
    const memory = engine.resources.openHttpRequest();
    const charge = (bytes: number) => (mayRefuse(request) ? memory.charge(bytes, LABEL) : memory.take(bytes));
    const failed = (error: Error, rest: "skip" | "leave") => {
      memory.close();
      if (rest === "leave") done(error);
      else skip(payload, () => done(error));
    };
    const announced = Number(request.headers["content-length"] ?? Number.NaN);
    if (announced > limit) {
      failed(tooLarge(limit), "leave");
      return;
    }
    try {
      charge(Number.isNaN(announced) ? 0 : announced);
    } catch (error) {
      failed(error as Error, "skip");
      return;
    }
    HELD.set(request, memory);
    if (Number.isNaN(announced)) readChunks(payload, { limit, memory, charge, failed, done });
    else readAnnounced(payload, announced, { failed, done });
  };
}

/** The memory of a request's body; what is made of the body is charged to it too. */
export function bodyMemory(engine: EngineFace, request: FastifyRequest): RequestMemory {
  let memory = HELD.get(request);
  if (memory === undefined) {
    memory = engine.resources.openHttpRequest();
    HELD.set(request, memory);
  }
  return memory;
}

/** The request was answered. */
export function releaseBody(request: FastifyRequest): void {
  HELD.get(request)?.close();
}

type Failed = (error: Error, rest: "skip" | "leave") => void;

/** Into one buffer: gathering pieces would need the memory twice. */
function readAnnounced(payload: Payload, length: number, { failed, done }: { failed: Failed; done: Done }): void {
  const body = Buffer.allocUnsafe(length);
  let at = 0;
  payload.on("data", (chunk: Buffer) => {
    chunk.copy(body, at);
    at += chunk.length;
  });
  payload.once("end", () => done(null, body.subarray(0, at)));
  payload.once("error", (error) => failed(error, "leave"));
}

interface Chunked {
  readonly limit: number;
  readonly memory: RequestMemory;
  readonly charge: (bytes: number) => void;
  readonly failed: Failed;
  readonly done: Done;
}

function readChunks(payload: Payload, { limit, memory, charge, failed, done }: Chunked): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (error: Error, rest: "skip" | "leave") => {
    payload.removeAllListeners("data").removeAllListeners("end").removeAllListeners("error");
    chunks.length = 0;
    failed(error, rest);
  };
  payload.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) return stop(tooLarge(limit), "leave");
    try {
      // The pieces, and the one buffer they are joined into.
      charge(2 * chunk.length);
    } catch (error) {
      return stop(error as Error, "skip");
    }
    chunks.push(chunk);
  });
  payload.once("end", () => {
    done(null, Buffer.concat(chunks, size));
    memory.release(size);
  });
  payload.once("error", (error) => stop(error, "leave"));
}

/** Reads to the end and keeps nothing; a client that goes away meanwhile gets no answer. */
function skip(payload: Payload, then: () => void): void {
  payload.once("end", then);
  payload.once("error", then);
  payload.resume();
}
