import { Client, WireError } from "../../client/index.js";
import type { FakeNode } from "./fake-node.js";

/** A client of a fake node in the same process: no port, so that ten thousand calls take seconds. */
export class InProcessClient extends Client {
  constructor(readonly node: FakeNode) {
    // Nothing listens there; it is on this machine, as the node's folders are.
    super({ url: "http://127.0.0.1:1" });
  }

  override async json<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = this.node.answer(method, path, body ?? {});
    if (answer.status < 400) return answer.body as T;
    const { type, reason } = (answer.body as { error: { type: string; reason: string } }).error;
    throw new WireError(answer.status, type, reason, JSON.stringify(answer.body));
  }
}
