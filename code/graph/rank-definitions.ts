import { LEADING_KINDS } from "../kinds.js";
import { dottedName } from "../own-name.js";
import type { Meaning, SymbolDeclaration } from "./model.js";
import { comparePlaces } from "./resolve.js";

/** From where a name is asked for. */
export interface AskedFrom {
  repo?: string;
  language?: string;
}

const LEADING: ReadonlySet<string> = new Set(LEADING_KINDS);

/**
 * The declarations that a name by itself may mean, those of source code and of leading kinds first. One alone is exact;
 * several in one file under one qualified name (overloads) are one group, and each is a guess.
 */
export function rankDefinitions(name: string, declared: readonly SymbolDeclaration[], from: AskedFrom = {}): Meaning[] {
  const wanted = dottedName(name);
  const fitting = declared.filter(({ qualifiedName, name: own }) => {
    return own === name || qualifiedName === wanted || qualifiedName.endsWith(`.${wanted}`);
  });
  const certainty = fitting.length === 1 ? "exact" : "heuristic";
  const why = fitting.length === 1 ? "the only one of this name" : "same name";
  return fitting
    .map((declaration) => ({ declaration, rank: rankOf(declaration, wanted, from) }))
    .sort((a, b) => b.rank - a.rank || comparePlaces(a.declaration, b.declaration))
    .map(({ declaration }) => ({ declaration, certainty, why }));
}

function rankOf(declared: SymbolDeclaration, wanted: string, from: AskedFrom): number {
  const points: [boolean, number][] = [
    [declared.qualifiedName === wanted, 16],
    [declared.repo === from.repo, 8],
    [declared.class === "source", 8],
    [declared.class !== "vendored" && declared.class !== "generated" && declared.class !== "build", 4],
    [LEADING.has(declared.kind), 4],
    [declared.language === from.language, 2],
    // A prototype or a signature alone says less than the body.
    [declared.endLine > declared.startLine, 1],
  ];
  return points.reduce((sum, [holds, weight]) => sum + (holds ? weight : 0), 0);
}
