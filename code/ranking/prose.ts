/**
 * What a question or a bug report tells of the code it is about: names, paths and words, each once, the likeliest first.
 * Pure reading of text; what is made of it is in prose-clauses.ts. Never throws, whatever the text.
 */
import { identifiersOf, isShaped, partsOf } from "../identifier.js";
import { isFunctionWord, isReportWord } from "./english.js";
import { type Frame, framesOf } from "./frames.js";

/** A text as it was understood. */
export interface Prose {
  /** Words of the first line, function words left out, in lower case. */
  title: string[];
  /** Words of the first line that stand side by side, two and two, as they are written. */
  pairs: string[];
  /** Words of the other lines, those of the title left out, the most frequent first. */
  body: string[];
  /** What is written as a name: `parse_args`, `HttpServer`, `session.send`, `flush()`, anything in backticks. */
  names: string[];
  /** Names that stack traces give for their frames, the innermost first. */
  frames: string[];
  /** Lines that frames and compilers name, with the ends of paths that their file may have, the innermost first. */
  places: Place[];
  /** Ends of paths, without a leading slash: `requests/sessions.py`; those of stack traces from the innermost frame on. */
  paths: string[];
}

/** A line of a file. The paths are likelier the earlier: the longest end of what is written first. */
export interface Place {
  paths: string[];
  line: number;
  /** What the frame calls the declaration that has the line. */
  name: string | undefined;
}

/** Most words, names and paths that are kept of each sort: clauses cost, and what is left out is the rest of a long log. */
export const MOST = { title: 30, body: 60, names: 60, frames: 20, paths: 20, places: 20 } as const;
/** Characters of a text that are read; a report's point is at its beginning. */
export const LONGEST_PROSE = 100_000;

/** Reads a text. */
export function readProse(text: string): Prose {
  const frames = framesOf(text.slice(0, LONGEST_PROSE)).slice(0, MOST_FRAMES);
  const whole = clean(text.slice(0, LONGEST_PROSE));
  const read = withoutPaths(whole, frames);
  const lines = read.split("\n").filter((line) => line.trim() !== "");
  const title = distinct(wordsOf(lines[0] ?? "")).slice(0, MOST.title);
  const inTitle = new Set(title);
  const body = byFrequency(
    lines
      .slice(1)
      .flatMap(wordsOf)
      .filter((word) => !inTitle.has(word)),
  );
  const paths = frames.flatMap(({ path }) => (path === undefined ? [] : endOf(path)));
  return {
    title,
    pairs: pairsOf(lines[0] ?? "").slice(0, MOST.title),
    body: body.slice(0, MOST.body),
    names: distinct(namesOf(read)).slice(0, MOST.names),
    frames: distinct(frames.flatMap(frameName)).slice(0, MOST.frames),
    places: placesOf(frames).slice(0, MOST.places),
    paths: distinct([...paths, ...pathsOf(whole)]).slice(0, MOST.paths),
  };
}

/** Names and words that tell the most, for choosing the lines to show of a hit. */
export function tellingWords({ names, frames, title }: Prose): string[] {
  return distinct([...names, ...frames, ...title]);
}

/** Frames that are looked at: a trace of endless recursion has thousands. */
const MOST_FRAMES = 500;

/** The words of a frame's path are looked for as a path, not one by one everywhere. */
function withoutPaths(text: string, frames: readonly Frame[]): string {
  const written = distinct(frames.flatMap(({ written }) => (written === undefined ? [] : [written])));
  return written.reduce((rest, path) => rest.replaceAll(path, " "), text);
}

function frameName({ name }: Frame): string[] {
  return name === undefined || name.length < 3 ? [] : [name];
}

