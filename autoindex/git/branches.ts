import { nearest } from "../../code/index.js";
import { globToRegExp } from "./branch-pattern.js";
import { GitError, gitText } from "./command.js";
import type { Repository } from "./repository.js";

/** A branch and the commit it points at. `name` is what documents are marked with. */
export interface Branch {
  name: string;
  commit: string;
}

/** More than this many branches at once are refused: each costs a listing of its whole tree. */
export const MOST_BRANCHES = 500;

const PREFIXES = ["refs/heads/", "refs/remotes/", "refs/tags/"] as const;

interface Reference {
  full: string;
  commit: string;
}

/** All references that lead to a commit. */
async function readReferences({ folder }: Repository): Promise<Reference[]> {
  const format = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)";
  const text = await gitText(folder, ["for-each-ref", `--format=${format}`, ...PREFIXES]);
  const references: Reference[] = [];
  for (const line of text.split("\n")) {
    const [full = "", type, id = "", peeledType, peeled = ""] = line.split("\0");
    if (type === "commit") references.push({ full, commit: id });
    else if (peeledType === "commit") references.push({ full, commit: peeled });
  }
  return references;
}

/** All local branches, by name. */
export async function localBranches(repository: Repository): Promise<Branch[]> {
  return under(await readReferences(repository), "refs/heads/");
}

function under(references: readonly Reference[], prefix: string): Branch[] {
  return references
    .filter(({ full }) => full.startsWith(prefix) && !full.endsWith("/HEAD"))
    .map(({ full, commit }) => ({ name: full.slice(prefix.length), commit }));
}

/** Whether names that are nowhere are a mistake of the one who asks, or of a branch that has gone since. */
export type Missing = "refuse" | "leave out";

/**
 * The branches that a list of names and patterns means: `all` for every local one, `release/*`, `main`, `origin/main`,
 * `v1.2`. A name is looked for among local branches, then remote ones, then tags. Sorted by name.
 */
export async function resolveBranches(
  repository: Repository,
  names: readonly string[],
  missing: Missing,
): Promise<Branch[]> {
  const references = await readReferences(repository);
  const found = new Map<string, Branch>();
  for (const name of names) {
    const matching = matchName(references, name);
    if (matching.length === 0 && missing === "refuse" && name !== "all") throw unknown(references, name);
    for (const branch of matching) found.set(branch.name, branch);
  }
  if (found.size > MOST_BRANCHES) {
    throw new GitError("too_much", `${found.size} branches at once are too many (at most ${MOST_BRANCHES}): name some`);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function matchName(references: readonly Reference[], name: string): Branch[] {
  if (name === "all") return under(references, "refs/heads/");
  const pattern = globToRegExp(name);
  for (const prefix of PREFIXES) {
    const matching = under(references, prefix).filter((branch) => pattern.test(branch.name));
    if (matching.length > 0) return matching;
  }
  return [];
}

function unknown(references: readonly Reference[], name: string): GitError {
  const known = PREFIXES.flatMap((prefix) => under(references, prefix).map((branch) => branch.name));
  const [near] = nearest(name, known, 1);
  const hint = near === undefined ? `there are ${known.slice(0, 10).join(", ") || "none"}` : `did you mean ${near}?`;
  return new GitError("failed", `there is no branch or tag "${name}"; ${hint}`);
}
