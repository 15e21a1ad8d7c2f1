import type { Level } from "./levels.js";
import type { Place } from "./located.js";
import type { Rendered } from "./render-hit.js";

/** A hit that can be written at every level, and where it is; a hit that is gone is nowhere. */
export interface PlacedHit {
  /** Writes it without the lines of these keys. */
  render(seen: ReadonlySet<string>): Rendered;
  place: Place | undefined;
}

/**
 * The hits written so that no line is shown twice: a line stays with the first hit that shows it, what lies inside a
 * body shown earlier becomes a location, and what lies around one loses its body. A class and its methods are often
 * found together: of one that was found by lines that its methods have shown, the location says all.
 */
export function withoutRepeats(hits: readonly PlacedHit[], levels: readonly Level[]): Rendered[] {
  const seen = new Set<string>();
  const bodies: Place[] = [];
  const inside: Place[] = [];
  return hits.map((hit, at) => {
    const rendered = afterBodies(afterLines(hit, seen, inside), hit.place, bodies);
    const level = levels[at];
    if (level === undefined) return rendered;
    const keys = rendered.keys[level] ?? [];
    for (const key of keys) seen.add(key);
    if (keys.length > 0 && hit.place !== undefined) inside.push(hit.place);
    if (level === "body" && hit.place !== undefined) bodies.push(hit.place);
    return rendered;
  });
}

function afterLines({ render, place }: PlacedHit, seen: ReadonlySet<string>, inside: readonly Place[]): Rendered {
  const rendered = render(seen);
  const isRest = place !== undefined && isEmpty(rendered.keys.lines) && inside.some((one) => encloses(place, one));
  if (!isRest || isEmpty(render(new Set()).keys.lines)) return rendered;
  const { location } = rendered;
  return { ...rendered, signature: location, lines: location };
}

function isEmpty(keys: readonly string[] = []): boolean {
  return keys.length === 0;
}

function afterBodies(rendered: Rendered, place: Place | undefined, bodies: readonly Place[]): Rendered {
  if (place === undefined) return rendered;
  const { location } = rendered;
  if (bodies.some((body) => encloses(body, place))) {
    return { location, signature: location, lines: location, keys: {} };
  }
  return bodies.some((body) => encloses(place, body)) ? { ...rendered, body: undefined } : rendered;
}

/** Pieces of one long line lie beside each other. */
function encloses(outer: Place, inner: Place): boolean {
  const sameFile = outer.repo === inner.repo && outer.path === inner.path;
  if (!sameFile || outer.startLine > inner.startLine || inner.endLine > outer.endLine) return false;
  return [outer, inner].every(({ before = 0, after = 0 }) => before + after === 0);
}
