/** What aliases are given to: indices, and data streams by their own names. */
import type { EngineFace } from "../../engine/index.js";
import { dataStreamNames, dataStreamOf, parentOf } from "../data-streams/kept.js";
import { illegalArgument } from "../errors.js";
import { indicesOf, type NameOptions, wildcard } from "./names.js";

/** Names of what an expression means, data streams in place of the indices behind them. Throws index_not_found. */
export function aliasMembers(engine: EngineFace, expression: string, options: NameOptions): string[] {
  const streams = streamsNamed(engine, expression, options);
  const parts = expression.split(",").filter((part) => dataStreamOf(engine, part.trim()) === undefined);
  const indices = parts.length === 0 ? [] : indicesOf(engine, parts.join(","), options).map(({ name }) => name);
  const own = indices.filter((name) => !streams.includes(parentOf(engine, name) ?? ""));
  return [...streams, ...own];
}

/** Data streams of an expression, sorted. */
function streamsNamed(engine: EngineFace, expression: string, { hidden, open, closed }: NameOptions): string[] {
  const all = dataStreamNames(engine);
  const found = new Set<string>();
  for (const part of (expression === "" ? "_all" : expression).split(",").map((one) => one.trim())) {
    const excludes = part.startsWith("-");
    const pattern = part === "_all" ? "*" : excludes ? part.slice(1) : part;
    const isPattern = pattern.includes("*");
    for (const name of all.filter(wildcard(pattern))) {
      const isHidden = !hidden && dataStreamOf(engine, name)?.hidden === true;
      if (excludes) found.delete(name);
      else if (!isPattern || ((open || closed) && !isHidden)) found.add(name);
    }
  }
  return all.filter((name) => found.has(name));
}

/** Throws ApiError 400 for an index behind a data stream: aliases are the stream's. */
export function checkNotBacking(engine: EngineFace, index: string): void {
  const parent = parentOf(engine, index);
  if (parent === undefined) return;
  throw illegalArgument(
    `The provided expressions [${index}] match a backing index belonging to data stream [${parent}]. Data stream backing indices don't support aliases.`,
  );
}
