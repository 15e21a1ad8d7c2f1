/** Sizes in bytes as people write and read them. */

const UNITS: readonly (readonly [name: string, bytes: number])[] = [
  ["pb", 2 ** 50],
  ["tb", 2 ** 40],
  ["gb", 2 ** 30],
  ["mb", 2 ** 20],
  ["kb", 2 ** 10],
  ["b", 1],
];

const FORM = /^(\d+(?:\.\d+)?)(b|kb?|mb?|gb?|tb?|pb?)$/;

/** `512m`, `1.5gb`, `100b` in whole bytes; undefined for what is no size (a number needs its unit, but for 0). */
export function parseBytes(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === "0") return 0;
  const match = FORM.exec(trimmed);
  if (match === null) return undefined;
  const [, number, unit] = match;
  const bytes = UNITS.find(([name]) => name === unit || name === `${unit}b`)?.[1] as number;
  return Math.floor(Number(number) * bytes);
}

/** `26680` as `26kb`: the largest unit that fits, one decimal, cut off. */
export function printBytes(bytes: number): string {
  const [unit, size] = UNITS.find(([, size]) => bytes >= size) ?? ["b", 1];
  return `${Math.floor((bytes / size) * 10) / 10}${unit}`;
}
