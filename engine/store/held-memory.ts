import { InternalError } from "../errors.js";
import type { Arena } from "./arena.js";

/** One allocation in the arena with several holders; freed when the last one lets go. Begins with one holder. */
export class HeldMemory {
  readonly bytes: number;
  #holders = 1;

  constructor(
    private readonly arena: Arena,
    readonly address: number,
  ) {
    this.bytes = arena.sizeOf(address);
  }

  hold(): void {
    if (this.#holders === 0) throw new InternalError(`memory at ${this.address} is held after it was freed`);
    this.#holders++;
  }

  release(): void {
    if (this.#holders === 0) throw new InternalError(`memory at ${this.address} is released too often`);
    if (--this.#holders === 0) this.arena.free(this.address);
  }
}
