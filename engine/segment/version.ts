/**
 * Versions of the segment file, each with what it changed. A reader reads OLDEST_READABLE..FORMAT_VERSION; a feature
 * bit it does not know means that it would misread the file.
 *
 *   1  the first; no program that was released wrote it
 *   2  columns of booleans hold the numbers 0 and 1, not ordinals
 */
export const FORMAT_VERSION = 2;
export const OLDEST_READABLE = 2;

/** Feature bits this program understands (none yet). */
export const KNOWN_FEATURES = 0;
