/** What `npm run torture` is asked for. */

export const USAGE = `usage: npm run torture -- [nodes | freshness | autoindex | rest] [--seconds 50 | --kills 1000] [--faults] [--seed N]
                          --model OPERATIONS | --points [EVERY] | --flips N
  nodes      kills nodes while clients write, read and search; every other node has a disk that fails (--faults: each)
  freshness  edits, renames, deletes and switches branches in a folder while clients search it: nothing stale is shown
  autoindex  kills runs and nodes over a hostile folder: what comes of it is what an undisturbed run makes
  rest       sends mutated requests of the public YAML suite (in $PINAKES_SHARED) to a node: each is answered, none with a failure
  --model    random operations on an engine beside plain Maps
  --points   a fault at every operation on files of a script, or at every EVERY-th
  --flips    a bit of what the script left on the disk
`;

/** What is tortured when no option names something smaller. */
export const TARGETS = ["nodes", "freshness", "autoindex", "rest"] as const;

export interface TortureOptions {
  readonly target: (typeof TARGETS)[number];
  readonly seconds: number;
  readonly kills: number;
  readonly faults: "every node" | "every other node";
  readonly seed: number;
  readonly model: number;
  readonly points: number;
  readonly flips: number;
}

const NAMES = ["seconds", "kills", "faults", "seed", "model", "points", "flips"];

/** Throws for anything it does not know. */
export function parseOptions(argv: readonly string[]): TortureOptions {
  const target = TARGETS.find((name) => name === argv[0]);
  const given = parseNumbers(target === undefined ? argv : argv.slice(1));
  const limited = given.has("kills") && !given.has("seconds");
  return {
    target: target ?? "nodes",
    seconds: given.get("seconds") ?? (limited ? Number.POSITIVE_INFINITY : 50),
    kills: given.get("kills") ?? Number.POSITIVE_INFINITY,
    faults: given.has("faults") ? "every node" : "every other node",
    seed: given.get("seed") ?? Date.now() % 1_000_000,
    model: given.has("model") ? (given.get("model") ?? 100_000) : 0,
    points: given.has("points") ? (given.get("points") ?? 1) : 0,
    flips: given.has("flips") ? (given.get("flips") ?? 1000) : 0,
  };
}

/** `--name`, each with a whole number behind it or none. */
function parseNumbers(argv: readonly string[]): Map<string, number | undefined> {
  const given = new Map<string, number | undefined>();
  for (let i = 0; i < argv.length; i++) {
    const name = argv[i].replace(/^--/, "");
    if (!NAMES.includes(name) || name === argv[i]) throw new Error(`unknown option ${argv[i]}\n${USAGE}`);
    const value = Number(argv[i + 1]);
    const has = argv[i + 1] !== undefined && Number.isInteger(value);
    given.set(name, has ? value : undefined);
    if (has) i++;
  }
  return given;
}
