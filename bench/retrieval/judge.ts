/** From hits to measures. */
import type { Answer } from "./ask.js";
import { filesOf } from "./ask.js";
import type { Case, Half } from "./cases.js";
import { foundAt, mean, ndcgAt10, ranksOf, reciprocalRank } from "./measures.js";

/** How one case went. */
export interface Judged {
  one: Case;
  half: Half;
  /** Ranks of what was wanted. */
  ranks: number[];
  /** Ranks of the files of what was wanted. */
  fileRanks: number[];
}

/** Judges the hits for a case: a declaration counts where its path and its own or its qualified name are wanted. */
export function judge(one: Case, half: Half, answers: readonly Answer[]): Judged {
  const files = new Set(one.wanted.map((wanted) => wanted.split("#")[0]));
  const wanted = new Set(one.wanted);
  const isOfFiles = one.wanted.every((each) => !each.includes("#"));
  const fileRanks = ranksOf(filesOf(answers), (path) => files.has(path));
  if (isOfFiles) return { one, half, ranks: fileRanks, fileRanks };
  const keys = answers.map(({ path, name, qualifiedName }) =>
    wanted.has(`${path}#${qualifiedName}`) ? `${path}#${qualifiedName}` : `${path}#${name}`,
  );
  return { one, half, ranks: ranksOf(keys, (key) => wanted.has(key)), fileRanks };
}

/** A row of the report: means over some judged cases. */
export function measuresOf(judged: readonly Judged[]): Record<string, number> {
  const over = (measure: (each: Judged) => number) => mean(judged.map(measure));
  return {
    queries: judged.length,
    "recall@1": over(({ ranks }) => foundAt(ranks, 1)),
    "recall@5": over(({ ranks }) => foundAt(ranks, 5)),
    MRR: over(({ ranks }) => reciprocalRank(ranks)),
    "nDCG@10": over(({ one, ranks }) => ndcgAt10(ranks, one.wanted.length)),
    "file@1": over(({ fileRanks }) => foundAt(fileRanks, 1)),
    "file MRR": over(({ fileRanks }) => reciprocalRank(fileRanks)),
  };
}
