/**
 * Patterns are written with the short forms that JavaScript has, which stop at ASCII: `\w`, `\b`, `[a-z]`. Here the same
 * pattern is made for letters of every script. Letters without case (Chinese, Arabic) stand for small and capital ones.
 */
const SMALL = String.raw`\p{Ll}\p{Lo}\p{Lm}\p{M}`;
const CAPITAL = String.raw`\p{Lu}\p{Lt}\p{Lo}\p{M}`;
const LETTERS = String.raw`\p{L}\p{M}`;
const WORD = String.raw`\p{L}\p{M}\p{N}_`;
const EDGE = `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`;

const known = new WeakMap<RegExp, RegExp>();

/** The pattern for a line with letters beyond ASCII; made once a pattern. A class with `\W` in it cannot be made. */
export function inAnyScript(pattern: RegExp): RegExp {
  let made = known.get(pattern);
  if (!made) {
    made = new RegExp(translate(pattern.source), `${pattern.flags}u`);
    known.set(pattern, made);
  }
  return made;
}

/** Pieces of a pattern: an escape, a range of letters, the brackets of a class, any other character. */
const PIECE = /\\[\s\S]|A-Za-z|a-zA-Z|a-z|A-Z|[\s\S]/g;

function translate(source: string): string {
  let isInClass = false;
  return source.replace(PIECE, (piece) => {
    if (piece === "[" && !isInClass) isInClass = true;
    else if (piece === "]" && isInClass) isInClass = false;
    else if (piece === "\\w") return isInClass ? WORD : `[${WORD}]`;
    else if (piece === "\\W") return `[^${WORD}]`;
    else if (piece === "\\b" && !isInClass) return EDGE;
    else if (isInClass) return ofAnyScript(piece);
    return unescaped(piece, isInClass);
  });
}

function ofAnyScript(piece: string): string {
  if (piece === "a-z") return SMALL;
  if (piece === "A-Z") return CAPITAL;
  if (piece === "A-Za-z" || piece === "a-zA-Z") return LETTERS;
  return unescaped(piece, true);
}

/** With the flag `u` only what means something may be escaped. */
function unescaped(piece: string, isInClass: boolean): string {
  if (!/^\\[^\w]$/.test(piece)) return piece;
  const needed = isInClass ? /[\\\]^[-]/ : /[$()*+./?[\\\]^{|}]/;
  return needed.test(piece[1]!) ? piece : piece[1]!;
}
