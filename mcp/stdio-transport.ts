import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { idAsWritten, idFault } from "./request-id.js";

/** Longest message read, in bytes. */
const LONGEST_MESSAGE = 10 * 1024 * 1024;

/** Codes of JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const LINE_FEED = 10;

/**
 * Messages as lines of JSON over two streams (specification 2025-11-25, basic/transports). A line that is no message is
 * answered, as JSON-RPC wants it: the protocol library's own transport drops it, and whoever sent it waits for ever.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  #pieces: Buffer[] = [];
  #length = 0;
  /** Whether the line that is being read is too long already and is passed over. */
  #isPassingOver = false;
  readonly #hear = (chunk: Buffer) => this.#read(chunk);
  readonly #fail = (error: Error) => this.onerror?.(error);

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly longest = LONGEST_MESSAGE,
  ) {}

  async start(): Promise<void> {
    this.input.on("data", this.#hear);
    this.input.on("error", this.#fail);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.input.off("data", this.#hear);
    this.input.off("error", this.#fail);
    // A stream that somebody else reads, too, goes on.
    if (this.input.listenerCount("data") === 0) this.input.pause();
    this.#forget();
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#add(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(piece: Buffer): void {
    if (this.#isPassingOver || piece.length === 0) return;
    this.#length += piece.length;
    if (this.#length <= this.longest) {
      this.#pieces.push(piece);
      return;
    }
    this.#forget();
    this.#isPassingOver = true;
    this.#refuse(INVALID_REQUEST, `a message has ${this.longest} bytes at most`);
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pieces).toString("utf8").trim();
    const isMessage = !this.#isPassingOver && line !== "";
    this.#forget();
    if (isMessage) this.#take(line);
  }

  #take(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#refuse(PARSE_ERROR, `no JSON: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    const fault = Array.isArray(value) ? undefined : idFault(value, line);
    const message = JSONRPCMessageSchema.safeParse(value);
    if (fault === undefined && message.success) this.onmessage?.(message.data);
    else this.#refuse(INVALID_REQUEST, fault ?? reasonOf(value), idAsWritten(value, line));
  }

  /** Answers what is no message; `id` is JSON: null where it has none. */
  #refuse(code: number, message: string, id = "null"): void {
    const answer = `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}`;
    this.#write(answer).catch((error: Error) => this.onerror?.(error));
  }

  #write(line: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.output.write(`${line}\n`)) resolve();
      else this.output.once("drain", resolve);
    });
  }

  #forget(): void {
    this.#pieces = [];
    this.#length = 0;
    this.#isPassingOver = false;
  }
}

function reasonOf(value: unknown): string {
  if (Array.isArray(value)) return "batches are no part of the protocol: send one message a line";
  return 'a message is an object with "jsonrpc": "2.0" and a "method", a "result" or an "error"';
}
