/** What tables show of a damaged or closed index: what it is, and blanks for what only an open one could tell. */
import type { Damage, Index } from "../../engine/index.js";
import type { Cell, Column } from "./table.js";

interface OfIndex {
  readonly index: Index;
}

/** Columns of an index that its definition alone fills. */
const DEFINED: ReadonlySet<string> = new Set([
  "health",
  "status",
  "index",
  "uuid",
  "pri",
  "rep",
  "creation.date",
  "creation.date.string",
]);

/** The columns of a table of indices, blank for one that is damaged or closed where they need its documents. */
export function blankWhereUnusable<R extends OfIndex>(columns: readonly Column<R>[]): Column<R>[] {
  return columns.map((column) => {
    if (DEFINED.has(column.name)) return column;
    return { ...column, cell: (row) => (isUsable(row.index) ? column.cell(row) : null) };
  });
}

function isUsable({ damage, definition }: Index): boolean {
  return damage === undefined && definition.closed !== true;
}

/** What names a shard. */
const NAMES: ReadonlySet<string> = new Set(["index", "shard", "prirep"]);

const OF_DAMAGE: Readonly<Record<string, (damage: Damage) => Cell>> = {
  state: () => "UNASSIGNED",
  "unassigned.reason": () => "ALLOCATION_FAILED",
  "unassigned.at": ({ foundAtMs }) => new Date(foundAtMs).toISOString(),
  "unassigned.details": ({ message }) => message,
};

/** The columns of a table of shards, where those of a damaged index are unassigned. */
export function unassignedWhereDamaged<R extends OfIndex>(columns: readonly Column<R>[]): Column<R>[] {
  return columns.map((column) => {
    if (NAMES.has(column.name)) return column;
    const ofDamage = OF_DAMAGE[column.name] ?? (() => null);
    return { ...column, cell: (row) => (row.index.damage ? ofDamage(row.index.damage) : column.cell(row)) };
  });
}
