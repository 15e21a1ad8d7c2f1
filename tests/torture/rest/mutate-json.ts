/** One change in a JSON value: fields dropped, renamed, doubled, types changed, numbers at limits, parts of other bodies. */
import type { Chance } from "../../../engine/store/testing/chance.js";
import { Decimal, isMap, isNumber, printScalar, type Value, type ValueMap } from "../../conformance/values.js";
import type { Corpus } from "./corpus.js";
import { limitNumber, limitText, limitValue } from "./limits.js";

/** What a change draws on. */
export interface Drawn {
  readonly chance: Chance;
  readonly corpus: Corpus;
}

/** A place in a value: a member of a map or of a list. */
interface Place {
  readonly holder: ValueMap | Value[];
  readonly key: string | number;
}

/** A copy with one change somewhere in it. */
export function mutateJson(value: Value, drawn: Drawn): Value {
  const copy = copyOf(value);
  const places = placesIn(copy);
  if (places.length === 0) return limitValue(drawn.chance);
  const place = places[drawn.chance(places.length)];
  if (isMap(place.holder)) mutateMember(place.holder, String(place.key), drawn);
  else mutateElement(place.holder, Number(place.key), drawn);
  return copy;
}

function copyOf(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyOf);
  return isMap(value) ? new Map([...value].map(([key, member]) => [key, copyOf(member)])) : value;
}

function placesIn(value: Value): Place[] {
  if (Array.isArray(value)) return value.flatMap((member, key) => [{ holder: value, key }, ...placesIn(member)]);
  if (!isMap(value)) return [];
  return [...value].flatMap(([key, member]) => [{ holder: value, key }, ...placesIn(member)]);
}

function mutateMember(holder: ValueMap, key: string, drawn: Drawn): void {
  const { chance, corpus } = drawn;
  const value = holder.get(key) as Value;
  switch (chance(8)) {
    case 0:
      holder.delete(key);
      return;
    case 1:
      holder.delete(key);
      holder.set(chance(2) === 0 ? limitText(chance) : corpus.keys[chance(corpus.keys.length)], value);
      return;
    case 2: {
      const other = corpus.keys[chance(corpus.keys.length)];
      holder.set(other, corpus.valueOf(other, chance) ?? null);
      return;
    }
    case 3:
      holder.set(key, corpus.valueOf(key, chance) ?? null);
      return;
    default:
      holder.set(key, otherValue(value, drawn));
  }
}

function mutateElement(holder: Value[], at: number, drawn: Drawn): void {
  const { chance } = drawn;
  const value = holder[at];
  switch (chance(5)) {
    case 0:
      holder.splice(at, 1);
      return;
    case 1:
      holder.splice(at, 0, value);
      return;
    case 2:
      for (let copies = 0; copies < 300; copies++) holder.push(value);
      return;
    default:
      holder[at] = otherValue(value, drawn);
  }
}

/** Another value of the same type or of another one. */
function otherValue(value: Value, { chance }: Drawn): Value {
  switch (chance(6)) {
    case 0:
      return [value];
    case 1:
      return new Map([["value", value]]);
    case 2:
      return printScalar(value);
    case 3:
      return isNumber(value) ? new Decimal(limitNumber(chance)) : limitText(chance);
    default:
      return limitValue(chance);
  }
}
