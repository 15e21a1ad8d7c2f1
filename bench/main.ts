import { tmpdir } from "node:os";
import path from "node:path";
import { UsageError } from "../src/command.js";
import { benchAutoindex } from "./autoindex.js";
import { benchDisk } from "./disk.js";
import { benchIngest } from "./ingest.js";
import { benchKernels } from "./kernels.js";
import { benchKnn } from "./knn.js";
import { benchLines } from "./lines.js";
import { benchLog } from "./log.js";
import { benchMixed } from "./mixed.js";
import { benchQuery } from "./query.js";
import { PEERS, type PeerName } from "./regex/peers.js";
import { benchRegex } from "./regex.js";
import { benchRetrieval, RETRIEVAL_SETS } from "./retrieval.js";
import { benchSearchCost } from "./search-cost.js";
import { benchTokens } from "./tokens/index.js";
import { benchTyping } from "./typing.js";
import { benchZoekt } from "./zoekt.js";

const USAGE = `usage: npm run bench -- WHAT [--docs N] [--requests N] [--folder DIR ...] [--made N] [--file BULK]
  ingest   docs/s and MB/s through _bulk of logs and of code, kernel against twin
  autoindex  files/s, MB/s, declarations/s, memory and the unchanged second run of folders, and of --made N small files
  query    p50 and p99 by kind of query, on logs and on code, kernel against twin
  mixed    the same while another process writes: --rate documents/s, then as fast as it can, in --rounds N, of which
           the medians are told; --peer URL asks another server in turns
  log      durable records/s and waiting times of concurrent writers
  knn      recall@10 and p50 of the graph against the exact scan
  disk     bytes a document by structure, after flush and after merge; what writing, merging and fetching cost
  lines    text searched by lines: bytes, CPU of writing and merging, candidates of literals; --folder DIR of source
  regex    lines of fifty patterns here and in ripgrep, which must be equal, and how long they take; --folder DIR of source,
           --peer ripgrep,codesearch (found on the path, or by PINAKES_RIPGREP, PINAKES_CSEARCH and PINAKES_CINDEX)
  zoekt    twelve code queries, the first page and every line, here and at a warm zoekt web server; --folder DIR of source
           (programs found on the path, or by PINAKES_ZOEKT_INDEX and PINAKES_ZOEKT_WEBSERVER), or --url URL of a node and
           --peer URL of a web server that hold it; --requests N rounds
  cost     what searches are estimated at, and what they take
  tokens   tokens, calls and right answers of two scripted agents on sixty questions: Pinakes' tools, and ripgrep with
           reading; --sources DIR holds checkouts of vite, pytest and rails; --url URL of a node that has them
  typing   p50 and p99 of a page of hits for names typed letter by letter, and of the command line; --folder DIR ... to
           index, or --url URL of a node; --requests N names
  retrieval  whether what was meant is found first, on labelled queries, docstrings, commit subjects and bug reports, over
           clones in --sources DIR (without it: what to clone); --work DIR keeps the indices, --set NAME ... asks some
           sets alone (labelled, docstrings, commits, reports), --misses yes prints what is not first
  kernels  WebAssembly kernels against their TypeScript twins
`;

interface Arguments {
  what: string;
  documents: number;
  requests: number;
  rate: number;
  rounds: number;
  peer: string | undefined;
  /** A node that is there already. */
  url: string | undefined;
  folders: string[];
  /** Files of a made folder. */
  made: number;
  /** Of retrieval: folder of clones, folder that indices are kept in, sets asked alone, whether misses are printed. */
  sources: string | undefined;
  work: string;
  sets: string[];
  misses: boolean;
  /** A `_bulk` body instead of the made log corpus. */
  file: string | null;
}

function parseArguments(argv: string[]): Arguments {
  const parsed: Arguments = {
    what: argv[0] ?? "",
    documents: 500_000,
    requests: 300,
    rate: 20_000,
    rounds: 5,
    peer: undefined,
    url: undefined,
    folders: [],
    made: 0,
    sources: undefined,
    work: path.join(tmpdir(), "pinakes-retrieval"),
    sets: [],
    misses: false,
    file: null,
  };
  for (let at = 1; at < argv.length; at += 2) {
    const value = argv[at + 1];
    if (value === undefined) throw new UsageError(`${argv[at]} needs a value`);
    if (argv[at] === "--docs") parsed.documents = Number(value);
    else if (argv[at] === "--requests") parsed.requests = Number(value);
    else if (argv[at] === "--rounds") parsed.rounds = Number(value);
    else if (argv[at] === "--rate") parsed.rate = Number(value);
    else if (argv[at] === "--peer") parsed.peer = value;
    else if (argv[at] === "--url") parsed.url = value;
    else if (argv[at] === "--folder") parsed.folders.push(value);
    else if (argv[at] === "--made") parsed.made = Number(value);
    else if (argv[at] === "--sources") parsed.sources = value;
    else if (argv[at] === "--work") parsed.work = value;
    else if (argv[at] === "--set") parsed.sets.push(knownSet(value));
    else if (argv[at] === "--misses") parsed.misses = value === "yes";
    else if (argv[at] === "--file") parsed.file = value;
    else throw new UsageError(`unknown option ${argv[at]}\n${USAGE}`);
  }
  if (parsed.folders.length === 0) parsed.folders.push("node_modules/typescript");
  return parsed;
}

function knownSet(name: string): string {
  if (RETRIEVAL_SETS.some((set) => set === name)) return name;
  throw new UsageError(`--set is one of ${RETRIEVAL_SETS.join(", ")}, not ${name}`);
}

function knownPeers(names = "ripgrep"): PeerName[] {
  return names.split(",").map((name) => {
    const known = PEERS.find((peer) => peer === name);
    if (known === undefined) throw new UsageError(`--peer is of ${PEERS.join(", ")}, not ${name}`);
    return known;
  });
}

async function main(args: Arguments): Promise<void> {
  switch (args.what) {
    case "ingest":
      await benchIngest(args);
      return benchKernels();
    case "autoindex":
      return benchAutoindex({ folders: args.folders, madeFiles: args.made });
    case "query":
      await benchQuery(args);
      return benchKernels();
    case "cost":
      return benchSearchCost(args);
    case "mixed":
      return benchMixed(args);
    case "log":
      return benchLog();
    case "knn":
      return benchKnn();
    case "disk":
      return benchDisk(args);
    case "tokens":
      return benchTokens(args);
    case "typing":
      return benchTyping({ ...args, names: args.requests });
    case "lines":
      return benchLines(args.folders);
    case "regex":
      return benchRegex({ folders: args.folders, peers: knownPeers(args.peer) });
    case "zoekt":
      return benchZoekt({ ...args, rounds: args.requests });
    case "retrieval":
      return benchRetrieval({ ...args, shared: process.env.PINAKES_SHARED });
    case "kernels":
      return benchKernels();
    default:
      throw new UsageError(USAGE);
  }
}

try {
  await main(parseArguments(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
