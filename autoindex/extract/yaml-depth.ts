/**
 * How deep YAML nests by indentation and by marks at the beginning of a line. The grammar writes a level's indentation into four
 * bytes of a buffer of 1024 and does not look whether they fit: from level 254 on it overwrites what lies behind, and
 * ends the process at best.
 */
export const DEEPEST_YAML = 200;

/** Spaces, then marks of entries and keys with what is between them, then what they are of. */
const LINE = /^( *)((?:[-?:][ \t]+)*)(?=\S)/gm;

/** Whether a text has more levels than the grammar may be asked for. */
export function isDeepYaml(text: string): boolean {
  const open: number[] = [];
  for (const { 1: spaces = "", 2: marks = "" } of text.matchAll(LINE)) {
    while (open.length > 0 && open.at(-1)! >= spaces.length) open.pop();
    for (const { index } of marks.matchAll(/[-?:]/g)) open.push(spaces.length + index);
    open.push(spaces.length + marks.length);
    if (open.length > DEEPEST_YAML) return true;
  }
  return false;
}
