import { UsageError } from "../src/command.js";
import { benchIngest } from "./ingest.js";
import { benchKernels } from "./kernels.js";
import { benchKnn } from "./knn.js";
import { benchQuery } from "./query.js";

const USAGE = `usage: npm run bench -- WHAT [--docs N] [--requests N] [--folder DIR ...]
  ingest   docs/s and MB/s through _bulk, files/s of autoindex, kernel against twin
  query    p50 and p99 by kind of query, on logs and on code, kernel against twin
  knn      recall@10 and p50 of the graph against the exact scan
  kernels  WebAssembly kernels against their TypeScript twins
`;

interface Arguments {
  what: string;
  documents: number;
  requests: number;
  folders: string[];
}

function parseArguments(argv: string[]): Arguments {
  const parsed: Arguments = { what: argv[0] ?? "", documents: 500_000, requests: 300, folders: [] };
  for (let at = 1; at < argv.length; at += 2) {
    const value = argv[at + 1];
    if (value === undefined) throw new UsageError(`${argv[at]} needs a value`);
    if (argv[at] === "--docs") parsed.documents = Number(value);
    else if (argv[at] === "--requests") parsed.requests = Number(value);
    else if (argv[at] === "--folder") parsed.folders.push(value);
    else throw new UsageError(`unknown option ${argv[at]}\n${USAGE}`);
  }
  if (parsed.folders.length === 0) parsed.folders.push("node_modules/typescript");
  return parsed;
}

async function main(args: Arguments): Promise<void> {
  switch (args.what) {
    case "ingest":
      await benchIngest(args);
      return benchKernels();
    case "query":
      await benchQuery(args);
      return benchKernels();
    case "knn":
      return benchKnn();
    case "kernels":
      return benchKernels();
    default:
      throw new UsageError(USAGE);
  }
}

await main(parseArguments(process.argv.slice(2)));
