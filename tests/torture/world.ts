/** What all clients of a tortured node share: the node as it is now, what was counted, and what was found. */
import type { Chance } from "../../engine/store/testing/chance.js";
import { send, type WireReply, type WireRequest } from "../support/node.js";

export const INDEX = "torture";
const NDJSON = { "content-type": "application/x-ndjson" };

/** `gone`: no answer came; `refused`: the node says that it could not. Of a write both leave open whether it happened. */
export type Answer = WireReply | "gone" | "refused";

export interface LiveNode {
  readonly url: string;
  /** Its disk fails now and then, so it may refuse. */
  readonly faulty: boolean;
}

/** See the head of this file. */
export class World {
  readonly counts = { operations: 0, reads: 0, refused: 0 };
  /** Acknowledged writes that are not there. */
  readonly lost: string[] = [];
  /** Answers that can't be. */
  readonly wrong: string[] = [];
  node!: LiveNode;

  constructor(readonly chance: Chance) {}

  /** One request. A refusal of a node that has no reason is a wrong answer. */
  async ask(method: string, path: string, body?: WireRequest["body"]): Promise<Answer> {
    const { url, faulty } = this.node;
    const headers = typeof body === "string" ? NDJSON : undefined;
    const reply = await send(url, { method, path, body, headers }).catch(() => undefined);
    if (reply === undefined) return "gone";
    if (reply.status !== 429 && reply.status < 500) return reply;
    this.counts.refused++;
    if (!faulty && reply.status !== 429)
      this.wrong.push(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 300)}`);
    return "refused";
  }

  /** A bulk request; what became of each of its lines. `undefined`: open. */
  async bulk(lines: readonly string[], parameters = ""): Promise<BulkAnswer> {
    const answer = await this.ask("POST", `/${INDEX}/_bulk${parameters}`, lines.join(""));
    if (typeof answer === "string") return { end: answer, statuses: [] };
    const items = (answer.json?.items ?? []) as Record<
      string,
      { status: number; error?: { type: string; reason: string } }
    >[];
    const statuses = items.map((item) => {
      const [{ status, error }] = Object.values(item);
      if (status < 500 && status !== 429) return { status };
      this.counts.refused++;
      if (!this.node.faulty) this.wrong.push(`bulk: ${status} ${JSON.stringify(error).slice(0, 300)}`);
      return undefined;
    });
    return { end: "answered", statuses };
  }

  async search(body: object): Promise<Answer> {
    this.counts.reads++;
    return this.ask("POST", `/${INDEX}/_search`, body);
  }
}

export interface BulkAnswer {
  readonly end: "answered" | "gone" | "refused";
  /** One for each line of an answered request. */
  readonly statuses: readonly ({ status: number } | undefined)[];
}

/** A client of a tortured node; works until the node is gone. */
export interface Client {
  /** What must be true when the node has just started; also learns what became of open writes. */
  verify(): Promise<void>;
  /** One thing after the other; false when the node is gone. */
  step(): Promise<boolean>;
}

/** Lets a client work until its node is gone. */
export async function workUntilGone(client: Client): Promise<void> {
  while (await client.step()) {}
}
