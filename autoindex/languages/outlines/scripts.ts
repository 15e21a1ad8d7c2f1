import { type LineRules, refers, row } from "../line-rules.js";

/** Perl: the available grammar gives up on most real files. */
export const perl: LineRules = {
  rows: [
    row("namespace", /^\s*package\s+(?<name>[\w:]+)\s*(?:v?[\d.]+\s*)?\{/, "brace"),
    row("namespace", /^\s*package\s+(?<name>[\w:]+)/, "next"),
    row("test", /^\s*subtest\s+["']?(?<name>[^"'=]+?)["']?\s*(?:=>|,)/, "brace"),
    row("function", /^\s*sub\s+(?<name>[\w:']+)/, "brace"),
    row("class", /^\s*(?:class|role)\s+(?<name>[\w:]+)/, "brace"),
    row("method", /^\s*(?:method|fun)\s+(?<name>\w+)/, "brace"),
    row("property", /^\s*has\s+\+?\(?\[?\s*["']?(?<name>\w+)/),
    row("constant", /^\s*use\s+constant\s+["']?(?<name>[A-Za-z_]\w*)/),
    row("variable", /^our\s+[$@%](?<name>\w+)/),
  ],
  references: [
    refers("inherit", /^\s*use\s+(?:parent|base)\s+(?:-norequire\s*,\s*)?(?:qw\W\s*|["'])(?<name>[\w:]+)/g),
    refers("inherit", /^\s*(?:extends|with)\s+["'](?<name>[\w:]+)/g),
    refers(
      "import",
      /^\s*(?:use|require)\s+(?<name>(?!(?:strict|warnings|utf8|parent|base|constant|lib|vars|feature|v?\d)\b)[A-Za-z_][\w:]*)/g,
    ),
    refers("instantiate", /\b(?<name>[A-Z][\w:]*)->new\b/g),
    refers("call", /->(?<name>(?!new\b)[a-z_]\w*)\b/g),
    refers(
      "call",
      /(?<![\w$@%&>:{])(?:\w+::)*(?<name>(?!(?:if|elsif|unless|while|until|for|foreach|my|our|return|and|or|not|sub|qw|q|qq|print)\b)[a-z_]\w*)\s*\(/g,
    ),
  ],
  lists: [
    {
      kind: "constant",
      begins: /^\s*use\s+constant\s*\{/,
      until: /\}/,
      pattern: /(?:^|,|\bconstant\s*\{)\s*["']?(?<name>[A-Za-z_]\w*)["']?\s*=>/g,
    },
  ],
  passages: [
    { begins: /^=[A-Za-z]/, until: /^=cut\b/, is: "documentation" },
    { begins: /^__(?:END|DATA)__\s*$/, until: "the end", is: "documentation" },
    { begins: /<<~?(?:(?<tag>[A-Za-z_]\w*)|\s*(?<mark>["'])(?<quoted>[^"']+)\k<mark>)/g, until: "its tag", is: "text" },
  ],
  lineComments: ["#"],
  // What stands above a function is its documentation.
  blockComments: ["=head", "=cut"],
};

/** Batch files of Windows: labels as functions. */
export const batch: LineRules = {
  rows: [
    row("function", /^\s*:(?!:)(?<name>[\w.-]+)/, "next"),
    row("variable", /^\s*@?set\s+(?:\/[ap]\s+)?"?(?<name>\w+)\s*=/i),
  ],
  references: [refers("call", /\b(?:call|goto)\s+:?(?<name>(?!eof\b)[\w.-]+)/gi)],
  lineComments: ["::", "rem ", "REM "],
  blockComments: false,
};

/** AWK. */
export const awk: LineRules = {
  rows: [
    row("function", /^\s*func(?:tion)?\s+(?<name>\w+)/, "brace"),
    row("function", /^(?<name>BEGIN|END|BEGINFILE|ENDFILE)\s*\{/, "brace"),
  ],
  references: [
    refers("import", /^@include\s+"(?<name>[^"]+)"/g),
    refers("call", /(?<![\w$])(?<name>(?!(?:if|while|for|function|func|return)\b)[a-z_]\w*)\(/g),
  ],
  lineComments: ["#"],
  blockComments: false,
};

/** Tcl. */
export const tcl: LineRules = {
  rows: [
    row("namespace", /^\s*namespace\s+eval\s+(?<name>[\w:]+)/, "brace"),
    row("function", /^\s*proc\s+(?<name>[\w:.!?-]+)/, "brace"),
    row("class", /^\s*(?:oo::class\s+create|itcl::class|class)\s+(?<name>[\w:]+)/, "brace"),
    row("method", /^\s*(?:method|constructor)\s+(?<name>\w+)/, "brace"),
    row("test", /^\s*test\s+(?<name>[\w.-]+)\s/, "brace"),
  ],
  references: [refers("import", /^\s*(?:package\s+require|source)\s+(?<name>[\w:./-]+)/g)],
  lineComments: ["#"],
  blockComments: false,
};

/** Vim's own language. */
export const vim: LineRules = {
  rows: [
    row(
      "function",
      /^\s*(?:export\s+)?(?:fu(?:n|nc|nct|ncti|nctio|nction)?!?|def!?)\s+(?<name>[\w:#.<>]+)\s*\(/,
      "end",
    ),
    row("function", /^\s*com(?:mand)?!?\s+(?:-\S+\s+)*(?<name>[A-Z]\w*)/),
    row("class", /^\s*(?:export\s+)?class\s+(?<name>\w+)/, "end"),
    row("variable", /^\s*(?:let|const|var)\s+(?<name>[gsbwt]:[\w#]+)\s*=/),
  ],
  references: [
    refers("import", /^\s*(?:runtime!?|so(?:urce)?)\s+(?<name>\S+)/g),
    refers("call", /\bcall\s+(?<name>[\w:#.<>]+)\(/g),
  ],
  close: /^\s*(?:endf(?:unction|un|unc)?|enddef|endclass)\b/,
  lineComments: ['"', "#"],
  blockComments: false,
};

/** fish. */
export const fish: LineRules = {
  rows: [
    row("function", /^\s*function\s+(?<name>[\w.-]+)/, "indent"),
    row("variable", /^set\s+(?:-\w+\s+)*(?<name>\w+)/),
  ],
  references: [refers("import", /^\s*source\s+(?<name>\S+)/g)],
  lineComments: ["#"],
  blockComments: false,
};

/** D. */
export const d: LineRules = {
  rows: [
    row("module", /^\s*module\s+(?<name>[\w.]+)\s*;/),
    row("class", /^\s*(?:(?:public|private|abstract|final|static)\s+)*class\s+(?<name>\w+)/, "brace"),
    row("struct", /^\s*(?:(?:public|private|static)\s+)*(?:struct|union)\s+(?<name>\w+)/, "brace"),
    row("interface", /^\s*(?:(?:public|private)\s+)*interface\s+(?<name>\w+)/, "brace"),
    row("enum", /^\s*(?:(?:public|private)\s+)*enum\s+(?<name>\w+)\s*(?::[^{]*)?\{/, "brace"),
    row("constant", /^\s*enum\s+(?<name>\w+)\s*=/),
    row("macro", /^\s*(?:mixin\s+)?template\s+(?<name>\w+)/, "brace"),
    row("test", /^\s*(?:@\w+\s+)*(?<name>unittest)\b/, "brace"),
    row("constructor", /^\s*(?:public\s+|private\s+)?(?<name>this)\s*\(/, "brace"),
    row(
      "function",
      /^\s*(?:@\w+\s+)*(?:(?:public|private|protected|static|override|final|pure|nothrow|const|auto|ref|export)\s+)*(?!(?:return|else|new|import|case|throw|delete)\b)[\w.!()[\]*]+\s+(?<name>[a-zA-Z_]\w*)\s*\([^;]*$/,
      "brace",
    ),
  ],
  references: [
    refers("import", /^\s*(?:public\s+|static\s+)*import\s+(?<name>[\w.]+)/g),
    refers("instantiate", /\bnew\s+(?<name>[A-Z][\w.]*)/g),
  ],
  lineComments: ["///", "//"],
  blockComments: ["/*", "*/"],
};
