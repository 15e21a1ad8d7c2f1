import type { Server } from "node:http";

/** Connections of a server, for `http` of `_nodes/stats`. */
export class HttpCounter {
  #open = 0;
  #opened = 0;

  /** Counts the connections of a server from now on. */
  watch(server: Server): void {
    server.on("connection", (socket) => {
      this.#open++;
      this.#opened++;
      socket.once("close", () => {
        this.#open--;
      });
    });
  }

  stats(): { current_open: number; total_opened: number } {
    return { current_open: this.#open, total_opened: this.#opened };
  }
}
