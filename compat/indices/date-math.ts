/**
 * Index names that say a date: `<logs-{now/d}>`, `<logs-{now/M{yyyy.MM|Europe/Paris}}>`, static parts around expressions in
 * braces, `\` before a brace that means itself. As Elasticsearch's DateMathExpressionResolver reads them.
 */
import { EngineError, type EngineFace, printDateMath } from "../../engine/index.js";
import { ApiError } from "../errors.js";

const DEFAULT_PATTERN = "uuuu.MM.dd";

/** The name that an expression means now; a name that is no expression is itself. Throws ApiError 400. */
export function concreteName(engine: EngineFace, name: string): string {
  if (!name.startsWith("<") || !name.endsWith(">") || name.length <= 2) return name;
  return resolveName(name, engine.clock.now());
}

/** See concreteName; `now`: epoch milliseconds. */
export function resolveName(name: string, now: number): string {
  const inside = name.slice(1, -1);
  let resolved = "";
  let expression: string | undefined;
  let depth = 0;
  for (let at = 0; at < inside.length; at++) {
    const letter = inside[at];
    if (letter === "\\") {
      at++;
      if (at >= inside.length) throw invalid(name, "invalid escape at the end of the expression");
      if (expression === undefined) resolved += inside[at];
      else expression += inside[at];
    } else if (expression === undefined) {
      if (letter === "}")
        throw invalid(
          name,
          `invalid character at position [${at}]. \`{\` and \`}\` are reserved characters and should be escaped when used as part of the index name using \`\\\` (e.g. \`\\{text\\}\`)`,
        );
      if (letter === "{") expression = "";
      else resolved += letter;
    } else if (letter === "}" && depth === 0) {
      resolved += printExpression(name, expression, now);
      expression = undefined;
    } else {
      if (letter === "{") depth++;
      if (letter === "}") depth--;
      expression += letter;
    }
  }
  if (expression !== undefined) throw invalid(name, "date math placeholder is open ended");
  if (resolved === "") throw invalid(name, "nothing captured");
  return resolved;
}

/** `now/d`, or `now/d{pattern|zone}`. */
function printExpression(name: string, expression: string, now: number): string {
  const brace = expression.indexOf("{");
  if (expression === "" || brace === 0) throw invalid(name, "missing date format or date math");
  if (brace < 0) return print(expression, { pattern: DEFAULT_PATTERN, zone: "UTC", now });
  if (!expression.endsWith("}") || expression.indexOf("{", brace + 1) >= 0) {
    throw invalid(name, "missing closing `}` for date math format");
  }
  const [pattern, zone, ...more] = expression.slice(brace + 1, -1).split("|");
  if (pattern === "" || zone === "" || more.length > 0) throw invalid(name, "missing date format");
  return print(expression.slice(0, brace), { pattern, zone: zone ?? "UTC", now });
}

function print(math: string, options: Parameters<typeof printDateMath>[1]): string {
  try {
    return printDateMath(math, options);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "invalid_value") throw error;
    throw new ApiError(400, "parse_exception", error.message);
  }
}

function invalid(name: string, why: string): ApiError {
  return new ApiError(400, "parse_exception", `invalid dynamic name expression [${name}]. ${why}`);
}
