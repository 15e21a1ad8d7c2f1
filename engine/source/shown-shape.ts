/**
 * A shape cut to the members of the document that are shown: a document is put together from it as the answer shows it, so that
 * nobody has to parse it, leave members out and print it again.
 */

import { CorruptionError } from "../errors.js";
import { mayNameBelow, namesPath } from "../mapping/patterns.js";
import { SLOT_END } from "./assemble.js";
import { ByteOutput } from "./byte-output.js";
import type { DocumentValues } from "./document-values.js";
import type { Shape } from "./shape.js";
import type { ShownPaths } from "./shown-paths.js";
import { isKept, printSlot, SlotKind } from "./slots.js";

/** What is left of a shape. */
export interface ShownShape extends Shape {
  /** For each kept slot that is left: how many kept ones of the whole shape lie between it and the kept one before it that is left. */
  readonly skips: Uint32Array;
  /** Where its values come from: "columns": no record is needed. */
  readonly values: "columns" | "record";
}

/** A member of the document itself: its bytes in the literals, the slots in it. */
interface Member {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly firstSlot: number;
  readonly endSlot: number;
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACES: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);

/** The shape of what is shown; null: what is shown of a member must be looked up in its value, or the text would be printed otherwise. */
export function cutShape(shape: Shape, shown: ShownPaths): ShownShape | null {
  const members = membersOf(shape);
  if (members === null) return null;
  const left: Member[] = [];
  for (const member of members) {
    const part = partShown(member.name, shown);
    if (part === "some") return null;
    if (part === "all") left.push(member);
  }
  return joined(shape, left);
}

function partShown(member: string, { includes, excludes }: ShownPaths): "all" | "some" | "none" {
  if (namesPath(excludes, member)) return "none";
  const isIncluded = includes.length === 0 || namesPath(includes, member);
  if (!isIncluded) return mayNameBelow(includes, member) ? "some" : "none";
  return mayNameBelow(excludes, member) ? "some" : "all";
}

/** The members in their order; null where there is white space or an escape in the literals: they are printed anew without. */
function membersOf({ literals, literalEnds, kinds }: Shape): Member[] | null {
  if (literals[0] !== OPEN || literals[literals.length - 1] !== CLOSE) return null;
  const members: Member[] = [];
  let depth = 0;
  let slot = 0;
  let inside = false;
  let [from, nameEnd, firstSlot] = [1, 0, 0];
  for (let at = 0; at < literals.length; at++) {
    while (slot < kinds.length && literalEnds[slot] === at) slot++;
    const byte = literals[at];
    if (byte === BACKSLASH || (!inside && SPACES.has(byte))) return null;
    if (byte === QUOTE) inside = !inside;
    if (inside) continue;
    if (byte === COLON && depth === 1 && nameEnd === 0) nameEnd = at;
    const ends = depth === 1 && (byte === COMMA || byte === CLOSE);
    if (ends && nameEnd > 0) {
      const name = Buffer.from(literals.subarray(from + 1, nameEnd - 1)).toString("utf8");
      members.push({ name, from, to: at, firstSlot, endSlot: slot });
    }
    if (ends) [from, nameEnd, firstSlot] = [at + 1, 0, slot];
    if (byte === OPEN || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE || byte === CLOSE_LIST) depth--;
  }
  return depth === 0 && slot === kinds.length ? members : null;
}

function joined({ literals, literalEnds, kinds, fields }: Shape, members: readonly Member[]): ShownShape {
  const output = new ByteOutput(literals.length + 2);
  const ends: number[] = [];
  const slots: number[] = [];
  output.byte(OPEN);
  for (const [i, { from, to, firstSlot, endSlot }] of members.entries()) {
    if (i > 0) output.byte(COMMA);
    const base = output.at - from;
    output.append(literals, from, to);
    for (let slot = firstSlot; slot < endSlot; slot++) {
      slots.push(slot);
      ends.push(base + literalEnds[slot]);
    }
  }
  output.byte(CLOSE);
  const own = Uint8Array.from(slots, (slot) => kinds[slot]);
  return {
    values: own.some(isKept) ? "record" : "columns",
    literals: output.bytes.slice(0, output.at),
    literalEnds: Uint32Array.from(ends),
    kinds: own,
    fields: Uint32Array.from(slots, (slot) => fields[slot]),
    skips: skipsOf(kinds, slots),
  };
}

/** Kept slots before each of `slots` that is kept itself, since the one before; 0 for the others. */
function skipsOf(kinds: Uint8Array, slots: readonly number[]): Uint32Array {
  let from = 0;
  return Uint32Array.from(slots, (to) => {
    if (!isKept(kinds[to])) return 0;
    const kept = kinds.subarray(from, to).filter(isKept).length;
    from = to + 1;
    return kept;
  });
}

/**
 * Appends what is shown of a document whose record keeps its slots from `from` on; "unlike": a kept value has white space in it,
 * perhaps between its tokens, and is printed without. Throws CorruptionError when the record is too short.
 */
export function assembleShown(
  shown: ShownShape,
  { record, from, name }: { readonly record: Uint8Array; readonly from: number; readonly name: string },
  values: DocumentValues,
  output: ByteOutput,
): "shown" | "unlike" {
  const { literals, literalEnds, kinds, fields, skips } = shown;
  let literal = 0;
  let at = from;
  const slotEnd = (): number => {
    const end = record.indexOf(SLOT_END, at);
    if (end < 0) throw new CorruptionError(`${name} (_source)`, 0, "a record of more slots", "its end");
    return end;
  };
  for (let slot = 0; slot < kinds.length; slot++) {
    output.append(literals, literal, literalEnds[slot]);
    literal = literalEnds[slot];
    if (!isKept(kinds[slot])) {
      printSlot(kinds[slot], fields[slot], values, output);
      continue;
    }
    for (let n = skips[slot]; n > 0; n--) at = slotEnd() + 1;
    const end = slotEnd();
    if (kinds[slot] !== SlotKind.text && hasSpace(record, at, end)) return "unlike";
    output.append(record, at, end);
    at = end + 1;
  }
  output.append(literals, literal, literals.length);
  return "shown";
}

function hasSpace(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (SPACES.has(bytes[at])) return true;
  return false;
}

interface Cut {
  readonly shown: ShownPaths;
  readonly cut: ShownShape | null;
}

/** What was asked of a shape last. */
const lately = new WeakMap<Shape, Cut>();

/** cutShape, made once for a shape as long as the same is asked. */
export function shownShape(shape: Shape, shown: ShownPaths): ShownShape | null {
  let found = lately.get(shape);
  if (found?.shown !== shown) {
    found = { shown, cut: cutShape(shape, shown) };
    lately.set(shape, found);
  }
  return found.cut;
}
