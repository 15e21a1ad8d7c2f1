/**
 * Scanners for the patterns that were last searched for: their automata keep what they have learnt, for the next segment and the next
 * search. One pool per thread and arena; given back when memory is short.
 */
import { type LinePattern, LineScanner, SCANNER_BYTES, type ScanMemory, TextMatcher } from "../../regex/index.js";
import type { Arena } from "../../store/arena.js";
import type { SearchEnvironment } from "../exec/context.js";

/** More than this are hardly ever in use at once in one thread. */
const MAX_IDLE = 4;

/** What finds the lines of one pattern; which of the two is there depends on its extent. */
export interface PatternScanner {
  readonly key: string;
  readonly lines: LineScanner | null;
  readonly texts: TextMatcher | null;
  readonly address: number;
}

/** The least recently used first. */
const pools = new WeakMap<Arena, PatternScanner[]>();

/** A scanner for this pattern, nobody else's until it is given back. Throws `overloaded`. */
export function takeScanner({ arena, kernels }: SearchEnvironment, pattern: LinePattern): PatternScanner {
  const pool = poolOf(arena);
  const key = keyOf(pattern);
  const found = pool.findIndex((idle) => idle.key === key);
  if (found >= 0) return pool.splice(found, 1)[0];
  const spare = pool.length >= MAX_IDLE ? pool.shift() : undefined;
  const address = spare?.address ?? arena.alloc(SCANNER_BYTES);
  const memory: ScanMemory = { kernels, u8: () => arena.u8, u32: () => arena.u32, address, bytes: SCANNER_BYTES };
  const across = pattern.options.extent === "lines";
  return {
    key,
    lines: across ? null : new LineScanner(pattern, memory),
    texts: across ? new TextMatcher(pattern, memory) : null,
    address,
  };
}

/** Takes it back. */
export function giveScanner(arena: Arena, scanner: PatternScanner): void {
  const pool = poolOf(arena);
  pool.push(scanner);
  if (pool.length > MAX_IDLE) arena.free((pool.shift() as PatternScanner).address);
}

/** Equal for patterns that match alike. */
export function keyOf({ options }: LinePattern): string {
  const { syntax, caseInsensitive, wholeWord, extent, pattern } = options;
  return JSON.stringify([syntax, caseInsensitive, wholeWord, extent, pattern]);
}

function poolOf(arena: Arena): PatternScanner[] {
  const found = pools.get(arena);
  if (found !== undefined) return found;
  const pool: PatternScanner[] = [];
  pools.set(arena, pool);
  arena.onPressure(() => emptied(arena, pool));
  return pool;
}

/** Frees what is idle; returns how many bytes that were. */
function emptied(arena: Arena, pool: PatternScanner[]): number {
  let freed = 0;
  for (let idle = pool.pop(); idle !== undefined; idle = pool.pop()) {
    freed += arena.sizeOf(idle.address);
    arena.free(idle.address);
  }
  return freed;
}
