/**
 * The double whose shortest decimal is that of a 32-bit float: 831.7 for the float nearest to it, where widening would print
 * 831.7000122070312. As Java prints floats (`Float.toString`): of two decimals equally near the one that ends evenly.
 */
export function shortestFloat(value: number): number {
  if (!Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) <= EXACT)) return value;
  for (let digits = 1; digits <= 9; digits++) {
    const up = Number(value.toPrecision(digits));
    if (Math.fround(up) !== value) continue;
    const even = evenNeighbour(value, digits);
    return even !== null && Math.fround(even) === value ? even : up;
  }
  return value;
}

/** Where a value lies midway between two decimals of so many digits, the one with an even last digit; else null. */
function evenNeighbour(value: number, digits: number): number | null {
  const [mantissa, exponent] = value.toExponential(60).split("e");
  const all = mantissa.replace(/[-.]/g, "");
  const kept = all.slice(0, digits);
  if (!/^50*$/.test(all.slice(digits)) || Number(kept.at(-1)) % 2 !== 0) return null;
  return Number(`${value < 0 ? "-" : ""}${kept[0]}.${kept.slice(1)}0e${exponent}`);
}

/** Whole numbers up to 2^24 are floats each for itself. */
const EXACT = 2 ** 24;
