import { type Field, mappedFields, sourcePathOf } from "../../mapping/field-table.js";
import { namesPath } from "../../mapping/patterns.js";
import type { SearchRequest, ShownPaths } from "../../search.js";

const NONE: ReadonlySet<number> = new Set();

/** What was asked of a mapping last: a client shows the same of every page. */
const lately = new WeakMap<ReadonlyMap<string, Field>, { asked: string; hidden: ReadonlySet<number> }>();

/**
 * Ordinals of the fields that `_source` does not show: their values need not be unpacked and printed only to be left out. The text of a
 * file is a hundred times what else is known of it.
 */
export function hiddenFields(
  fields: ReadonlyMap<string, Field>,
  { source, sourceShown }: Pick<SearchRequest, "source" | "sourceShown">,
): ReadonlySet<number> {
  if (!source || sourceShown === undefined) return NONE;
  const asked = JSON.stringify(sourceShown);
  let found = lately.get(fields);
  if (found?.asked !== asked) {
    found = { asked, hidden: fieldsBeside(fields, sourceShown) };
    lately.set(fields, found);
  }
  return found.hidden;
}

function fieldsBeside(fields: ReadonlyMap<string, Field>, sourceShown: ShownPaths): ReadonlySet<number> {
  const hidden = mappedFields(fields).filter(({ path }) => !isShown(sourcePathOf(fields, path), sourceShown));
  return new Set(hidden.map(({ ordinal }) => ordinal));
}

function isShown(path: string, { includes, excludes }: ShownPaths): boolean {
  return (includes.length === 0 || namesPath(includes, path)) && !namesPath(excludes, path);
}
