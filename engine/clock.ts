/** Time and chance, injected so that the same input gives the same output. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Uniform in [0, 1). */
  random(): number;
}

export const systemClock: Clock = { now: () => Date.now(), random: () => Math.random() };
