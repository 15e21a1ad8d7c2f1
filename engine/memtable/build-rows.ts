/** Documents by number; what is named after a list is its address in the arena. */
export interface BuildRows {
  readonly count: number;
  /** Bit set: leave the document out. */
  readonly dead: Uint32Array | null;
  /** UTF-8 of all ids, and where each ends in it (u32). */
  readonly idText: number;
  readonly idEnds: number;
  /** f64 each. */
  readonly seqNos: number;
  readonly versions: number;
  readonly primaryTerms: number;
  /** f64 addresses of records and raw sources; u32 lengths of the latter. */
  readonly starts: number;
  readonly ends: number;
  readonly sources: number;
  readonly lengths: number;
  /** By document, ascending. */
  readonly routings: readonly (readonly [doc: number, routing: string])[];
}
