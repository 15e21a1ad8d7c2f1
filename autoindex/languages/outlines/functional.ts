import { type LineRules, refers, row } from "../line-rules.js";

/** Erlang: a function by the first of its clauses. */
export const erlang: LineRules = {
  rows: [
    row("module", /^-module\(\s*'?(?<name>\w+)/),
    row("struct", /^-record\(\s*'?(?<name>\w+)/, "statement"),
    row("macro", /^-define\(\s*(?<name>\w+)/),
    row("type", /^-(?:type|opaque)\s+(?<name>\w+)\s*\(/),
    row("method", /^-callback\s+(?<name>\w+)\s*\(/),
    row("function", /^(?<name>[a-z]\w*)\s*\(/, "next"),
  ],
  references: [
    refers("import", /^-(?:include|include_lib)\(\s*"(?<name>[^"]+)"/g),
    refers("import", /^-import\(\s*(?<name>\w+)/g),
    refers("inherit", /^-behaviou?r\(\s*(?<name>\w+)/g),
    refers("call", /^\s.*?\b(?:[a-z]\w*:)?(?<name>(?!(?:fun|case|if|receive|when|and|or|not|of)\b)[a-z]\w*)\(/g),
    refers("instantiate", /#(?<name>[a-z]\w*)\{/g),
  ],
  lineComments: ["%%%", "%%", "%"],
  blockComments: false,
};

const FSHARP_MODIFIER = "(?:rec|inline|private|internal|public|mutable|static|member|val)";
/** Names between double backticks, operators and active patterns in brackets, else a word with its primes. */
const fsharpName = (first = "A-Za-z_") =>
  String.raw`(?:\x60\x60|\(\s*)?(?<name>(?<=\x60\x60)[^\x60]+|(?<=\(\s*)\|[^()]+\||(?<=\(\s*)[!$%&*+\-./<=>?@^|~:]+(?=\s*\))|(?<![\x60(]\s*)(?!${FSHARP_MODIFIER}\b)[${first}][\w']*)(?:\x60\x60|\s*\))?`;
const FSHARP_MODIFIERS = String.raw`(?:${FSHARP_MODIFIER}\s+)*`;
const fsharpRow = (start: string, end = "", first?: string) =>
  new RegExp(String.raw`^\s*(?:\[<[^\]]*>\]\s*)?${start}${fsharpName(first)}${end}`);

/** F#. */
export const fsharp: LineRules = {
  rows: [
    row("namespace", /^\s*namespace\s+(?:rec\s+)?(?<name>[\w.]+)/, "next"),
    row("module", fsharpRow(String.raw`module\s+${FSHARP_MODIFIERS}`, String.raw`\s*=`), "indent"),
    row("module", /^\s*module\s+(?:rec\s+|private\s+|internal\s+|public\s+)*(?<name>[\w.]+)\s*$/, "next"),
    row("type", fsharpRow(String.raw`type\s+(?:\[<[^\]]*>\]\s*)?${FSHARP_MODIFIERS}`), "indent"),
    row("type", fsharpRow(String.raw`and\s+(?:\[<[^\]]*>\]\s*)?${FSHARP_MODIFIERS}`, "", "A-Z"), "indent"),
    row("type", /^\s*exception\s+(?<name>\w+)/),
    row("constructor", /^\s*(?:(?:private|internal|public)\s+)?(?<name>new)\s*\(.*\)\s*(?:as\s+\w+\s*)?=/, "indent"),
    row("property", fsharpRow(String.raw`(?:static\s+)?(?:member|override|default)\s+val\s+${FSHARP_MODIFIERS}`)),
    row(
      "method",
      fsharpRow(String.raw`(?:static\s+)?(?:member|override|default|abstract)\s+${FSHARP_MODIFIERS}(?:\w+\.)?`),
      "indent",
    ),
    row("field", fsharpRow(String.raw`(?:static\s+)?val\s+${FSHARP_MODIFIERS}`, String.raw`\s*:`)),
    row(
      "variable",
      fsharpRow(String.raw`(?:static\s+)?let\s+${FSHARP_MODIFIERS}mutable\s+${FSHARP_MODIFIERS}`),
      "indent",
    ),
    row(
      "function",
      fsharpRow(
        String.raw`(?:(?:static\s+)?let|and)\s+${FSHARP_MODIFIERS}`,
        String.raw`(?:<[^>]*>)?\s+(?:[\w('~\x60\[{]|\()[^=]*(?:=|$)`,
      ),
      "indent",
    ),
    row("function", fsharpRow(String.raw`let\s+${FSHARP_MODIFIERS}`, String.raw`\([^=]*(?:=|$)`), "indent"),
    row(
      "constant",
      fsharpRow(String.raw`(?:static\s+)?let\s+${FSHARP_MODIFIERS}`, String.raw`\s*(?::[^=]*)?=`),
      "indent",
    ),
    row("constant", /^\s*\|\s*(?<name>[A-Z]\w*)\s*(?:(?:of|:|=)[^-]*|\/\/.*)?$/, "line", "in a type"),
  ],
  lists: [
    {
      kind: "constant",
      begins: /^\s*type\s[^=|]*=\s*\|?\s*[A-Z]\w*\s*(?:of\b|\|)/,
      until: /^/,
      pattern: /(?:=|\|)\s*(?<name>[A-Z]\w*)(?=\s*(?:of\b|\||$))/g,
    },
  ],
  passages: [{ begins: /"""/g, until: "its mark", is: "text" }],
  references: [
    refers("import", /^\s*open\s+(?:type\s+)?(?<name>[\w.]+)/g),
    refers("inherit", /^\s*(?:inherit|interface)\s+(?<name>[A-Z][\w.]*)/g),
    refers("call", /\|>\s*(?:[A-Z]\w*\.)*(?<name>[a-z]\w*)/g),
    refers("call", /\b(?:[A-Z]\w*\.)+(?<name>[a-z]\w*)/g),
    refers("instantiate", /\bnew\s+(?<name>[A-Z][\w.]*)/g),
  ],
  lineComments: ["///", "//"],
  blockComments: ["(*", "*)"],
};

/** Gleam. */
export const gleam: LineRules = {
  rows: [
    row("function", /^(?:pub\s+)?fn\s+(?<name>\w+)\s*\(/, "brace"),
    row("function", /^(?:pub\s+)?external\s+fn\s+(?<name>\w+)/),
    row("type", /^(?:pub\s+)?type\s+(?<name>[A-Z]\w*)[^={]*=/, "indent"),
    row("type", /^(?:pub\s+)?(?:opaque\s+)?type\s+(?<name>[A-Z]\w*)/, "brace"),
    row("constant", /^(?:pub\s+)?const\s+(?<name>\w+)/),
    row("constant", /^ {2}(?<name>[A-Z]\w*)(?:\(|$)/),
  ],
  references: [
    refers("import", /^import\s+(?<name>[\w/]+)/g),
    refers("call", /(?<![\w@])(?<name>(?!(?:fn|case|use|let|if)\b)[a-z]\w*)\(/g),
    refers("instantiate", /(?<![\w.])(?<name>[A-Z]\w*)\(/g),
  ],
  lineComments: ["////", "///", "//"],
  blockComments: false,
};

/** Interfaces of OCaml's modules. */
export const ocamlInterface: LineRules = {
  rows: [
    row("interface", /^\s*module\s+type\s+(?<name>\w+)/, "indent"),
    row("module", /^\s*module\s+(?:rec\s+)?(?<name>[A-Z]\w*)/, "indent"),
    row("function", /^\s*(?:val|external)\s+(?:mutable\s+|virtual\s+)*\(?\s*(?<name>[\w']+)/, "indent"),
    row("type", /^\s*(?:type|and)\s+(?:nonrec\s+)?(?:[+\-!]?'\w+\s+|\([^)]*\)\s+)?(?<name>[a-z_][\w']*)/, "indent"),
    row("class", /^\s*class\s+(?:type\s+|virtual\s+)?(?<name>\w+)/, "indent"),
    row("type", /^\s*exception\s+(?<name>\w+)/),
  ],
  references: [refers("import", /^\s*(?:open|include)\s+(?:module\s+type\s+of\s+)?(?<name>[A-Z][\w.]*)/g)],
  lineComments: [],
  blockComments: ["(*", "*)"],
};

/** Scheme and Racket. */
export const scheme: LineRules = {
  rows: [
    row("function", /^\s{0,4}\(define(?:\*|-public|\/contract|-inline)?\s+\(+(?<name>[^\s()]+)/, "indent"),
    row("macro", /^\s{0,4}\(define-(?:syntax|syntax-rule|macro)\s+\(?(?<name>[^\s()]+)/, "indent"),
    row("struct", /^\s{0,4}\((?:define-record-type|define-struct|struct)\s+\(?(?<name>[^\s()]+)/, "indent"),
    row("module", /^\s{0,4}\((?:define-library|define-module|module[*+]?|library)\s+\(?(?<name>[^\s()]+)/, "indent"),
    row("function", /^\s{0,4}\(define\s+(?<name>[^\s()]+)\s+\((?:lambda|λ|case-lambda)\b/, "indent"),
    row("constant", /^\s{0,4}\(define(?:-public)?\s+(?<name>[^\s()]+)/, "indent"),
    row("test", /^\s{0,4}\((?:test-case|test-suite|test-group)\s+"(?<name>[^"]+)"/, "indent"),
  ],
  references: [
    refers("import", /\((?:require|import|use-modules)\s+\(?(?<name>[^\s()]+)/g),
    refers(
      "call",
      /(?<!\blambda )\((?<name>(?!(?:define\S*|let\S*|lambda|if|cond|case|begin|quote|set!|and|or|when|unless|do|require|import|provide|module)[\s)])[a-zA-Z][^\s()'"`,;]*)/g,
    ),
  ],
  lineComments: [";;;", ";;", ";"],
  blockComments: ["#|", "|#"],
};

/** Common Lisp. */
export const lisp: LineRules = {
  rows: [
    row("function", /^\s{0,4}\((?:defun|defgeneric)\s+(?<name>[^\s()]+)/i, "indent"),
    row("method", /^\s{0,4}\(defmethod\s+(?<name>[^\s()]+)/i, "indent"),
    row("macro", /^\s{0,4}\((?:defmacro|define-compiler-macro)\s+(?<name>[^\s()]+)/i, "indent"),
    row("class", /^\s{0,4}\((?:defclass|define-condition)\s+(?<name>[^\s()]+)/i, "indent"),
    row("struct", /^\s{0,4}\(defstruct\s+\(?(?<name>[^\s()]+)/i, "indent"),
    row("variable", /^\s{0,4}\((?:defvar|defparameter)\s+(?<name>[^\s()]+)/i, "indent"),
    row("constant", /^\s{0,4}\(defconstant\s+(?<name>[^\s()]+)/i, "indent"),
    row("type", /^\s{0,4}\(deftype\s+(?<name>[^\s()]+)/i, "indent"),
    row("namespace", /^\s{0,4}\((?:defpackage|defsystem|asdf:defsystem)\s+[#:"]{0,2}(?<name>[^\s()"]+)/i, "indent"),
  ],
  references: [
    refers("import", /\((?:require|use-package|in-package)\s+['#:"]{0,2}(?<name>[^\s()"]+)/gi),
    refers("inherit", /\((?:defclass|define-condition)\s+[^\s()]+\s+\((?<name>[^\s()]+)/gi),
    refers(
      "call",
      /(?<!\b(?:lambda|def\w+) (?:[^\s()]{1,80} )?)\((?<name>(?!(?:def\w+|let\*?|lambda|if|cond|case|progn|quote|setf|setq|and|or|when|unless|loop|declare|in-package|require)[\s)])[a-z][^\s()'"`,;]*)/gi,
    ),
  ],
  lineComments: [";;;", ";;", ";"],
  blockComments: ["#|", "|#"],
};

/** Prolog and Mercury: predicates by the first of their clauses. */
export const prolog: LineRules = {
  rows: [
    row("module", /^:-\s*module\(?\s*(?<name>\w+)/),
    row("function", /^:-\s*(?:pred|func)\s+(?<name>\w+)/),
    row("type", /^:-\s*type\s+(?<name>\w+)/),
    row("function", /^(?<name>[a-z]\w*)\s*(?:\(|:-|-->)/, "next"),
  ],
  references: [
    refers("import", /^:-\s*(?:use_module|import_module|ensure_loaded|consult)\(?\s*(?:library\()?(?<name>[\w.]+)/g),
    refers(
      "call",
      /(?:^\s+|:-\s*|,\s*|->\s*)(?<name>(?!(?:module|use_module|import_module|ensure_loaded|consult)\b)[a-z]\w*)\(/g,
    ),
  ],
  lineComments: ["%%", "%"],
  blockComments: ["/*", "*/"],
};

/** Coq. */
export const coq: LineRules = {
  rows: [
    row("module", /^\s*(?:Module(?:\s+Type)?|Section)\s+(?<name>[\w']+)/),
    row(
      "function",
      /^\s*(?:(?:Local|Global|Program)\s+)*(?:Definition|Fixpoint|CoFixpoint|Function|Let)\s+(?<name>[\w']+)/,
      "next",
    ),
    row(
      "constant",
      /^\s*(?:(?:Local|Global)\s+)*(?:Theorem|Lemma|Corollary|Proposition|Fact|Remark|Example|Axiom|Hypothesis|Parameter)\s+(?<name>[\w']+)/,
      "next",
    ),
    row("type", /^\s*(?:(?:Local|Global)\s+)*(?:Inductive|CoInductive|Variant)\s+(?<name>[\w']+)/, "next"),
    row("struct", /^\s*(?:(?:Local|Global)\s+)*(?:Record|Structure|Class|Instance)\s+(?<name>[\w']+)/, "next"),
    row("macro", /^\s*(?:Local\s+)?Ltac2?\s+(?<name>[\w']+)/, "next"),
  ],
  references: [refers("import", /^\s*(?:From\s+[\w.]+\s+)?(?:Require\s+)?(?:Import|Export)\s+(?<name>\w+(?:\.\w+)*)/g)],
  lineComments: [],
  blockComments: ["(*", "*)"],
};
