import { type LineRules, refers, row } from "../line-rules.js";

/** A part of a name: anything between its quotation marks, else a word. */
const sqlPart = (group: string) => String.raw`[\x60"[]?(?<${group}>(?<=[\x60"[])[^\x60"\]]{1,200}|[\w$#]+)[\x60"\]]?`;
const SQL_CATALOG = String.raw`(?:(?:[\x60"[][^\x60"\]]{1,200}[\x60"\]]|[\w$]+)\.(?=(?:[\x60"[][^\x60"\]]{1,200}[\x60"\]]|[\w$]+)\.))?`;
const SQL_NAME = String.raw`(?:(?:if\s+not\s+exists|or\s+replace)\s+)?${SQL_CATALOG}(?:${sqlPart("owner")}\.)?${sqlPart("name")}`;
const sql = (what: string) =>
  new RegExp(String.raw`^\s*create\s+(?:or\s+(?:replace|alter)\s+)?${what}\s+${SQL_NAME}`, "i");

/** SQL: what is created, each statement to its semicolon. */
export const sqlRules: LineRules = {
  rows: [
    row(
      "struct",
      sql(String.raw`(?:(?:global|local|temp|temporary|unlogged|external|foreign|virtual)\s+)*table`),
      "statement",
    ),
    row("struct", sql(String.raw`(?:materialized\s+)?view`), "statement"),
    row("function", sql("function"), "statement"),
    row("function", sql("procedure"), "statement"),
    row("function", sql(String.raw`(?:constraint\s+)?trigger`), "statement"),
    row(
      "property",
      sql(String.raw`(?:unique\s+)?(?:clustered\s+|nonclustered\s+)?index(?:\s+concurrently)?`),
      "statement",
    ),
    row("type", sql("(?:type|domain)"), "statement"),
    row("namespace", sql("(?:schema|database)"), "statement"),
    row("variable", sql("sequence"), "statement"),
    row("module", sql(String.raw`(?:package(?:\s+body)?|extension)`), "statement"),
  ],
  references: [
    refers(
      "call",
      /\b(?:from|join|into|update|references)\s+(?:[`"[]?\w+[`"\]]?\.){0,2}[`"[]?(?<name>(?!(?:select|set|only|where|values)\b)[a-z_]\w*)/gi,
    ),
  ],
  lineComments: ["--", "#"],
  blockComments: ["/*", "*/"],
};

/** Protocol buffers. */
export const protobuf: LineRules = {
  rows: [
    row("namespace", /^\s*package\s+(?<name>[\w.]+)\s*;/),
    row("struct", /^\s*message\s+(?<name>\w+)/, "brace"),
    row("enum", /^\s*enum\s+(?<name>\w+)/, "brace"),
    row("interface", /^\s*service\s+(?<name>\w+)/, "brace"),
    row("method", /^\s*rpc\s+(?<name>\w+)/, "brace"),
    row("field", /^\s*oneof\s+(?<name>\w+)/, "brace"),
    row("constant", /^\s*(?<name>[A-Z][A-Z0-9_]*)\s*=\s*-?(?:0x)?[0-9a-fA-F]+\s*[;[]/),
    row(
      "field",
      /^\s*(?:(?:repeated|optional|required)\s+)?(?:map\s*<[^>]*>|(?!option\b|return\b|reserved\b|syntax\b|import\b)[\w.]+)\s+(?<name>\w+)\s*=\s*\d+/,
    ),
  ],
  references: [
    refers("import", /^\s*import\s+(?:public\s+|weak\s+)?"(?<name>[^"]+)"/g),
    refers("type", /\b(?:rpc\s+\w+\s*|returns\s*)\(\s*(?:stream\s+)?(?<name>[\w.]+)\s*\)/g),
    refers("inherit", /^\s*extend\s+(?<name>[\w.]+)/g),
  ],
  lineComments: ["//"],
  blockComments: ["/*", "*/"],
};

/** GraphQL: schemas and operations. */
export const graphql: LineRules = {
  rows: [
    row("class", /^\s*(?:extend\s+)?type\s+(?<name>\w+)/, "brace"),
    row("interface", /^\s*(?:extend\s+)?interface\s+(?<name>\w+)/, "brace"),
    row("struct", /^\s*(?:extend\s+)?input\s+(?<name>\w+)/, "brace"),
    row("enum", /^\s*(?:extend\s+)?enum\s+(?<name>\w+)/, "brace"),
    row("type", /^\s*(?:union|scalar)\s+(?<name>\w+)/),
    row("macro", /^\s*directive\s+@(?<name>\w+)/),
    row("function", /^\s*(?:query|mutation|subscription|fragment)\s+(?<name>\w+)/, "brace"),
    row("field", /^\s+(?<name>\w+)\s*(?:\([^)]*\))?\s*:\s*\[?\w+/),
    row("constant", /^\s+(?<name>[A-Z][A-Z0-9_]+)\s*(?:@.*)?$/),
  ],
  references: [
    refers("inherit", /\bimplements\s+(?:&\s*)?(?<name>\w+)/g),
    refers("type", /:\s*\[?(?<name>[A-Z]\w*)/g),
    refers("type", /\.\.\.\s*on\s+(?<name>\w+)/g),
    refers("call", /\.\.\.(?<name>(?!on\b)\w+)/g),
  ],
  passages: [{ begins: /"""/g, until: "its mark", is: "documentation" }],
  lineComments: ["#"],
  blockComments: false,
};

/** Thrift's interface files. */
export const thrift: LineRules = {
  rows: [
    row("namespace", /^\s*namespace\s+\w+\s+(?<name>[\w.]+)/),
    row("struct", /^\s*(?:struct|union)\s+(?<name>\w+)/, "brace"),
    row("type", /^\s*exception\s+(?<name>\w+)/, "brace"),
    row("enum", /^\s*enum\s+(?<name>\w+)/, "brace"),
    row("interface", /^\s*service\s+(?<name>\w+)/, "brace"),
    row("type", /^\s*typedef\s+[\w<>., ]+\s+(?<name>\w+)\s*[;,]?$/),
    row("constant", /^\s*const\s+[\w<>., ]+\s+(?<name>\w+)\s*=/),
    row("field", /^\s*\d+\s*:\s*(?:required\s+|optional\s+)?[\w.<>, ]+\s+(?<name>\w+)\s*(?:=.*)?[,;]?$/),
    row("method", /^\s*(?:oneway\s+)?[\w.<>]+\s+(?<name>\w+)\s*\(/),
  ],
  references: [
    refers("import", /^\s*include\s+"(?<name>[^"]+)"/g),
    refers("inherit", /^\s*service\s+\w+\s+extends\s+(?<name>[\w.]+)/g),
  ],
  lineComments: ["//", "#"],
  blockComments: ["/*", "*/"],
};
