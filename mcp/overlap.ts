import type { Level } from "./levels.js";
import type { Place } from "./located.js";
import type { Rendered } from "./render-hit.js";

/** A hit written at every level, and where it is; a hit that is gone is nowhere. */
export interface PlacedHit {
  rendered: Rendered;
  place: Place | undefined;
}

/**
 * The hits again, so that no code is shown twice: what lies inside a body shown earlier becomes a location, and what
 * lies around one loses its body. A class and its methods are often found together.
 */
export function withoutRepeats(hits: readonly PlacedHit[], levels: readonly Level[]): Rendered[] {
  return hits.map(({ rendered, place }, at) => {
    const bodies = hits
      .slice(0, at)
      .flatMap((earlier, before) => (levels[before] === "body" && earlier.place !== undefined ? [earlier.place] : []));
    if (place === undefined || bodies.length === 0) return rendered;
    const { location } = rendered;
    if (bodies.some((body) => encloses(body, place))) return { location, signature: location, lines: location };
    return bodies.some((body) => encloses(place, body)) ? { ...rendered, body: undefined } : rendered;
  });
}

function encloses(outer: Place, inner: Place): boolean {
  const sameFile = outer.repo === inner.repo && outer.path === inner.path;
  return sameFile && outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
}
