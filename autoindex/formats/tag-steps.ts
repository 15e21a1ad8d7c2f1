import { BoundReached, type Deadline, LIMITS } from "./limits.js";

/** Tags between two looks at the clock. */
const STEP = 1000;

/** Keeps the bounds of a markup parser: told of every tag, throws BoundReached at the first one too many. */
export class TagSteps {
  #depth = 0;
  #tags = 0;

  constructor(private readonly deadline: Deadline) {}

  open(): void {
    if (++this.#depth > LIMITS.tagDepth) throw new BoundReached(`tags more than ${LIMITS.tagDepth} deep`);
    if (++this.#tags % STEP === 0) this.deadline.check();
  }

  close(): void {
    this.#depth--;
  }
}
