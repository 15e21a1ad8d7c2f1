import { type LineRules, refers, row } from "../line-rules.js";

/** Fortran. */
export const fortran: LineRules = {
  rows: [
    row("module", /^\s*(?:sub)?module\s+(?!procedure\b)(?:\([^)]*\)\s*)?(?<name>\w+)\s*$/i, "end"),
    row("function", /^\s*program\s+(?<name>\w+)/i, "end"),
    row("function", /^\s*(?:(?:pure|elemental|recursive|impure|module)\s+)*subroutine\s+(?<name>\w+)/i, "end"),
    row("function", /^\s*(?!end\b)(?:[\w*]+(?:\s*\([^)]*\))?\s+){0,4}function\s+(?<name>\w+)\s*\(/i, "end"),
    row("struct", /^\s*type\s*(?:,[^:]*)?(?:::\s*|\s+)(?<name>\w+)\s*$/i, "end"),
    row("interface", /^\s*(?:abstract\s+)?interface\s+(?<name>\w+)/i, "end"),
    row("constant", /^\s*[\w*]+(?:\s*\([^)]*\))?\s*,\s*parameter\s*(?:,[^:]*)?::\s*(?<name>\w+)/i),
  ],
  references: [
    refers("import", /^\s*use\s*(?:,\s*intrinsic\s*)?(?:::)?\s*(?<name>\w+)/gi),
    refers("import", /^\s*#?include\s+["'<](?<name>[^"'>]+)/gi),
    refers("call", /\bcall\s+(?:\w+%)?(?<name>\w+)/gi),
    refers("inherit", /\bextends\s*\(\s*(?<name>\w+)/gi),
  ],
  close: /^\s*end\s*(?:(?:subroutine|function|module|submodule|program|type|interface)\b.*)?$/i,
  lineComments: ["!>", "!!", "!"],
  blockComments: false,
};

/** Julia. */
export const julia: LineRules = {
  rows: [
    row("module", /^\s*(?:bare)?module\s+(?<name>\w+)/, "next"),
    row("function", /^\s*(?:@\w+\s+)*function\s+(?:(?<owner>[\w.]+)\.)?(?<name>[\w!+\-*/<>=∂∇∑∏′]+)\s*[({]/, "indent"),
    row("macro", /^\s*macro\s+(?<name>\w+)/, "indent"),
    row("struct", /^\s*(?:@\w+\s+)*(?:mutable\s+)?struct\s+(?<name>\w+)/, "indent"),
    row("type", /^\s*(?:abstract|primitive)\s+type\s+(?<name>\w+)/),
    row("test", /^\s*@testset\s+(?:\w+\s+)?"(?<name>[^"]+)"/, "indent"),
    row(
      "function",
      /^(?:@\w+\s+)*(?:(?<owner>[A-Z][\w.]*)\.)?(?<name>[a-zA-Z_∂∇∑∏][\w!∂∇∑∏′]*)\s*(?:\{[^}]*\})?\([^=]*\)\s*(?:where\s+[^=]*|::[\w{}.]+\s*)?=(?!=)/,
    ),
    row("constant", /^\s*const\s+(?<name>\w+)/),
  ],
  references: [
    refers("import", /^\s*(?:using|import)\s+(?<name>[\w.]+)/g),
    refers("import", /\binclude\(\s*"(?<name>[^"]+)"/g),
    refers("inherit", /\bstruct\s+\w+(?:\{[^}]*\})?\s*<:\s*(?<name>[\w.]+)/g),
    refers("call", /^\s+(?!function\b).*?(?<![\w@.])(?<name>(?!(?:if|while|for|function)\b)[a-z_][\w!]*)\(/g),
  ],
  passages: [{ begins: /"""/g, until: "its mark", is: "text" }],
  lineComments: ["#"],
  blockComments: ["#=", "=#"],
};

/** MATLAB and Octave. */
export const matlab: LineRules = {
  rows: [
    row("class", /^\s*classdef\s+(?:\([^)]*\)\s*)?(?<name>\w+)/, "indent"),
    row("function", /^\s*function\s+(?:\[[^\]]*\]\s*=\s*|\w+\s*=\s*)?(?<name>[\w.]+)/, "next"),
  ],
  references: [
    refers("inherit", /^\s*classdef\s+(?:\([^)]*\)\s*)?\w+\s*<\s*(?<name>[\w.]+)/g),
    refers("import", /^\s*import\s+(?<name>[\w.*]+)/g),
  ],
  lineComments: ["%%", "%", "#"],
  blockComments: ["%{", "%}"],
};

/** Pascal and Delphi. */
export const pascal: LineRules = {
  rows: [
    row("module", /^\s*(?:unit|program|library|package)\s+(?<name>[\w.]+)\s*;/i),
    row("constructor", /^\s+constructor\s+(?<name>\w+)/i),
    row("constructor", /^constructor\s+(?:(?<owner>\w+)\.)?(?<name>\w+)/i, "next"),
    row("function", /^(?:class\s+)?(?:procedure|function|destructor)\s+(?:(?<owner>\w+)\.)?(?<name>\w+)/i, "next"),
    row("class", /^\s*(?<name>\w+)\s*=\s*(?:packed\s+)?class\b(?!\s*of\b)(?!\s*(?:\([^)]*\))?\s*;)/i, "end"),
    row("struct", /^\s*(?<name>\w+)\s*=\s*(?:packed\s+)?(?:record|object)\b/i, "end"),
    row("interface", /^\s*(?<name>\w+)\s*=\s*interface\b/i, "end"),
    row("method", /^\s+(?:class\s+)?(?:procedure|function|destructor)\s+(?<name>\w+)/i),
    row("property", /^\s*property\s+(?<name>\w+)/i),
    row("enum", /^\s*(?<name>\w+)\s*=\s*\((?!\*)/),
  ],
  references: [
    refers("import", /^\s*uses\s+(?<name>[\w.]+)/gi),
    refers("inherit", /=\s*(?:class|interface)\s*\(\s*(?<name>\w+)/gi),
    refers("instantiate", /\b(?<name>T\w+)\.Create\b/gi),
  ],
  close: /^\s*end\s*;/i,
  lineComments: ["///", "//"],
  blockComments: ["{", "}"],
};

/** Visual Basic, of .NET and before. */
export const visualBasic: LineRules = {
  rows: [
    row("namespace", /^\s*Namespace\s+(?<name>[\w.]+)/i, "end"),
    row(
      "class",
      /^\s*(?:(?:Public|Private|Friend|Partial|MustInherit|NotInheritable|Shared)\s+)*Class\s+(?<name>\w+)/i,
      "end",
    ),
    row("module", /^\s*(?:(?:Public|Friend)\s+)*Module\s+(?<name>\w+)/i, "end"),
    row("struct", /^\s*(?:(?:Public|Private|Friend)\s+)*(?:Structure|Type)\s+(?<name>\w+)/i, "end"),
    row("interface", /^\s*(?:(?:Public|Private|Friend)\s+)*Interface\s+(?<name>\w+)/i, "end"),
    row("enum", /^\s*(?:(?:Public|Private|Friend)\s+)*Enum\s+(?<name>\w+)/i, "end"),
    row("constructor", /^\s*(?:(?:Public|Private|Friend|Protected)\s+)*Sub\s+(?<name>New)\b/i, "end"),
    row(
      "function",
      /^\s*(?!End\b|Declare\b)(?:(?:Public|Private|Friend|Protected|Shared|Overrides|Overridable|Static|Async|MustOverride)\s+)*(?:Sub|Function)\s+(?<name>\w+)/i,
      "end",
    ),
    row(
      "property",
      /^\s*(?:(?:Public|Private|Friend|Shared|ReadOnly|Default)\s+)*Property\s+(?:(?:Get|Let|Set)\s+)?(?<name>\w+)/i,
    ),
    row("constant", /^\s*(?:(?:Public|Private|Friend)\s+)?Const\s+(?<name>\w+)/i),
  ],
  references: [
    refers("import", /^\s*Imports\s+(?<name>[\w.]+)/gi),
    refers("inherit", /^\s*(?:Inherits|Implements)\s+(?<name>[\w.]+)/gi),
    refers("instantiate", /\bNew\s+(?<name>[A-Z][\w.]*)/gi),
    refers("call", /^\s*Call\s+(?<name>\w+)/gi),
  ],
  close: /^\s*End\s+(?:Namespace|Class|Module|Structure|Type|Interface|Enum|Sub|Function)\b/i,
  lineComments: ["'''", "'"],
  blockComments: false,
};

/** Ada. */
export const ada: LineRules = {
  rows: [
    row("module", /^\s*package\s+(?:body\s+)?(?<name>[\w.]+)\s+is\b(?!\s+new)/i, "end"),
    row("function", /^\s*(?:overriding\s+)?(?:function|procedure)\s+(?<name>\w+).*\bis\s*$/i, "end"),
    row("function", /^\s*(?:overriding\s+)?(?:function|procedure)\s+(?<name>\w+)/i),
    row("type", /^\s*(?:sub)?type\s+(?<name>\w+)/i, "indent"),
    row("class", /^\s*(?:task|protected)\s+(?:body\s+|type\s+)?(?<name>\w+)/i, "indent"),
  ],
  references: [refers("import", /^\s*(?:with|use)\s+(?<name>[\w.]+)/gi)],
  close: /^\s*end(?!\s+(?:if|loop|case|record|select)\b)(?:\s+[\w.]+)?\s*;/i,
  lineComments: ["--"],
  blockComments: false,
};

/** COBOL: divisions, sections and paragraphs. */
export const cobol: LineRules = {
  rows: [
    row("module", /^.{0,7}\s*PROGRAM-ID\.\s*(?<name>[\w-]+)/i),
    row("namespace", /^.{0,7}\s*(?<name>(?:IDENTIFICATION|ENVIRONMENT|DATA|PROCEDURE)\s+DIVISION)/i, "next"),
    row("function", /^(?:\d{6}| {6})? {1,2}(?<name>[A-Z0-9][\w-]*)(?:\s+SECTION)?\.\s*$/i, "next"),
    row("variable", /^.{0,7}\s*(?:01|77)\s+(?<name>[\w-]+)/i),
  ],
  references: [
    refers("call", /\b(?:PERFORM|CALL)\s+["']?(?<name>[A-Z0-9][\w-]*)/gi),
    refers("import", /\bCOPY\s+["']?(?<name>[\w-]+)/gi),
  ],
  lineComments: ["*>", "*"],
  blockComments: false,
};