function placesOf(frames: readonly Frame[]): Place[] {
  const places = frames.flatMap(({ path, line, name }) =>
    path === undefined || line === undefined ? [] : [{ paths: endsOf(path), line, name }],
  );
  const keys = places.map(({ paths, line }) => `${paths[0]}:${line}`);
  return places.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

/** Addresses, comments of templates and control characters are nothing that code has. */
function clean(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/<!--[\s\S]{0,5000}?-->/g, " ")
    .replace(/\bhttps?:\/\/[^\s)>\]]+/g, " ")
    .replace(/\p{Cc}\[[0-9;]*m/gu, "")
    .replace(/<\/?(?:details|summary|br|p|b|i|img|code|pre)\b[^>]{0,500}>/gi, " ");
}

function wordsOf(line: string): string[] {
  return identifiersOf(line)
    .flatMap((identifier) => partsOf(identifier))
    .filter((part) => part.length > 1 && !/^\d/.test(part) && !isFunctionWord(part) && !isReportWord(part));
}

/** Also those with function words: messages are full of them. */
function pairsOf(line: string): string[] {
  const identifiers = identifiersOf(line);
  const pairs = identifiers.slice(1).map((second, at) => [identifiers[at] ?? "", second]);
  return pairs.filter((pair) => pair.some((word) => !isFunctionWord(word.toLowerCase()))).map((pair) => pair.join(" "));
}

// Repetitions are bounded, so that the time for a text of one endless word stays proportional to its length.
const DOTTED = /[\p{L}_$][\p{L}\p{N}_$]{0,100}(?:(?:\.|::|->|#)[\p{L}_$][\p{L}\p{N}_$]{0,100})+/gu;
const CALLED = /([\p{L}_$][\p{L}\p{N}_$]{0,100}[?!]?)\(/gu;
const TICKED = /`+([^`\n]{1,80})`+/g;

function namesOf(text: string): string[] {
  const ticked = [...text.matchAll(TICKED)].flatMap((found) => identifiersOf(found[1] ?? ""));
  const dotted = [...text.matchAll(DOTTED)].flatMap((found) => identifiersOf(found[0]));
  const called = [...text.matchAll(CALLED)].map((found) => found[1] ?? "");
  const shaped = identifiersOf(text).filter(isShaped);
  return [...ticked, ...shaped, ...called, ...dotted].filter(
    (name) => name.length > 2 && !/^\d/.test(name) && !isFunctionWord(name.toLowerCase()),
  );
}

const PATH = /(?:[\w@.+-]{1,100}[/\\]){0,15}[\w@+-][\w@.+-]{0,100}\.[A-Za-z][A-Za-z0-9]{0,4}(?![\w.(])/g;

function pathsOf(text: string): string[] {
  return (text.match(PATH) ?? []).flatMap((path) => endOf(path));
}

/** What installed packages lie below, and files that are named by their host. */
const INSTALLED = /^.*(?:site-packages|dist-packages|node_modules|gems|vendor|go\/pkg\/mod)\//;

function endOf(written: string): string[] {
  const path = relativePath(written);
  return path.split("/").length > 1 || KNOWN_EXTENSION.test(path) ? [path] : [];
}

function relativePath(written: string): string {
  return written
    .replaceAll("\\", "/")
    .replace(INSTALLED, "")
    .replace(/^(?:[A-Za-z]:)?(?:\.{0,2}\/)+/, "");
}

/** Most ends of a path that are tried: the folders above an indexed one are in it wherever the program ran. */
const MOST_ENDS = 6;

function endsOf(written: string): string[] {
  const names = relativePath(written).split("/");
  const first = Math.max(0, names.length - MOST_ENDS);
  return names.slice(first).map((_, at) => names.slice(first + at).join("/"));
}

/** Extensions by which a file's name is told from `e.g.` and from names with a dot. */
const KNOWN_EXTENSION =
  /\.(?:py|pyi|pyx|js|mjs|cjs|jsx|ts|tsx|mts|vue|svelte|java|kt|scala|go|rs|rb|erb|c|h|cc|cpp|cxx|hpp|hh|cs|php|swift|m|mm|lua|ex|exs|erl|hs|ml|sh|sql|pl|r|jl|dart|zig|json|ya?ml|toml|cfg|ini)$/i;

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Each once, the most frequent first; equally frequent ones in the order of the text. */
function byFrequency(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
}
