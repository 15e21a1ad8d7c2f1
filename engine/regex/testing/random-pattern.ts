/** Random patterns in RE2's syntax, and texts that they may match. */
import { seeded } from "../../kernels/testing.js";

export interface RandomPattern {
  readonly source: string;
}

const ATOMS = [
  "a",
  "b",
  "c",
  "k",
  "s",
  "é",
  "É",
  "ſ",
  "日",
  " ",
  "_",
  "-",
  "1",
  "ab",
  "bc",
  "\\.",
  ".",
  "\\d",
  "\\w",
  "\\s",
];
const SETS = [
  "\\W",
  "\\D",
  "\\S",
  "[ab]",
  "[^a]",
  "[a-c]",
  "[^b-z]",
  "[[:alpha:]]",
  "[[:^digit:]_]",
  "\\pL",
  "\\p{Greek}",
  "[é-ï]",
];
const LOOKS = ["\\b", "\\B", "^", "$", "\\A", "\\z", "(?m:^)", "(?m:$)"];
const COUNTS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}"];
const FLAGS = ["(?i)", "(?s)", "(?m)", "(?U)", "(?i-s)"];
const LETTERS = [
  "a",
  "b",
  "c",
  "A",
  "B",
  "k",
  "K",
  "\u212a",
  "s",
  "ſ",
  "é",
  "É",
  "日",
  "α",
  " ",
  "_",
  "-",
  "1",
  ".",
  "\n",
  "\t",
  "ab",
];

/** A maker of patterns, the same ones for the same seed. */
export function randomPattern(seed: number): { (): RandomPattern; random: () => number } {
  const random = seeded(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];

  function atom(depth: number): string {
    const dice = random();
    if (depth > 0 && dice < 0.3) return `(${random() < 0.3 ? "?:" : ""}${alternatives(depth - 1)})`;
    if (dice < 0.4) return one(LOOKS);
    if (dice < 0.55) return one(SETS);
    return one(ATOMS);
  }

  function sequence(depth: number): string {
    let text = "";
    const count = Math.floor(random() * 4) + (random() < 0.9 ? 1 : 0);
    for (let i = 0; i < count; i++) {
      const part = atom(depth);
      // Brackets keep counts apart from each other and from texts of several letters.
      text += random() < 0.3 ? `(?:${part})${one(COUNTS)}` : part;
    }
    return text;
  }

  function alternatives(depth: number): string {
    const count = random() < 0.25 ? 2 + Math.floor(random() * 2) : 1;
    return Array.from({ length: count }, () => sequence(depth)).join("|");
  }

  const make = () => ({ source: (random() < 0.3 ? one(FLAGS) : "") + alternatives(2) });
  return Object.assign(make, { random });
}

/** A text of the letters that patterns are about. */
export function randomText(random: () => number): string {
  const count = Math.floor(random() * 24);
  return Array.from({ length: count }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join("");
}
