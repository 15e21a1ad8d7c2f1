/**
 * Sections: the named parts of a segment. A data structure writes its bytes into sections and later finds them again
 * by kind and field; it knows neither files nor where in memory they are.
 */

/**
 * What a section holds. Numbers are on disk: never renumber, only append. Kinds below 16 belong to the segment, from
 * 16 to postings/ and text/, from 48 to columns/, from 64 to source/, from 80 to vectors/, from
 * 96 to trigrams/.
 */
export const SectionKind = {
  segmentMeta: 1,
  termIndex: 16,
  termData: 17,
  termStates: 18,
  postingHeaders: 19,
  postingData: 20,
  positionHeaders: 21,
  positionData: 22,
  norms: 23,
  fieldLengths: 24,
  fieldStats: 25,
  columnMeta: 48,
  columnPresence: 49,
  columnOffsets: 50,
  columnValues: 51,
  columnBlockMin: 52,
  columnBlockMax: 53,
  exists: 54,
  idData: 64,
  idBlocks: 65,
  idTable: 66,
  idFilter: 67,
  seqNos: 68,
  versions: 69,
  primaryTerms: 70,
  routing: 71,
  sourceBlocks: 72,
  sourceLengths: 73,
  sourceData: 74,
  sourceShapes: 75,
  vectorMeta: 80,
  vectorDocs: 81,
  vectorRows: 82,
  vectorMagnitudes: 83,
  textData: 96,
  textLengths: 97,
  textDocs: 98,
  textTable: 99,
  gramIndex: 100,
  gramData: 101,
  gramLists: 102,
} as const;

export type SectionKind = (typeof SectionKind)[keyof typeof SectionKind];

/** `field` of sections that belong to the whole segment. */
export const NO_FIELD = 0xffffffff;

/** Takes sections one after the other; the bytes given may be reused after `append` returns. */
export interface SectionSink {
  /** Begins the section of this kind and field ordinal (NO_FIELD: the segment's). Each may exist once. */
  begin(kind: SectionKind, field: number): void;
  append(bytes: Uint8Array): void;
  end(): void;
}

/** A place in the arena. */
export interface Extent {
  readonly address: number;
  /** Bytes; at least 16 more are readable behind them. */
  readonly length: number;
}

/** Gives sections back. Both ways check every byte they hand out and throw CorruptionError. */
export interface SectionSource {
  /**
   * The whole section in the arena, 64-byte aligned, loaded if need be; null: there is none. Valid until the segment's
   * use ends (SegmentReader.endUse).
   */
  pin(kind: SectionKind, field: number): Extent | null;
  /** A copy of a part, read from the file through a bounded cache; throws when it reaches past the section's end. */
  read(kind: SectionKind, field: number, offset: number, length: number): Uint8Array;
  /** The same into memory that is there already; `into` says how many bytes. */
  readInto(kind: SectionKind, field: number, offset: number, into: Uint8Array): void;
  /** Bytes of the section; -1: there is none. */
  sectionSize(kind: SectionKind, field: number): number;
}

/** Gives single cells of sections: where the section is loaded they are read there, else from the file through a cache. */
export interface CellSource extends Pick<SectionSource, "readInto" | "sectionSize"> {
  /**
   * Address of the section in the arena, where it stays until the segment's use ends; 0: it is not there, `readInto`
   * serves. A section that was read this way so often that loading it would have cost no more is loaded.
   */
  warm(kind: SectionKind, field: number): number;
  /** What is made of a section's units, and kept. Absent, or null: nothing is. */
  units?(kind: SectionKind, field: number, maker: UnitMaker): Units | null;
}

/**
 * Makes something of the units of a section (text out of packed blocks), which is worth keeping in memory. Units are numbered from 0;
 * a section has one for each UNIT_BYTES, begun ones included.
 */
export interface UnitMaker {
  /** Bytes of what is made; 0: this one is not to be kept. */
  unitBytes(unit: number): number;
  /** Makes it at an address, with 16 bytes of room behind it. */
  makeUnit(unit: number, address: number): void;
}

/** What was made, once for all threads. */
export interface Units {
  /** Address of a unit, where it stays until the segment's use ends; 0: it is not kept. */
  at(unit: number): number;
}

/** Sections of which units are kept, and bytes of the section that make a unit: some blocks of text. */
export const UNIT_BYTES: ReadonlyMap<SectionKind, number> = new Map([[SectionKind.textData, 16 * 1024]]);
