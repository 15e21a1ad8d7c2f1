/** A set made by itself: the subject of a commit asks for the source files that it touched. */
import { createHash } from "node:crypto";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { Case } from "./cases.js";
import { git } from "./checkout.js";

/** How far back from the pinned commit. */
const DEPTH = 1500;
const MOST_FILES = 3;
const FEWEST_WORDS = 4;
const PAGE = 10_000;
/** Commits whose subject says nothing of the code. */
const CHORES =
  /^(?:chore|docs?|release|build|ci|tests?|style|revert|merge|bump|update)\b|\b(?:bump|changelog|typos?|licen[cs]e|release|v?\d+\.\d+)\b/i;

/** So many commits of a repository's history, chosen by hash. */
export async function sampleCommits(
  client: Client,
  clone: { folder: string; repo: string; commit: string },
  count: number,
): Promise<Case[]> {
  const sources = await sourceFiles(client, clone.repo);
  const log = git(clone.folder, ["log", "--no-merges", `-n${DEPTH}`, "--format=%x01%s", "--name-only", clone.commit]);
  return log
    .split("\u0001")
    .slice(1)
    .map((entry) => entry.split("\n").filter((line) => line !== ""))
    .map(([subject = "", ...files]) => ({
      subject: subject.replace(/\s*\(#\d+\)$/, ""),
      files: files.filter((file) => sources.has(file)),
    }))
    .filter(({ subject, files }) => files.length > 0 && files.length <= MOST_FILES && isTelling(subject))
    .map(({ subject, files }) => ({ subject, files, order: createHash("sha1").update(subject).digest("hex") }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, count)
    .map(({ subject, files }) => ({ repo: clone.repo, kind: "commit", query: subject, wanted: files }));
}

function isTelling(subject: string): boolean {
  return subject.split(/\s+/).length >= FEWEST_WORDS && !CHORES.test(subject);
}

async function sourceFiles(client: Client, repo: string): Promise<Set<string>> {
  const filter = [{ term: { repo } }, { term: { class: "source" } }];
  const answer = await client.json<{ hits: { hits: { _source: { path: string } }[] } }>(
    "POST",
    `/${INDEX.files}/_search`,
    {
      query: { bool: { filter } },
      size: PAGE,
      _source: ["path"],
    },
  );
  return new Set(answer.hits.hits.map(({ _source }) => _source.path));
}
