/** What a map is of: everything, a repository, a folder in it. */
export interface MapScope {
  repo?: string;
  /** Folder or file, without `/` at its ends; empty for all. */
  path: string;
}

/** The query for what is in a scope. */
export function within({ repo, path }: MapScope): Record<string, unknown> {
  const filter = [
    ...(repo === undefined ? [] : [{ term: { repo } }]),
    ...(path === "" ? [] : [{ bool: { should: [{ prefix: { path: `${path}/` } }, { term: { path } }] } }]),
  ];
  // What only other branches have is no part of the map.
  return { bool: { filter, must_not: [{ term: { in_tree: false } }] } };
}
