/**
 * Which parts of documents are shown, and which slots of a shape are not: what is left out in the end need not be unpacked and printed.
 * The text of a file is a hundred times what else is known of it.
 */
import { mayNameBelow, namesPath } from "../mapping/patterns.js";
import type { Shape } from "./shape.js";

/** What any of `includes` names is shown (none: all), but what any of `excludes` does (namesPath). */
export interface ShownPaths {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** A client asks for the same again and again. */
const MOST_KNOWN = 16;
const known = new Map<string, ShownPaths>();

/** The same object for the same paths: what is made for it is found again. */
export function sameShown(shown: ShownPaths): ShownPaths {
  const text = JSON.stringify([shown.includes, shown.excludes]);
  const found = known.get(text) ?? shown;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, found);
  return found;
}

interface Hidden {
  readonly shown: ShownPaths;
  readonly slots: Uint8Array | null;
}

/** What was asked of a shape last. */
const lately = new WeakMap<Shape, Hidden>();

/** For each slot 1 if nothing is shown of the member of the document that it lies in; null: all may be shown. */
export function hiddenSlots(shape: Shape, shown: ShownPaths | undefined): Uint8Array | null {
  if (shown === undefined) return null;
  let found = lately.get(shape);
  if (found?.shown !== shown) {
    const slots = Uint8Array.from(slotMembers(shape), (member) => (isHidden(member, shown) ? 1 : 0));
    found = { shown, slots: slots.includes(1) ? slots : null };
    lately.set(shape, found);
  }
  return found.slots;
}

function isHidden(member: string, { includes, excludes }: ShownPaths): boolean {
  if (namesPath(excludes, member)) return true;
  return includes.length > 0 && !namesPath(includes, member) && !mayNameBelow(includes, member);
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** The key of the document's own member that each slot lies in. */
function slotMembers({ literals, literalEnds, kinds }: Shape): string[] {
  const members: string[] = [];
  let depth = 0;
  let member = "";
  /** Where the string began that is read, or that was read last. */
  let begin = 0;
  let end = 0;
  let inside = false;
  for (let at = 0; members.length < kinds.length; at++) {
    while (at === literalEnds[members.length] && members.length < kinds.length) members.push(member);
    const byte = literals[at];
    if (inside) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) {
        inside = false;
        end = at;
      }
    } else if (byte === QUOTE) {
      inside = true;
      begin = at + 1;
    } else if (OPENING.has(byte)) depth++;
    else if (CLOSING.has(byte)) depth--;
    else if (byte === COLON && depth === 1) member = textOf(literals.subarray(begin, end));
  }
  return members;
}

function textOf(inside: Uint8Array): string {
  return JSON.parse(`"${Buffer.from(inside).toString("utf8")}"`) as string;
}
