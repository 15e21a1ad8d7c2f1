import { BoundReached, type Deadline, LIMITS } from "../limits.js";

/** What all archives in one file on disk may use together. */
export class ArchiveBudget {
  #bytes: number;
  #members = 0;

  constructor(
    packedBytes: number,
    readonly deadline: Deadline,
    readonly maxMemberBytes: number,
  ) {
    this.#bytes = Math.min(LIMITS.unpackedBytes, LIMITS.unpackedFloor + packedBytes * LIMITS.unpackedRatio);
  }

  /** Bytes that may still be unpacked. */
  get left(): number {
    return this.#bytes;
  }

  spend(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Throws BoundReached when there are too many. */
  countMember(): void {
    if (++this.#members > LIMITS.members) throw new BoundReached(`more than ${LIMITS.members} members`);
    this.deadline.check();
  }
}
