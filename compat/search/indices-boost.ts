/** `indices_boost`: what the scores of an index are multiplied by. */
import type { EngineFace } from "../../engine/index.js";
import { parsingError } from "../errors.js";
import { indicesOf, type NameOptions } from "../indices/names.js";
import { isObject, type Json } from "../json/value.js";

/** Boosts by index name; of several entries that name an index the first counts. Throws ApiError. */
export function indexBoosts(
  engine: EngineFace,
  given: Json | undefined,
  options: NameOptions,
): Record<string, number> | undefined {
  if (given === undefined || given === null) return undefined;
  const boosts = new Map<string, number>();
  for (const [name, boost] of entriesOf(given)) {
    for (const index of indicesOf(engine, name, options)) {
      if (!boosts.has(index.name)) boosts.set(index.name, boost);
    }
  }
  return Object.fromEntries(boosts);
}

/** An object, or a list of objects with one entry each. */
function entriesOf(given: Json): [name: string, boost: number][] {
  const objects = Array.isArray(given) ? given : [given];
  return objects.flatMap((one) => {
    if (!isObject(one)) throw parsingError("Expected [START_OBJECT] in [indices_boost]", "indices_boost");
    return Object.entries(one).map(([name, value]): [string, number] => {
      const boost = typeof value === "number" ? value : Number.NaN;
      if (Number.isFinite(boost)) return [name, boost];
      throw parsingError(`Expected a number for [${name}] in [indices_boost]`, name);
    });
  });
}
