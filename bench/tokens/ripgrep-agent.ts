/**
 * An agent with `rg` and a tool that reads lines of a file, and the habits of one that knows them well:
 *
 * - a name: asks first for its declaration by the words that declare something in these languages, and for the bare name
 *   where that finds nothing; a message: asks for its constant part as it is; words: asks for the files with both of the
 *   first two on one line, then for the lines with any of the words in the most promising three;
 * - takes at most 100 lines of an answer, each at most 500 bytes; paths are sorted, so that a run is like another;
 * - reads the 50 lines on either side of a hit: sources before tests and documentation, at most three places, for callers
 *   six, and does not read twice what a window has shown;
 * - stops as soon as what it has read holds the answer, as the other agent does: nothing is spent on being sure.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Question } from "./questions.js";
import { Transcript } from "./transcript.js";

const MOST_LINES = 100;
const AROUND = 50;
const MOST_READS = 3;
const MOST_CALLER_READS = 6;
const DECLARES = "function|class|def|module|interface|type|enum|const|let|var";
const SECONDARY = /(^|\/)(__tests__|tests?|testing|spec|docs?|doc|changelog|playground|guides)\//i;

interface Hit {
  file: string;
  line: number;
}

/** Answers a question in a checkout. */
export function askRipgrep(question: Question, root: string): Transcript {
  const transcript = new Transcript(question);
  const { kind, known } = question;
  if (kind === "topic") return searchTopic(transcript, root);
  const isName = kind === "definition" || kind === "parameters";
  const pattern = isName
    ? ["-e", `\\b(${DECLARES})\\s+(self\\.)?${known}\\b`]
    : kind === "message"
      ? ["-F", known]
      : ["-w", known];
  let hits = search(transcript, root, pattern);
  if (isName && hits.length === 0) hits = search(transcript, root, ["-w", known]);
  if (!transcript.isAnswered) readAround(transcript, root, hits, kind === "callers" ? MOST_CALLER_READS : MOST_READS);
  return transcript;
}

function searchTopic(transcript: Transcript, root: string): Transcript {
  const words = transcript.question.known.split(" ");
  const [first, second = first] = words;
  const both = `${first}.*${second}|${second}.*${first}`;
  let files = run(transcript, root, ["-l", "-i", "-e", both]);
  if (files.length === 0) files = run(transcript, root, ["-l", "-i", "-e", first]);
  const promise = (file: string) => words.filter((word) => file.toLowerCase().includes(word.toLowerCase())).length;
  const best = sourcesFirst(files, (file) => file).sort(
    (a, b) => Number(SECONDARY.test(a)) - Number(SECONDARY.test(b)) || promise(b) - promise(a),
  );
  for (const file of best.slice(0, MOST_READS)) {
    const hits = search(transcript, root, ["-i", "-e", words.join("|"), file]);
    if (transcript.isAnswered) break;
    const lines = linesOf(root, file);
    const score = ({ line }: Hit) =>
      words.filter((word) => lines[line - 1]?.toLowerCase().includes(word.toLowerCase())).length;
    const [hit] = [...hits].sort((a, b) => score(b) - score(a) || a.line - b.line);
    if (hit !== undefined && readAround(transcript, root, [hit], 1)) break;
  }
  return transcript;
}

/** Lines with a pattern; the hits in the order in which they are looked at. */
function search(transcript: Transcript, root: string, args: string[]): Hit[] {
  const lines = run(transcript, root, ["--line-number", "--with-filename", ...args]);
  const hits = lines.flatMap((text) => {
    const found = /^(.+?):(\d+):/.exec(text);
    return found ? [{ file: found[1]!, line: Number(found[2]) }] : [];
  });
  return sourcesFirst(hits, ({ file }) => file);
}

function sourcesFirst<T>(items: readonly T[], fileOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => Number(SECONDARY.test(fileOf(a))) - Number(SECONDARY.test(fileOf(b))));
}

function run(transcript: Transcript, root: string, args: string[]): string[] {
  const command = ["--no-heading", "--sort", "path", "--max-columns", "500", ...args];
  const { stdout, error } = spawnSync("rg", command, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (error) throw error;
  const all = stdout.split("\n").filter((line) => line !== "");
  const lines = all.slice(0, MOST_LINES);
  const cut = all.length > lines.length ? [`(${all.length - lines.length} more lines)`] : [];
  transcript.add(`rg ${command.slice(5).join(" ")}`, [...lines, ...cut].join("\n"));
  return lines;
}

/** Reads around hits until the answer is there; true when it is. */
function readAround(transcript: Transcript, root: string, hits: readonly Hit[], most: number): boolean {
  const read: { file: string; first: number; last: number }[] = [];
  for (const { file, line } of hits) {
    if (read.length === most) break;
    if (read.some((window) => window.file === file && window.first <= line && line <= window.last)) continue;
    const lines = linesOf(root, file);
    const first = Math.max(1, line - AROUND);
    const last = Math.min(lines.length, line + AROUND);
    const text = lines.slice(first - 1, last).map((content, at) => `${first + at}: ${content}`);
    read.push({ file, first, last });
    if (transcript.add(`read ${file} ${first}-${last}`, `${file}\n${text.join("\n")}`)) return true;
  }
  return transcript.isAnswered;
}

function linesOf(root: string, file: string): string[] {
  return readFileSync(path.join(root, file), "utf8").split("\n");
}
