/** What was found wrong, each kind once, with a request that shows it; a journal on disk has all that was sent before. */
import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { asCommand, type WireRequest } from "./wire-request.js";

/** Requests of a lane that a journal keeps: those since its node was tidied, mostly. */
const KEPT = 400;

interface Kind {
  readonly shown: string;
  count: number;
}

/** See the head of this file. */
export class Findings {
  readonly #kinds = new Map<string, Kind>();
  readonly #sent: string[] = [];

  /** `folder`: where journals are written when something is found. */
  constructor(private readonly folder: string) {}

  get count(): number {
    return [...this.#kinds.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** A request is about to be sent. */
  sent(request: WireRequest): void {
    this.#sent.push(JSON.stringify({ ...request, body: request.body?.toString("base64") }));
    if (this.#sent.length > 2 * KEPT) this.#sent.splice(0, KEPT);
  }

  /** `request`: what shows it, where there is one. */
  add(fault: string, request?: WireRequest): void {
    const key = fault.replace(/\d+/g, "#").slice(0, 160);
    const known = this.#kinds.get(key);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const command = request === undefined ? "" : `\n    ${asCommand(request)}`;
    this.#kinds.set(key, { shown: `${fault}${command}`, count: 1 });
    this.#writeJournal(fault);
  }

  /** One text for each kind, the most frequent first. */
  lines(): string[] {
    const kinds = [...this.#kinds.values()].sort((a, b) => b.count - a.count);
    return kinds.map(({ shown, count }) => `${count} times: ${shown}`);
  }

  #writeJournal(fault: string): void {
    mkdirSync(this.folder, { recursive: true });
    const file = path.join(this.folder, `finding-${this.#kinds.size}.jsonl`);
    appendFileSync(file, `${JSON.stringify({ fault })}\n${this.#sent.join("\n")}\n`);
  }
}
