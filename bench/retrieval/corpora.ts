/**
 * The public repositories that the labelled queries are about, each at one commit. Nothing is fetched: `--sources DIR` has
 * a clone of each, `DIR/requests` and so on, in which the commit must be; `npm run bench -- retrieval --clone` prints the
 * commands.
 */

/** A repository at a commit. */
export interface Corpus {
  /** Name of the clone's folder, and of the repository in the index. */
  name: string;
  url: string;
  commit: string;
  language: string;
}

/** Sorted by name. */
export const CORPORA: readonly Corpus[] = [
  corpus("express", "expressjs/express", "a3714473feb3d2908add734d340e7755fd85e0a3", "JavaScript"),
  corpus("fmt", "fmtlib/fmt", "60ccad511fd680cb91d8b60a315759f71c67bef9", "C++"),
  corpus("gin", "gin-gonic/gin", "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9", "Go"),
  corpus("gson", "google/gson", "9835b6f90192f79cdf5300c528fc6212455fb6c1", "Java"),
  corpus("redis", "redis/redis", "4f8cdc2a1ea53e42955af758aabffee67cb455dd", "C"),
  corpus("requests", "psf/requests", "1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e", "Python"),
  corpus("ripgrep", "BurntSushi/ripgrep", "3fce3b5bb0236da2df6d99672afb8a719642eca7", "Rust"),
  corpus("sinatra", "sinatra/sinatra", "cb22afd7902b566b6eaba6c4ea89739494a65d12", "Ruby"),
  corpus("vite", "vitejs/vite", "a98c8d95d552c6fa98ab66fb810f5b39ad5abf49", "TypeScript"),
];

/** Repositories of the bug reports, by their name there. */
export const REPORTED: readonly Pick<Corpus, "name" | "url">[] = [
  { name: "psf/requests", url: "https://github.com/psf/requests" },
  { name: "pytest-dev/pytest", url: "https://github.com/pytest-dev/pytest" },
];

function corpus(name: string, repository: string, commit: string, language: string): Corpus {
  return { name, url: `https://github.com/${repository}`, commit, language };
}
