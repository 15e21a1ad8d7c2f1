/** Chance that can be had again: random numbers from a seed. */

/** A generator of whole numbers from 0 to n - 1. */
export interface Chance {
  (n: number): number;
  /** Says the seed, for failure messages. */
  readonly label: string;
}

/** Mulberry32 (Tommy Ettinger, public domain). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (n: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  };
  return Object.assign(next, { label: `PINAKES_SEED=${seed}` });
}

/** The seed of this run: PINAKES_SEED, or a new one. */
export function newSeed(): number {
  return Number(process.env.PINAKES_SEED ?? Math.floor(Math.random() * 2 ** 31));
}
