/** How many of a log's bytes hold operations that no committed segment has. */

/** Up to this many bytes a position may be off: one for every group would be too many. */
const STEP_BYTES = 64 * 1024;

interface Position {
  /** The last record before this position. */
  sequence: number;
  bytes: number;
}

/** Remembers which record was where in the log, roughly, until it is committed. */
export class Uncommitted {
  readonly #positions: Position[] = [];
  /** Bytes of all records ever noted. */
  #total = 0;
  /** Of those, the bytes up to the last committed position. */
  #committed = 0;

  /** Records up to `sequence` were written, in so many bytes. */
  note(sequence: number, bytes: number): void {
    this.#total += bytes;
    const last = this.#positions.at(-1);
    const before = this.#positions.at(-2)?.bytes ?? this.#committed;
    if (last && this.#total - before <= STEP_BYTES) {
      last.sequence = sequence;
      last.bytes = this.#total;
    } else {
      this.#positions.push({ sequence, bytes: this.#total });
    }
  }

  /** Segments have everything up to `sequence`. */
  commit(sequence: number): void {
    while (this.#positions.length > 0 && this.#positions[0].sequence <= sequence) {
      this.#committed = this.#positions[0].bytes;
      this.#positions.shift();
    }
  }

  get bytes(): number {
    return this.#total - this.#committed;
  }
}
