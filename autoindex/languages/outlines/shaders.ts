import { type LineRules, refers, row } from "../line-rules.js";

/** How what is handed in or out is laid out, interpolated and reached. */
const LAYOUT = String.raw`(?:layout\s*\([^)]*\)\s*)?`;
const QUALIFIERS = String.raw`(?:(?:flat|smooth|noperspective|centroid|sample|patch|invariant|precise|readonly|writeonly|coherent|volatile|restrict|highp|mediump|lowp)\s+){0,4}`;

/** A type, perhaps with arguments, perhaps of arrays. */
const TYPE = String.raw`[a-zA-Z_]\w*(?:<[^<>;(){}]{1,80}>)?(?:\[\w*\]){0,3}`;

/** Words that begin a statement or data, where a function's type would stand. */
const NO_TYPE =
  "return|else|if|for|while|switch|do|case|discard|uniform|in|out|layout|const|new|typedef|alias|override";

/** Types of HLSL that data outside buffers and structs has: textures, buffers and samplers. */
const RESOURCE = [
  "(?:RW|RasterizerOrdered|Feedback)?Texture(?:1D|2D|2DMS|3D|Cube)(?:Array)?",
  "(?:RW|RasterizerOrdered|Append|Consume)?(?:Structured|ByteAddress|Constant|Texture)?Buffer",
  "Sampler(?:Comparison)?State",
  "sampler(?:1D|2D|3D|CUBE)?",
  "RaytracingAccelerationStructure",
].join("|");

/** What follows the name of data, and not that of a parameter on a line of its own. */
const NO_PARAMETER = "(?=[^();]*;|[^():;]*:[^;]*;|[^(),;]*(?:[={]|$))";

/** GLSL, HLSL and WGSL. */
export const glsl: LineRules = {
  rows: [
    row("struct", /^\s*(?:struct|cbuffer|tbuffer)\s+(?<name>\w+)/, "brace"),
    row(
      "struct",
      new RegExp(
        String.raw`^\s*${LAYOUT}${QUALIFIERS}(?:uniform|buffer|in|out)\s+${QUALIFIERS}(?<name>\w+)\s*(?:\{|$)`,
      ),
      "brace",
    ),
    row("macro", /^\s*#\s*define\s+(?<name>\w+)/),
    row("type", /^\s*alias\s+(?<name>\w+)\s*=/),
    row("type", /^\s*typedef\s[^;]*\s(?<name>\w+)\s*(?:\[\w*\]\s*)?;/),
    row("constant", /^\s*(?:@id\s*\(\s*\w+\s*\)\s*)?override\s+(?<name>\w+)\s*[:=;]/),
    row(
      "constant",
      new RegExp(
        String.raw`^\s*(?:static\s+)?const\s+(?:(?:highp|mediump|lowp)\s+)?(?:${TYPE}\s+)?(?<name>\w+)\s*(?:\[[^\]]*\]\s*)?[=:]`,
      ),
    ),
    row(
      "variable",
      new RegExp(
        String.raw`^\s*${LAYOUT}${QUALIFIERS}(?:uniform|varying|attribute|in|out|shared|groupshared)\s+${QUALIFIERS}${TYPE}\s+(?<name>\w+)${NO_PARAMETER}`,
      ),
    ),
    row("variable", /^\s*(?:@[^;{]{0,120}[\s)])?var\b\s*(?:<[^<>;]*>)?\s*(?<name>\w+)\s*[:=;]/),
    row(
      "variable",
      new RegExp(
        String.raw`^\s*(?:(?:globallycoherent|static|extern)\s+)?(?:${RESOURCE})(?:\s*<[^;(){}]*>)?\s+(?<name>\w+)${NO_PARAMETER}`,
      ),
    ),
    row("function", /^\s*(?:@.{0,200}\)?\s)?\s*fn\s+(?<name>\w+)\s*\(/, "brace"),
    // A semicolon before the brace makes it a prototype or a statement.
    row(
      "function",
      new RegExp(
        String.raw`^\s*(?:\[[^\]]*\]\s*)?(?:(?:highp|mediump|lowp|inline|static|export|precise)\s+){0,2}(?!(?:${NO_TYPE})\b)${TYPE}\s+(?<name>[a-zA-Z_]\w*)\s*\((?:[^;]*$|[^;{]*\)[^;{]*\{)`,
      ),
      "brace",
    ),
  ],
  references: [refers("import", /^\s*#\s*include\s+[<"](?<name>[^>"]+)[>"]/g)],
  lineComments: ["///", "//"],
  blockComments: ["/*", "*/"],
};
