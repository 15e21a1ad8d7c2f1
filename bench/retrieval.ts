/**
 * Question: is what was meant found first? Every set is asked as the tools ask, over public repositories at pinned commits.
 * Nothing is fetched; what is not there is said with the command that would clone it. Checkouts and indices are kept in the
 * work folder, so that a second run takes seconds.
 */
import path from "node:path";
import type { Client } from "../client/index.js";
import { ask } from "./retrieval/ask.js";
import { type Case, halvesOf, labelledCases } from "./retrieval/cases.js";
import { checkOut } from "./retrieval/checkout.js";
import { sampleCommits } from "./retrieval/commits.js";
import { CORPORA, type Corpus, REPORTED } from "./retrieval/corpora.js";
import { sampleDocstrings, writeMasked } from "./retrieval/docstrings.js";
import { withIndexed } from "./retrieval/indexed.js";
import { type Judged, judge, measuresOf } from "./retrieval/judge.js";
import { localize } from "./retrieval/localization.js";
import { printTable } from "./statistics.js";

/** Sets that can be asked alone. */
export const RETRIEVAL_SETS = ["labelled", "docstrings", "commits", "reports"] as const;

export interface RetrievalOptions {
  /** Folder of clones; without one, the commands that would make it are printed. */
  sources: string | undefined;
  work: string;
  /** Folder with `suites/localization/dev.jsonl`; without one, no bug reports are asked. */
  shared: string | undefined;
  sets: readonly string[];
  /** Prints every case that is not answered first. */
  misses: boolean;
}

/** Hits looked at for one query. */
const DEPTH = 50;
/** Cases of a made set from each repository. */
const SAMPLE = 15;
/** The two large ones are left out where a second index of everything would be needed. */
const MASKED = CORPORA.filter(({ name }) => name !== "redis" && name !== "vite");

export async function benchRetrieval(options: RetrievalOptions): Promise<void> {
  const { sources } = options;
  if (sources === undefined) return printClones();
  const places = { ...options, sources };
  const wants = (set: string) => options.sets.length === 0 || options.sets.includes(set);
  if (wants("labelled") || wants("commits") || wants("docstrings")) await benchCorpora(places, wants);
  if (!wants("reports") || options.shared === undefined) return;
  const reports = path.join(options.shared, "suites/localization/dev.jsonl");
  printTable("bug reports", await localize({ ...places, reports }, options.misses ? say : () => {}));
}

type Places = RetrievalOptions & { sources: string };

async function benchCorpora(places: Places, wants: (set: string) => boolean): Promise<void> {
  for (const corpus of CORPORA) checkOut(cloneOf(places, corpus), checkoutOf(places, corpus));
  const folders = CORPORA.map((corpus) => ({ folder: checkoutOf(places, corpus), repo: corpus.name }));
  await withIndexed(path.join(places.work, "nodes/corpora"), folders, async (client) => {
    if (wants("labelled")) await report("labelled queries", places, client, labelledCases());
    if (wants("commits")) await report("commit subjects", places, client, await commitCases(places, client));
    if (wants("docstrings")) await benchDocstrings(places, client);
  });
}

async function commitCases(places: Places, client: Client): Promise<Case[]> {
  const cases: Case[] = [];
  for (const { name, commit } of CORPORA) {
    const clone = { folder: path.join(places.sources, name), repo: name, commit };
    cases.push(...(await sampleCommits(client, clone, SAMPLE)));
  }
  return cases;
}

async function benchDocstrings(places: Places, plain: Client): Promise<void> {
  const cases: Case[] = [];
  const folders: { folder: string; repo: string }[] = [];
  for (const corpus of MASKED) {
    const sampled = await sampleDocstrings(plain, corpus.name, SAMPLE);
    const masked = path.join(places.work, "masked", corpus.name);
    writeMasked(checkoutOf(places, corpus), sampled, masked);
    folders.push({ folder: masked, repo: corpus.name });
    cases.push(...sampled);
  }
  await withIndexed(path.join(places.work, "nodes/masked"), folders, (client) =>
    report("docstrings, blanked in what is searched", places, client, cases),
  );
}

async function report(title: string, { misses }: Places, client: Client, cases: readonly Case[]): Promise<void> {
  const halves = halvesOf(cases);
  const judged: Judged[] = [];
  for (const [at, one] of cases.entries()) {
    const answers = await ask(client, { text: one.query, repo: one.repo, limit: DEPTH });
    const each = judge(one, halves[at] ?? "tuned", answers);
    judged.push(each);
    if (misses && each.ranks[0] !== 1)
      say(
        missOf(
          each,
          answers.slice(0, 3).map((hit) => hit.qualifiedName),
        ),
      );
  }
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  const ofHalf = (half: string) => judged.filter((each) => each.half === half);
  printTable(title, [
    { set: "all", ...measuresOf(judged) },
    { set: "tuned half", ...measuresOf(ofHalf("tuned")) },
    { set: "held-out half", ...measuresOf(ofHalf("held out")) },
    ...(kinds.length < 2
      ? []
      : kinds.map((kind) => ({ set: kind, ...measuresOf(judged.filter(({ one }) => one.kind === kind)) }))),
  ]);
}

function missOf({ one, half, ranks }: Judged, first: readonly string[]): string {
  const wanted = one.wanted.slice(0, 2).join(", ");
  return `${half}, ${one.kind}, ${one.repo}: ${JSON.stringify(one.query.slice(0, 80))}: ${wanted} at ${ranks[0] ?? "-"}; first ${first.join(", ")}`;
}

function cloneOf({ sources }: Places, { name, url, commit }: Corpus) {
  return { clone: path.join(sources, name), url, commit };
}

function checkoutOf({ work }: Places, { name, commit }: Corpus): string {
  return path.join(work, "checkouts", `${name}-${commit.slice(0, 8)}`, name);
}

function printClones(): void {
  say("Retrieval needs clones of these repositories in one folder, given as --sources:");
  for (const { name, url } of CORPORA) say(`git clone ${url} SOURCES/${name}`);
  for (const { name, url } of REPORTED) {
    const folder = path.basename(name);
    if (!CORPORA.some((corpus) => corpus.name === folder)) say(`git clone ${url} SOURCES/${folder}`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
