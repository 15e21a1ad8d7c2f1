import { type LineRules, refers, row } from "../line-rules.js";

/** LaTeX: sections, labels, definitions; the available grammar gives up on packages and classes. */
export const latex: LineRules = {
  rows: [
    row("section", /^\s*\\(?<level>part)\*?(?:\[[^\]]*\])?\{(?<name>[^}]+)/, "section"),
    row("section", /^\s*\\(?<level>chapter)\*?(?:\[[^\]]*\])?\{(?<name>[^}]+)/, "section"),
    row("section", /^\s*\\(?<level>(?:sub){0,2}section|paragraph)\*?(?:\[[^\]]*\])?\{(?<name>[^}]+)/, "section"),
    row("macro", /^\s*\\(?:re|provide)?(?:new|provide)?command\*?\{?\\(?<name>[A-Za-z@]+)/),
    row("macro", /^\s*\\(?:long\\|protected\\)*[gex]?def\s*\\(?<name>[A-Za-z@]+)/),
    row("macro", /^\s*\\(?:New|Renew|Declare|Provide)DocumentCommand\s*\{?\\(?<name>[A-Za-z@]+)/),
    row("macro", /^\s*\\(?:re)?newenvironment\*?\{(?<name>[^}]+)/),
  ],
  references: [
    refers(
      "import",
      /\\(?:usepackage|RequirePackage|documentclass|LoadClass|input|include)(?:\[[^\]]*\])?\{(?<name>[^}]+)/g,
    ),
    refers("call", /\\(?:ref|eqref|cite|citep|citet|autoref|pageref)\*?(?:\[[^\]]*\])?\{(?<name>[^},]+)/g),
  ],
  lineComments: ["%"],
  blockComments: false,
};

/** AsciiDoc: sections by their headings. */
export const asciidoc: LineRules = {
  rows: [row("section", /^(?<level>={1,6})\s+(?<name>\S.*)$/, "section")],
  references: [refers("import", /^include::(?<name>[^[]+)\[/g)],
  lineComments: ["//"],
  blockComments: ["----", "----"],
};

/** Org: sections by their headings. */
export const org: LineRules = {
  rows: [
    row("section", /^(?<level>\*+)\s+(?:(?:TODO|DONE|NEXT|WAITING)\s+)?(?<name>\S.*?)(?:\s+:[\w:@]+:)?$/, "section"),
  ],
  references: [refers("import", /^#\+include:\s*"?(?<name>[^"\s]+)/gi)],
  lineComments: ["# "],
  blockComments: false,
};

/** reStructuredText: sections by underlined titles. */
export const restructuredtext: LineRules = {
  rows: [],
  references: [refers("import", /^\.\.\s+(?:include|automodule|literalinclude)::\s+(?<name>\S+)/g)],
  lineComments: [],
  blockComments: false,
  underlined: true,
};

/** INI and its kin: sections and their keys. */
export const ini: LineRules = {
  rows: [
    row("property", /^\s*\[+\s*(?<name>[^\]]+?)\s*\]+/, "section"),
    row("property", /^\s*(?<name>[\w.@/-][\w.@ /-]{0,100}?)\s*[=:](?!=)/),
  ],
  references: [],
  lineComments: ["#", ";"],
  blockComments: false,
};

/** SCSS, Sass and Less; the available grammar gives up on almost half of real files. */
export const scss: LineRules = {
  rows: [
    row("function", /^\s*@(?:mixin|function)\s+(?<name>[\w-]+)/, "brace"),
    row(
      "variable",
      /^\s*(?<name>\$[\w-]+|@(?!(?:media|import|use|include|extend|if|else|each|for|while|return|forward|charset|supports|font-face|page|keyframes|layer|container)\b)[\w-]+)\s*:/,
    ),
    row("variable", /^\s*(?<name>--[\w-]+)\s*:/),
    row("constant", /^\s*@(?:-\w+-)?keyframes\s+(?<name>[\w-]+)/, "brace"),
    row("property", /^\s*(?<name>[.#%&:a-zA-Z[*>+~][^{};@]{0,200}?)\s*\{/, "brace"),
  ],
  references: [
    refers("import", /^\s*@(?:import|use|forward)\s+(?:\([^)]*\)\s*)?(?:url\()?["'](?<name>[^"']+)/g),
    refers("call", /@include\s+(?:[\w-]+\.)?(?<name>[\w-]+)/g),
    refers("inherit", /@extend\s+(?<name>[.%\w-]+)/g),
    refers("call", /\bvar\(\s*(?<name>--[\w-]+)/g),
  ],
  lineComments: ["///", "//"],
  blockComments: ["/*", "*/"],
};
