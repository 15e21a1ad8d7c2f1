/** Bytes being put together: grows by doubling, used again and again. */
export class ByteOutput {
  bytes: Uint8Array;
  /** Bytes written; the owner's to count. */
  at = 0;

  constructor(size = 4096) {
    this.bytes = new Uint8Array(size);
  }

  /** Makes room for `count` bytes more. */
  ensure(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.at + count));
    larger.set(this.bytes.subarray(0, this.at));
    this.bytes = larger;
  }

  byte(value: number): void {
    if (this.at === this.bytes.length) this.ensure(1);
    this.bytes[this.at++] = value;
  }

  /** Appends source[from, to). */
  append(source: Uint8Array, from: number, to: number): void {
    const count = to - from;
    this.ensure(count);
    const { bytes } = this;
    if (count > 64) bytes.set(source.subarray(from, to), this.at);
    else for (let i = 0; i < count; i++) bytes[this.at + i] = source[from + i];
    this.at += count;
  }

  /** Appends text of ASCII characters. */
  ascii(text: string): void {
    this.ensure(text.length);
    for (let i = 0; i < text.length; i++) this.bytes[this.at++] = text.charCodeAt(i);
  }

  /** A number below 2^32 in 7 bits a byte (LEB128). */
  varint(value: number): void {
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.byte((rest & 127) | 128);
    this.byte(rest);
  }
}
