/**
 * What every thread of the hammering tests does: random questions to random segments of one small arena, several at once
 * and within each other's uses, with memory allocated and given back in between. Counts what came out wrong.
 */
import { EngineError } from "../../errors.js";
import { seeded } from "../../kernels/testing.js";
import { ARENA_PAGE } from "../../store/arena.js";
import type { Storage } from "../../store/storage.js";
import type { OpenSegment } from "../reader.js";
import { NUMBERS, QUESTION_NAMES, QUESTIONS } from "./questions.js";

export interface HammerCounts {
  asked: number;
  /** What was wrong, the first few. */
  wrong: string[];
  /** Times that the arena was too full to answer: allowed, an answer is not. */
  overloaded: number;
}

export interface HammerTarget {
  readonly segment: OpenSegment;
  /** By question and number; see questions.ts. */
  readonly answers: readonly (readonly string[])[];
}

/** Does `rounds` rounds; yields before each what was counted so far. */
export function* hammer(
  storage: Storage,
  targets: readonly HammerTarget[],
  options: { seed: number; rounds: number },
): Generator<HammerCounts, HammerCounts> {
  const random = seeded(options.seed);
  const below = (n: number) => Math.floor(random() * n);
  const counts: HammerCounts = { asked: 0, wrong: [], overloaded: 0 };
  for (let round = 0; round < options.rounds; round++) {
    yield counts;
    try {
      if (below(3) === 0) checkMemory(storage, 1 + below(12), counts);
      askWithin(targets, below, counts);
    } catch (error) {
      if (!(error instanceof EngineError && error.code === "overloaded")) throw error;
      counts.overloaded++;
    }
  }
  return counts;
}

/** A use of one segment, sometimes with a use of another inside and a second use of the first. */
function askWithin(targets: readonly HammerTarget[], below: (n: number) => number, counts: HammerCounts): void {
  const target = targets[below(targets.length)];
  target.segment.beginUse();
  try {
    for (let i = below(4); i >= 0; i--) ask(target, below, counts);
    if (below(4) === 0) askWithin(targets, below, counts);
    ask(target, below, counts);
  } finally {
    target.segment.endUse();
  }
}

function ask({ segment, answers }: HammerTarget, below: (n: number) => number, counts: HammerCounts): void {
  const question = below(QUESTION_NAMES.length);
  const number = below(NUMBERS);
  const answer = QUESTIONS[QUESTION_NAMES[question]](segment, number * 37);
  counts.asked++;
  if (answer === answers[question][number] || counts.wrong.length > 4) return;
  counts.wrong.push(`${segment.name} ${QUESTION_NAMES[question]} ${number}: ${answer.slice(0, 200)}`);
}

/** Memory that is allocated stays as it is filled. */
function checkMemory({ arena }: Storage, pages: number, counts: HammerCounts): void {
  const address = arena.alloc(pages * ARENA_PAGE);
  const words = arena.u32.subarray(address >>> 2, (address >>> 2) + pages * (ARENA_PAGE / 4));
  const mark = (address ^ (arena.thread << 27)) >>> 0;
  for (let at = 0; at < words.length; at += 64) words[at] = mark;
  for (let at = 0; at < words.length; at += 64) {
    if (words[at] !== mark && counts.wrong.length < 5) counts.wrong.push(`memory at ${address} has another owner`);
  }
  arena.free(address);
}
