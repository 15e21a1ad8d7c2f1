/**
 * Queries with what answers them. The labelled ones were written and judged by hand, from knowledge of the repositories and
 * their text, before any ranking of them was looked at. Cases take turns: the first, third, ... of each set were looked at
 * when weights were chosen (`tuned`), the others only reported (`held out`).
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A query, and the declarations or files that answer it; any of them will do. */
export interface Case {
  repo: string;
  /** Name of the set that it is reported with. */
  kind: string;
  query: string;
  /** `path#name` or `path#qualified.name` of declarations, `path` of whole files. */
  wanted: string[];
}

/** Which half of its set a case belongs to. */
export type Half = "tuned" | "held out";

const LABELLED = fileURLToPath(new URL("../../../bench/retrieval/labelled.jsonl", import.meta.url));

/** The labelled queries, in the order of the file. */
export function labelledCases(): Case[] {
  return readFileSync(LABELLED, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);
}

/** The half of each case: by turns within its kind. */
export function halvesOf(cases: readonly Case[]): Half[] {
  const counts = new Map<string, number>();
  return cases.map(({ kind }) => {
    const before = counts.get(kind) ?? 0;
    counts.set(kind, before + 1);
    return before % 2 === 0 ? "tuned" : "held out";
  });
}
