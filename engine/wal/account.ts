/** What a log file holds, counted record by record: the proof that it may go. */
import { InternalError } from "../errors.js";

/** Counts of one file. Sequences are -1 while there is none. */
export class Account {
  records = 0;
  /** Records that `repair` has declared lost, between others. */
  lost = 0;
  lowest = -1;
  highest = -1;
  #lossBegins = -1;

  /** A record of the file. */
  add(sequence: number): void {
    if (sequence <= this.highest) throw new InternalError(`record ${sequence} is counted after ${this.highest}`);
    // A loss may turn out to be of none.
    const lost = this.#lossBegins >= 0 && this.#lossBegins < sequence ? sequence - this.#lossBegins : 0;
    this.lost += lost;
    if (this.lowest < 0) this.lowest = sequence - lost;
    this.#lossBegins = -1;
    this.records++;
    this.highest = sequence;
  }

  /** Several records with ascending sequences. */
  addRun(first: number, last: number, records: number): void {
    if (records === 0) return;
    this.add(first);
    this.records += records - 1;
    this.highest = last;
  }

  /** Bytes that held records from `sequence` on can't be read; the next record says up to which. */
  lose(sequence: number): void {
    if (this.#lossBegins < 0) this.#lossBegins = sequence;
  }

  /** Every sequence from the lowest to the highest is a record, or known to be lost: none is in here unseen. */
  get addsUp(): boolean {
    return this.records === 0 || this.records + this.lost === this.highest - this.lowest + 1;
  }
}
