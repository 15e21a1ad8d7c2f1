/**
 * How a server's connections end when it stops. What is being answered is answered, with `connection: close`; what was
 * answered is closed; whoever asks on a connection that is still open is told that the node stops. A connection on which
 * nothing was asked yet, or half a request, looks busy to Node: it is given a moment. Nothing is waited for without end.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ApiError } from "../errors.js";

/** How long a connection may keep a server from stopping, in milliseconds. */
export interface ClosingTimes {
  /** On which no request is being answered. */
  readonly unused: number;
  /** On which one is: a client that sends its body or takes its answer slowly, work that does not end. */
  readonly busy: number;
}

const TIMES: ClosingTimes = { unused: 1_000, busy: 10_000 };

/** The connections of one server. */
export class Closing {
  #begun = false;
  /** With the answers that each still waits for. */
  readonly #open = new Map<Socket, Set<ServerResponse>>();
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(private readonly times: ClosingTimes = TIMES) {}

  /** Knows the connections of a server from now on. */
  watch(server: Server): void {
    server.on("connection", (socket) => this.#answersOn(socket));
  }

  /** A request has arrived, its body perhaps not yet. */
  asked({ socket }: IncomingMessage, response: ServerResponse): void {
    const answers = this.#answersOn(socket);
    answers.add(response);
    if (this.#begun) response.setHeader("connection", "close");
    response.once("close", () => {
      answers.delete(response);
      if (this.#begun && answers.size === 0) socket.destroySoon();
    });
  }

  /** Throws ApiError 503 once the server stops. */
  check(): void {
    if (this.#begun) throw new ApiError(503, "node_closed_exception", "the node stops: it takes no more requests");
  }

  /** The server stops: from now on connections end. */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    for (const answers of this.#open.values()) {
      for (const response of answers) if (!response.headersSent) response.setHeader("connection", "close");
    }
    this.#endAfter(this.times.unused, (answers) => answers.size === 0);
    this.#endAfter(this.times.busy, () => true);
  }

  /** All connections have ended. */
  ended(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }

  #answersOn(socket: Socket): Set<ServerResponse> {
    let answers = this.#open.get(socket);
    if (!answers) {
      answers = new Set();
      this.#open.set(socket, answers);
      socket.once("close", () => this.#open.delete(socket));
    }
    return answers;
  }

  #endAfter(ms: number, which: (answers: ReadonlySet<ServerResponse>) => boolean): void {
    const end = () => {
      for (const [socket, answers] of this.#open) if (which(answers)) socket.destroy();
    };
    this.#timers.push(setTimeout(end, ms));
  }
}
