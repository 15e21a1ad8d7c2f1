/** Matches of a line that are told; a line of millions of bytes may have as many. */
export const MAX_RANGES = 1000;
