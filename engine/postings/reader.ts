/** Reading postings of a field in a segment; bytes as described in format.ts. */
import { InternalError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import type { PostingsIterator, TermState } from "../segment/types.js";
import { SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { BlockPostings, type PostingsPlace } from "./iterator.js";

/** Postings of one field. */
export interface FieldPostings {
  /** A fresh iterator; `positions` must be true for `positions()` to work. */
  iterator(state: TermState, options: { positions: boolean }): PostingsIterator;
}

/** Whether a field keeps frequencies and positions: each occurrence has a position, so the section tells. */
export function keepsPositions(source: SectionSource, field: Field): boolean {
  return source.sectionSize(SectionKind.positionData, field.ordinal) >= 0;
}

/**
 * Opens a field's postings. Positions are pinned when they are first asked for, so that queries without phrases never
 * load them.
 */
export function openPostings(source: SectionSource, storage: Storage, field: Field): FieldPostings {
  const { ordinal } = field;
  const withFreqs = keepsPositions(source, field);
  const place: PostingsPlace = {
    data: source.pin(SectionKind.postingData, ordinal)?.address ?? 0,
    headers: source.pin(SectionKind.postingHeaders, ordinal)?.address ?? 0,
    positions: 0,
    norms: withFreqs ? (source.pin(SectionKind.norms, ordinal)?.address ?? 0) : 0,
    withFreqs,
  };
  let withPositions: PostingsPlace | undefined;
  const pinPositions = (): PostingsPlace => {
    const positions = source.pin(SectionKind.positionData, ordinal);
    if (positions === null) throw new InternalError(`field "${field.path}" keeps no positions`);
    return { ...place, positions: positions.address };
  };
  return {
    iterator(state, options) {
      if (!options.positions) return new BlockPostings(storage, place, state);
      withPositions ??= pinPositions();
      return new BlockPostings(storage, withPositions, state);
    },
  };
}
