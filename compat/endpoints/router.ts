/** Finds the row for a request: a tree of path segments, literal names before placeholders. */
import { ApiError } from "../errors.js";
import { PlainError } from "../http/plain-error.js";
import type { IdentityName } from "../identities.js";
import type { Privilege, Row } from "./row.js";

interface Branch {
  readonly literals: Map<string, Branch>;
  capture: Branch | undefined;
  readonly rows: Map<string, Route>;
  /** Where paths begin: an index expression stands here, and names there never begin with `_`, but for `_all`. */
  readonly isRoot: boolean;
}

/** A row with what the dispatcher looks up for every request. */
export interface Route {
  readonly row: Row;
  readonly captureNames: readonly string[];
}

export interface Match {
  readonly row: Row;
  readonly captured: Readonly<Record<string, string>>;
}

export interface Router {
  /** Throws ApiError or PlainError: 405 for a known path with another method, 400 for an unknown path. */
  find(method: string, path: string, identity: IdentityName): Match;
  /** What a request needs, whatever its identity; undefined for an unknown path or method. */
  privilege(method: string, path: string): Privilege | undefined;
  /** Methods a path answers to, sorted; empty for an unknown path. */
  methods(path: string): string[];
}

/** Builds the tree once. */
export function router(rows: readonly Row[]): Router {
  const root = branch(true);
  for (const row of rows) insert(root, row);
  return {
    find: (method, path, identity) => find(root, method, path, identity),
    privilege: (method, path) => {
      for (const { branch } of matches(root, segmentsOf(path), [])) {
        const route = branch.rows.get(method);
        if (route !== undefined) return route.row.privilege;
      }
      return undefined;
    },
    methods: (path) => {
      const names = new Set<string>();
      for (const { branch } of matches(root, segmentsOf(path), []))
        for (const name of branch.rows.keys()) names.add(name);
      return [...names].sort();
    },
  };
}

function branch(isRoot = false): Branch {
  return { literals: new Map(), capture: undefined, rows: new Map(), isRoot };
}

function insert(root: Branch, row: Row): void {
  let at = root;
  const captureNames: string[] = [];
  for (const segment of row.path.split("/").filter((part) => part !== "")) {
    if (segment.startsWith("{")) {
      captureNames.push(segment.slice(1, -1));
      at.capture ??= branch();
      at = at.capture;
      continue;
    }
    let next = at.literals.get(segment);
    if (next === undefined) {
      next = branch();
      at.literals.set(segment, next);
    }
    at = next;
  }
  if (!at.rows.has(row.method)) at.rows.set(row.method, { row, captureNames });
}

function find(root: Branch, method: string, path: string, identity: IdentityName): Match {
  const allowed = new Set<string>();
  for (const { branch, values } of matches(root, segmentsOf(path), [])) {
    const route = branch.rows.get(method);
    if (route !== undefined && answers(route.row, identity))
      return { row: route.row, captured: captures(route, values, path) };
    for (const name of branch.rows.keys()) allowed.add(name);
  }
  if (allowed.size === 0)
    throw new PlainError(400, `no handler found for uri [${path}] and method [${method}]`, {}, false);
  const names = [...allowed].sort().join(", ");
  throw new PlainError(405, `Incorrect HTTP method for uri [${path}] and method [${method}], allowed: [${names}]`, {
    allow: names.replaceAll(", ", ","),
  });
}

function answers(row: Row, identity: IdentityName): boolean {
  return row.identities === "all" || row.identities.includes(identity);
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** Branches that end where the path ends, most literal first, with the captured segments as they came. */
function* matches(at: Branch, segments: string[], values: string[]): Generator<{ branch: Branch; values: string[] }> {
  const depth = values.length;
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    if (at.rows.size > 0) yield { branch: at, values: [...values] };
    return;
  }
  const literal = at.literals.get(segment);
  if (literal !== undefined) yield* matches(literal, rest, values);
  if (at.capture === undefined || (at.isRoot && segment.startsWith("_") && segment !== "_all")) return;
  values.push(segment);
  yield* matches(at.capture, rest, values);
  values.length = depth;
}

function captures(route: Route, values: readonly string[], path: string): Record<string, string> {
  const captured: Record<string, string> = {};
  for (const [at, name] of route.captureNames.entries()) captured[name] = decode(values[at], path);
  return captured;
}

function decode(segment: string, path: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiError(400, "illegal_argument_exception", `partial or malformed escape sequence in the path [${path}]`);
  }
}
