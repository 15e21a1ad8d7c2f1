/** Gathers bytes of a binary format; grows as needed. */
const FIRST_BYTES = 1_024;

export class ByteSink {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Big-endian, 1 to 6 bytes. */
  unsigned(value: number, bytes: number): void {
    this.#reserve(bytes);
    this.#bytes.writeUIntBE(value, this.#length, bytes);
    this.#length += bytes;
  }

  unsigned64(value: bigint): void {
    this.#reserve(8);
    this.#bytes.writeBigUInt64BE(value, this.#length);
    this.#length += 8;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#bytes.writeDoubleBE(value, this.#length);
    this.#length += 8;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** What was gathered; the sink gives its buffer away. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
