/**
 * Question: does a node find the lines that ripgrep finds, all of them and no other, how fast beside programs that are there
 * for it, and what does its index of trigrams cost? All read the same copy of a folder's text files. Every line is compared
 * before anything is timed; then each round asks all programs one after the other, and medians are told.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir, uptime } from "node:os";
import path from "node:path";
import { startNode } from "./node-process.js";
import { type TextFolder, textFolder } from "./regex/corpus.js";
import { NodeFiles, WAYS, type Written } from "./regex/node.js";
import { type Asked, MULTILINE, PATTERNS } from "./regex/patterns.js";
import { type FoundLines, openPeer, type Peer, type PeerName } from "./regex/peers.js";
import { median, printTable } from "./statistics.js";

export interface RegexBenchOptions {
  readonly folders: readonly string[];
  readonly peers: readonly PeerName[];
}

const ROUNDS = 5;
/** A pattern with at most so many lines, and a trigram that they must have, is selective. */
const SELECTIVE_LINES = 2_000;
const WANTED: Record<string, number> = { ripgrep: 10, codesearch: 3 };

/** A pattern with what it took. */
interface Measured {
  readonly asked: Asked;
  readonly lines: number;
  /** Medians in ms, by the node's ways and by peers' names. */
  readonly times: Readonly<Record<string, number>>;
}

/** Throws when lines differ from those of a peer that must be equal. */
export async function benchRegex({ folders, peers: names }: RegexBenchOptions): Promise<void> {
  const work = mkdtempSync(path.join(tmpdir(), "pinakes-regex-"));
  const node = await startNode();
  const files = new NodeFiles(node);
  try {
    const corpus = textFolder(folders[0], path.join(work, "text"));
    reportMachine(corpus);
    reportWritten(await files.write(corpus), corpus);
    const peers = names.flatMap((name) => opened(name, corpus, work));
    const measured: Measured[] = [];
    const different: string[] = [];
    for (const asked of [...PATTERNS, ...MULTILINE]) {
      const { row, problems } = await measure(files, peers, asked);
      measured.push(row);
      different.push(...problems);
    }
    report(measured);
    for (const peer of peers) reportRatio(measured, peer);
    if (different.length > 0) throw new Error(`lines differ:\n${different.join("\n")}`);
    if (peers.some(({ exact }) => exact)) console.log("\nall lines are equal");
  } finally {
    files.close();
    await node.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

function opened(name: PeerName, corpus: TextFolder, work: string): Peer[] {
  const own = path.join(work, name);
  mkdirSync(own);
  const peer = openPeer(name, corpus.folder, own);
  if (peer === null) console.log(`${name} is not here: skipped`);
  else if (peer.prepared !== "") console.log(`${name}: ${peer.prepared}`);
  return peer === null ? [] : [peer];
}

async function measure(files: NodeFiles, peers: readonly Peer[], asked: Asked) {
  const lines = await files.lines(asked);
  const asking = peers.filter((peer) => peer.asks(asked));
  const problems: string[] = [];
  const times: Record<string, number> = {};
  for (const peer of asking) {
    const theirs = peer.lines(asked);
    if (peer.exact) problems.push(...difference(asked, lines, theirs, peer.name));
    else times[`${peer.name} lines`] = theirs.length;
  }
  const rounds: Record<string, number[]> = {};
  const note = (name: string, ms: number) => {
    rounds[name] ??= [];
    rounds[name].push(ms);
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of WAYS) note(way, await files.time(asked, way));
    for (const peer of asking) note(peer.name, peer.time(asked));
  }
  for (const [name, values] of Object.entries(rounds)) times[name] = median(values);
  return { row: { asked, lines: lines.length, times }, problems };
}

/** What only one of them has, one line of it. */
function difference({ pattern }: Asked, ours: FoundLines, theirs: FoundLines, name: string): string[] {
  const [here, there] = [new Set(ours), new Set(theirs)];
  const more = ours.find((line) => !there.has(line));
  const less = theirs.find((line) => !here.has(line));
  if (more === undefined && less === undefined) return [];
  return [`${pattern}: ${here.size} lines, ${name} ${there.size}; only here ${more ?? "-"}, only there ${less ?? "-"}`];
}

function reportMachine({ files, bytes, left }: TextFolder): void {
  console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB of text; ${left} files left out`);
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(`up ${Math.round(uptime() / 60)} min, load ${load.join(" ")}, ${cpus().length} cores`);
}

function reportWritten({ seconds, gramBytes, textBytes, totalBytes }: Written, { bytes }: TextFolder): void {
  const share = (part: number) => `${((100 * part) / bytes).toFixed(1)} %`;
  console.log(
    `written through _bulk, words included, flushed and searchable: ${seconds.toFixed(1)} s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`,
  );
  console.log(
    `merged to one segment, of the text: index of trigrams ${share(gramBytes)}, packed text ${share(textBytes)}, everything ${share(totalBytes)}`,
  );
}

function report(measured: readonly Measured[]): void {
  printTable(
    `ms, medians of ${ROUNDS} rounds; all: every line through HTTP, count: how many, page: the first 50 files; peers: whole processes, every line`,
    measured.map(({ asked, lines, times }) => ({
      pattern: `${asked.pattern}${asked.caseInsensitive ? " -i" : ""}${asked.wholeWord ? " -w" : ""}${asked.multiline ? " -U" : ""}`,
      lines,
      all: times.all,
      count: times.count,
      page: times.page,
      ripgrep: times.ripgrep ?? Number.NaN,
      codesearch: times.codesearch ?? Number.NaN,
      "its lines": times["codesearch lines"] ?? Number.NaN,
    })),
  );
}

function reportRatio(measured: readonly Measured[], { name }: Peer): void {
  const selective = measured.filter(
    ({ asked, lines, times }) => name in times && lines <= SELECTIVE_LINES && !asked.noTrigram,
  );
  const ratios = selective.map(({ times }) => times[name] / times.all);
  const least = Math.min(...ratios);
  const below = ratios.filter((ratio) => ratio < WANTED[name]).length;
  console.log(
    `${name}: on ${ratios.length} selective patterns (at most ${SELECTIVE_LINES} lines) every line comes ${median(ratios).toFixed(1)} times as fast (median), ${least.toFixed(1)} at least; ${below} below ${WANTED[name]}`,
  );
}
