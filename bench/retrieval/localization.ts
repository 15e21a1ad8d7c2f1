/**
 * Whole bug reports, each over the repository as it was: which files and functions are to be changed. The reports are read
 * from a folder beside the project (`suites/localization/dev.jsonl` of PINAKES_SHARED, SWE-bench Lite); nothing of it is here.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Answer, ask, filesOf } from "./ask.js";
import { checkOut } from "./checkout.js";
import { withIndexed } from "./indexed.js";
import { foundAt, mean, ranksOf, reciprocalRank } from "./measures.js";

/** A report as it is listed. */
interface Report {
  id: string;
  /** `owner/name`. */
  repo: string;
  commit: string;
  issue: string;
  gold_files: string[];
  /** `path:Class.method`; empty where no function is named. */
  gold_functions: string[];
}

/** Where things are. */
export interface Places {
  /** Folder of clones, by the repository's own name. */
  sources: string;
  /** Folder that checkouts and indices are kept in. */
  work: string;
  /** The file of reports. */
  reports: string;
}

/** How a report went. */
interface Localized {
  id: string;
  fileRanks: number[];
  /** Whether a function to be changed is among the first five functions; undefined where none is named. */
  function5: number | undefined;
  firstFiles: string[];
}

/** Hits that files are ranked by. */
const DEPTH = 200;
const FUNCTIONS = new Set(["function", "method", "constructor"]);

/** Searches with every report; prints each rank when told to. Throws NoSourceError. */
export async function localize(
  places: Places,
  tell: (line: string) => void,
): Promise<Record<string, string | number>[]> {
  const reports = readFileSync(places.reports, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Report);
  const all: Localized[] = [];
  for (const report of reports) {
    const one = await localizeOne(places, report);
    all.push(one);
    tell(`${report.id}: file at ${one.fileRanks[0] ?? "-"}; first ${one.firstFiles.join(" ")}`);
  }
  const odd = (_: Localized, at: number) => at % 2 === 0;
  return [
    rowOf("all", all),
    rowOf("tuned half", all.filter(odd)),
    rowOf(
      "held-out half",
      all.filter((one, at) => !odd(one, at)),
    ),
  ];
}

async function localizeOne({ sources, work }: Places, report: Report): Promise<Localized> {
  const name = path.basename(report.repo);
  const folder = path.join(work, "reports", report.id);
  const wanted = { clone: path.join(sources, name), url: `https://github.com/${report.repo}`, commit: report.commit };
  checkOut(wanted, folder);
  return withIndexed(path.join(work, "nodes", report.id), [{ folder, repo: report.repo }], async (client) => {
    const answers = await ask(client, { text: report.issue, limit: DEPTH });
    return judged(report, answers);
  });
}

function judged({ id, gold_files, gold_functions }: Report, answers: readonly Answer[]): Localized {
  const files = filesOf(answers);
  const functions = answers.filter(({ kind }) => FUNCTIONS.has(kind)).map((one) => `${one.path}:${one.qualifiedName}`);
  const ranks = ranksOf(functions, (name) => gold_functions.includes(name));
  return {
    id,
    fileRanks: ranksOf(files, (file) => gold_files.includes(file)),
    function5: gold_functions.length === 0 ? undefined : foundAt(ranks, 5),
    firstFiles: files.slice(0, 3),
  };
}

function rowOf(half: string, all: readonly Localized[]): Record<string, string | number> {
  const ranks = all.map(({ fileRanks }) => fileRanks);
  return {
    half,
    reports: all.length,
    "File@1": mean(ranks.map((one) => foundAt(one, 1))),
    "File@3": mean(ranks.map((one) => foundAt(one, 3))),
    "File@5": mean(ranks.map((one) => foundAt(one, 5))),
    MRR: mean(ranks.map(reciprocalRank)),
    "Func@5": mean(all.flatMap(({ function5 }) => (function5 === undefined ? [] : [function5]))),
  };
}
