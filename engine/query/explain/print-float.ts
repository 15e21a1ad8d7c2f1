/** A float32 as Java prints it: the fewest digits that name it, at least one after the point. */
export function printFloat(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return `${value}.0`;
  let shortest = value;
  for (let digits = 1; digits <= 9; digits++) {
    shortest = Number(value.toPrecision(digits));
    if (Math.fround(shortest) === Math.fround(value)) break;
  }
  const magnitude = Math.abs(shortest);
  if (magnitude >= 1e-3 && magnitude < 1e7) return String(shortest);
  const [mantissa, exponent] = shortest.toExponential().split("e");
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
