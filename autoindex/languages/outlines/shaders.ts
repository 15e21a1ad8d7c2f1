import { type LineRules, refers, row } from "../line-rules.js";

/** GLSL, HLSL and WGSL. */
export const glsl: LineRules = {
  rows: [
    row("struct", /^\s*(?:struct|cbuffer|tbuffer)\s+(?<name>\w+)/, "brace"),
    row("struct", /^\s*(?:layout\s*\([^)]*\)\s*)?(?:uniform|buffer|in|out)\s+(?<name>\w+)\s*(?:\{|$)/, "brace"),
    row("macro", /^\s*#\s*define\s+(?<name>\w+)/),
    row(
      "constant",
      /^\s*(?:static\s+)?const\s+(?:(?:highp|mediump|lowp)\s+)?(?:\w+\s+)?(?<name>\w+)\s*(?:\[[^\]]*\]\s*)?[=:]/,
    ),
    row(
      "variable",
      /^\s*(?:layout\s*\([^)]*\)\s*)?(?:(?:flat|smooth|centroid|invariant)\s+)?(?:uniform|varying|attribute|in|out)\s+(?:(?:highp|mediump|lowp)\s+)?\w+\s+(?<name>\w+)/,
    ),
    row("function", /^\s*(?:@.{0,200}\)?\s)?\s*fn\s+(?<name>\w+)\s*\(/, "brace"),
    row(
      "function",
      /^\s*(?:(?:highp|mediump|lowp|inline|static|export)\s+)?(?!(?:return|else|if|for|while|switch|do|case|discard|uniform|in|out|layout|const)\b)[a-zA-Z_]\w*\s+(?<name>[a-zA-Z_]\w*)\s*\([^;]*$/,
      "brace",
    ),
  ],
  references: [refers("import", /^\s*#\s*include\s+[<"](?<name>[^>"]+)[>"]/g)],
  lineComments: ["///", "//"],
  blockComments: ["/*", "*/"],
};
