/** Nearest-rank percentile of unsorted values; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Rounded for a table: three significant digits below 100, whole numbers above. */
export function rounded(value: number): string {
  if (!Number.isFinite(value)) return "-";
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

/** Prints rows of equal keys as an aligned table. */
export function printTable(title: string, rows: readonly Record<string, string | number>[]): void {
  process.stdout.write(`\n${title}\n`);
  if (rows.length === 0) return;
  const keys = Object.keys(rows[0]!);
  const cells = [
    keys,
    ...rows.map((row) => keys.map((key) => (typeof row[key] === "number" ? rounded(row[key]) : String(row[key])))),
  ];
  const widths = keys.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  for (const row of cells)
    process.stdout.write(`  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ")}\n`);
}
