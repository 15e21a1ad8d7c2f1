import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import { BoundReached, type Deadline } from "../limits.js";

const require = createRequire(import.meta.url);

/** Ways of packing one stream of bytes. */
export type Packing = "gzip" | "xz" | "zstd" | "bzip2";

/** What a stream unpacked to, and why that is not all of it. */
export interface Unpacked {
  bytes: Buffer;
  /** `damaged: ...` or the bound that was reached; nothing when it is whole. */
  cut: string | undefined;
}

/** How far to unpack. */
export interface UnpackBounds {
  limit: number;
  deadline: Deadline;
}

/** Packed bytes handed over at a time, so that a bound is noticed before much has been unpacked. */
const STEP = 16 * 1024;
/** Largest window of a Zstandard stream: what the reference program accepts unless told otherwise. */
const MAX_ZSTD_WINDOW = 128 * 1024 * 1024;

/** Unpacks a stream up to a limit; what comes before damage or the limit is kept. */
export async function unpack(packing: Packing, bytes: Buffer, bounds: UnpackBounds): Promise<Unpacked> {
  const sink = new Sink(bounds);
  try {
    await UNPACKERS[packing](bytes, sink);
    return { bytes: sink.take(), cut: undefined };
  } catch (error) {
    const isBound = error instanceof BoundReached;
    const reason = error instanceof Error ? error.message : String(error);
    return { bytes: sink.take(), cut: isBound ? reason : `damaged: ${reason}` };
  }
}

/** Takes unpacked bytes until there are too many. */
class Sink {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(private readonly bounds: UnpackBounds) {}

  get deadline(): Deadline {
    return this.bounds.deadline;
  }

  add(chunk: Uint8Array): void {
    this.deadline.check();
    const room = this.bounds.limit - this.#length;
    const piece = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(piece);
    this.#length += piece.length;
    if (piece.length < chunk.length) throw new BoundReached(`it unpacks to more than ${this.bounds.limit} bytes`);
  }

  take(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

const UNPACKERS: Readonly<Record<Packing, (bytes: Buffer, sink: Sink) => Promise<void> | void>> = {
  gzip: async (bytes, sink) => {
    const stream = Readable.from(pieces(bytes)).pipe(createGunzip());
    for await (const chunk of stream) sink.add(chunk as Buffer);
  },
  xz: async (bytes, sink) => {
    // A CommonJS package whose names Node cannot tell without running it.
    const { XzReadableStream } = require("xz-decompress") as typeof import("xz-decompress");
    const reader = new XzReadableStream(streamOf(bytes)).getReader();
    try {
      for (;;) {
        const { done, value } = await sink.deadline.within(reader.read());
        if (done) return;
        // The library gives views of memory that it uses again.
        sink.add(Uint8Array.from(value));
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  },
  zstd: (bytes, sink) => {
    const window = zstdWindow(bytes);
    if (window > MAX_ZSTD_WINDOW) throw new BoundReached(`its window of ${window} bytes is too large`);
    const stream = new Decompress((chunk) => sink.add(Uint8Array.from(chunk)));
    for (let at = 0; at < bytes.length; at += STEP) {
      stream.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
    }
  },
  bzip2: async (bytes, sink) => {
    const { default: Bunzip } = await import("seek-bzip");
    const collector = new ByteCollector(sink);
    try {
      Bunzip.decode(new ByteReader(bytes), collector, true);
    } finally {
      collector.flush();
    }
  },
};

/** Gives a piece when asked for one; may be left at any moment, where Node's own adapter would throw later on. */
function streamOf(bytes: Buffer): ReadableStream<Uint8Array> {
  const source = pieces(bytes);
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += STEP) yield bytes.subarray(at, at + STEP);
}

/** Bytes that a stream's first frame asks to be kept (RFC 8878, 3.1.1.1.2); 0 where the frame is a single segment. */
function zstdWindow(bytes: Buffer): number {
  const descriptor = bytes[4] ?? 0;
  if ((descriptor & 0x20) !== 0) return 0;
  const window = bytes[5] ?? 0;
  const base = 2 ** (10 + (window >> 3));
  return base + (base / 8) * (window & 7);
}

/** Bytes one by one, with an error where there are none left: the library would read `undefined` for ever. */
class ByteReader {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  readByte(): number {
    if (this.#at >= this.bytes.length) throw new Error("it ends too early");
    return this.bytes[this.#at++]!;
  }

  read(into: Uint8Array, offset: number, length: number): number {
    for (let at = 0; at < length; at++) into[offset + at] = this.readByte();
    return length;
  }

  eof(): boolean {
    return this.#at >= this.bytes.length;
  }
}

/** Collects bytes that come one by one. */
class ByteCollector {
  #chunk = Buffer.alloc(STEP);
  #filled = 0;

  constructor(private readonly sink: Sink) {}

  writeByte(byte: number): void {
    this.#chunk[this.#filled++] = byte;
    if (this.#filled === STEP) this.flush();
  }

  flush(): void {
    this.sink.add(this.#chunk.subarray(0, this.#filled));
    this.#chunk = Buffer.alloc(STEP);
    this.#filled = 0;
  }
}
