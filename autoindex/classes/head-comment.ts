/**
 * The comments at the head of a file: what its author, or the program that wrote it, says about the file as a whole. They
 * end with the first line of code that is more than the usual opening (a package, imports, an include guard). Read without
 * a parser, because the class of a file is told for languages without a grammar too.
 */

/** Characters of a file that are looked at. */
export const HEAD_LENGTH = 2000;
/** First lines of a prose text that are taken as said about all of it. */
const PROSE_LINES = 5;

/** What begins a comment that ends with the line, in any language that is common. */
const LINE_MARK =
  /^(?:\/\/+!?|#+!?|--+|;+|%+|'(?!use strict)|"(?=\s)|\.\.\s|(?:dnl|rem|@?REM)\s|!+\s|\*(?!\/)|\|\|)\s?/i;

/** Comments over several lines: how they begin and end. */
const BLOCKS: readonly { begins: RegExp; ends: string }[] = [
  { begins: /^\/\*+!?/, ends: "*/" },
  { begins: /^<!--+/, ends: "-->" },
  { begins: /^<%#|^<%--/, ends: "%>" },
  { begins: /^\{\{!(?:--)?/, ends: "}}" },
  { begins: /^\(\*/, ends: "*)" },
  { begins: /^\{-/, ends: "-}" },
  { begins: /^--\[=*\[/, ends: "]" },
  { begins: /^(?:[rubf]{0,2})"""/i, ends: '"""' },
  { begins: /^(?:[rubf]{0,2})'''/i, ends: "'''" },
  { begins: /^=begin\b/, ends: "=end" },
  { begins: /^<#/, ends: "#>" },
];

/** Lines of code that stand above what is said about the file. */
const OPENING =
  /^(?:package|import|from|use|using|namespace|module|require(?:_once|_relative)?|include|syntax|edition|option|extern crate|set|declare|open|pragma|part of|library|<\?php|<\?xml|<!doctype|<html|<head|['"]use strict|@echo|@file:|@charset|\\(?:documentclass|usepackage)|\}|\)|["'\w./-]+[,;]?$)/i;

/** JSON has no comments; what stands for one is a key called so. */
const COMMENT_KEY = /^\{?\s*"(?:_+comment|\/\/|#|\$comment|comment)"\s*:\s*"/;

/** The text of the comments at the head, a line for each of theirs, without their marks. */
export function headComment(text: string): string {
  const said: string[] = [];
  let open: string | undefined;
  for (const line of text.slice(0, HEAD_LENGTH).split("\n")) {
    const trimmed = line.trim();
    if (open !== undefined) {
      const end = trimmed.indexOf(open);
      said.push(withoutMark(end === -1 ? trimmed : trimmed.slice(0, end)));
      if (end !== -1) open = undefined;
      continue;
    }
    const read = commentOf(trimmed);
    if (read === undefined) break;
    said.push(read.text);
    open = read.open;
  }
  return said.join("\n");
}

/** The first lines of a text that is prose. */
export function headOfProse(text: string): string {
  const lines = text.slice(0, HEAD_LENGTH).split("\n").map(withoutMark);
  return lines
    .filter((line) => line !== "")
    .slice(0, PROSE_LINES)
    .join("\n");
}

/** A line's comment, and what ends it when it goes on; nothing where the line is code. */
function commentOf(line: string): { text: string; open?: string } | undefined {
  for (const { begins, ends } of BLOCKS) {
    const begun = begins.exec(line);
    if (begun === null) continue;
    const rest = line.slice(begun[0].length);
    const end = rest.indexOf(ends);
    return end === -1 ? { text: withoutMark(rest), open: ends } : { text: withoutMark(rest.slice(0, end)) };
  }
  if (LINE_MARK.test(line)) return { text: withoutMark(line) };
  const key = COMMENT_KEY.exec(line);
  if (key !== null) return { text: line.slice(key[0].length) };
  return line === "" || line === "{" || OPENING.test(line) ? { text: "" } : undefined;
}

function withoutMark(line: string): string {
  return line
    .trim()
    .replace(LINE_MARK, "")
    .replace(/^[*=\-#>_\s]+/, "")
    .trim();
}
