/** Memory for the bodies of large requests, used again and again: fresh one has to be cleared by the system each time. */
export class BodyMemory {
  readonly #free: Buffer[] = [];

  /** `largest`: bytes of a body from which on it has memory of its own. */
  constructor(private readonly largest: number) {}

  /** One after the other, for `use`, which must not read them after it has ended; nothing is used again that it failed with. */
  async withJoined<T>(pieces: readonly Uint8Array[], use: (body: Buffer) => Promise<T>): Promise<T> {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (length > this.largest) return use(Buffer.concat(pieces));
    const memory = this.#free.pop() ?? Buffer.allocUnsafeSlow(this.largest);
    let at = 0;
    for (const piece of pieces) {
      memory.set(piece, at);
      at += piece.length;
    }
    const result = await use(memory.subarray(0, length));
    this.#free.push(memory);
    return result;
  }
}
