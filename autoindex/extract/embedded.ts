import { EMBEDS, type Embed } from "../languages/embeds.js";

/** A text of the same length in which only one language's pieces are left. */
export interface EmbeddedText {
  language: string;
  text: string;
}

const MAX_PIECES = 2000;

/**
 * What a file holds in other languages: one text a language, all else overwritten with spaces, so that every offset and
 * line stays.
 */
export function embeddedTexts(host: string, text: string): EmbeddedText[] {
  const embed = EMBEDS[host];
  if (!embed) return [];
  const byLanguage = new Map<string, Piece[]>();
  for (const piece of pieces(embed, text)) {
    const known = byLanguage.get(piece.language);
    if (known) known.push(piece);
    else byLanguage.set(piece.language, [piece]);
  }
  return [...byLanguage].map(([language, found]) => ({ language, text: keepOnly(text, found, embed.end) }));
}

interface Piece {
  language: string;
  start: number;
  end: number;
}

function* pieces({ open, close, languages }: Embed, text: string): Generator<Piece> {
  const opening = new RegExp(open);
  for (let count = 0; count < MAX_PIECES; count++) {
    const found = opening.exec(text);
    if (!found) return;
    const start = found.index + found[0].length;
    const at = text.indexOf(close, start);
    const end = at < 0 ? text.length : at;
    const language = languages[found.groups?.lang?.toLowerCase() ?? ""];
    if (language !== undefined && /\S/.test(text.slice(start, end))) yield { language, start, end };
    opening.lastIndex = Math.max(end, start);
  }
}

function keepOnly(text: string, found: Piece[], mark: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of found) {
    parts.push(blank(text.slice(at, start)), text.slice(start, end));
    at = end;
    if (mark !== "" && end + mark.length <= text.length) {
      parts.push(mark);
      at += mark.length;
    }
  }
  parts.push(blank(text.slice(at)));
  return parts.join("");
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}
