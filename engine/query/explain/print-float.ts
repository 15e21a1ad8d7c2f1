import { shortestFloat } from "../../sort/index.js";

/** A float32 as Java prints it: the fewest digits that name it, at least one after the point. */
export function printFloat(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return `${value}.0`;
  const shortest = shortestFloat(Math.fround(value));
  const magnitude = Math.abs(shortest);
  if (magnitude >= 1e-3 && magnitude < 1e7) return String(shortest);
  const [mantissa, exponent] = shortest.toExponential().split("e");
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
