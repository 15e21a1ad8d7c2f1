/** What a text shows of the language of an extension that several share: the first pattern that matches decides. */
export type Probe = readonly [language: string, pattern: RegExp];

/** Characters of a text that patterns see. */
export const PROBED_LENGTH = 16 * 1024;

const XML: Probe = ["xml", /^\s{0,100}<\?xml\b/];
const JSON_TEXT: Probe = ["json", /^\s{0,100}[{[]\s{0,100}["}\]]/];

/** By extension; a text that matches none is what the language table says. */
export const PROBES: Readonly<Record<string, readonly Probe[]>> = {
  cfg: [XML, JSON_TEXT],
  cl: [["c", /__kernel\b|\b__global\b|\bkernel void\b/]],
  cls: [
    ["latex", /^[^%\n]{0,200}\\(?:NeedsTeXFormat|ProvidesClass|documentclass|LoadClass|DeclareOption)\b/m],
    ["visual-basic", /^(?:VERSION \d|Attribute VB_)/m],
    [
      "apex",
      /^[ \t]*(?:@\w+\s*)?(?:global|public|private|abstract|virtual|with sharing|without sharing)\b.{0,200}\bclass\b/im,
    ],
  ],
  conf: [XML, JSON_TEXT],
  cs: [["smalltalk", /^!\w+ (?:class )?methodsFor:/m]],
  d: [
    ["make", /^[^\s:]{1,300}\.(?:o|lo|obj)\s?:(?:\s|\\|$)/m],
    ["d", /^[ \t]*(?:module|import)\s+[\w.]+\s*[;:,]/m],
  ],
  for: [["forth", /^: \S+/m]],
  fs: [
    ["glsl", /^[ \t]*(?:#version\s|precision\s+\w+p\b|uniform\s|varying\s|void\s+main\s*\(\s*(?:void)?\s*\))/m],
    ["forth", /^(?:: \S+ |\\ |\( )/m],
  ],
  h: [
    ["objc", /^[ \t]*(?:@interface|@protocol|@class|@property|#\s*import\b|NS_ASSUME_NONNULL_BEGIN)\b/m],
    [
      "cpp",
      /^[ \t]*(?:(?:class|namespace)\s+\w|template\s*<|using\s+\w|public:|private:|protected:)|\bstd::|\bconstexpr\b|^[ \t]*extern\s+"C\+\+"|^#\s*include\s*<(?:string|vector|map|memory|cstd\w+|iostream|utility|type_traits|bits\/[^>]+)>/m,
    ],
  ],
  inc: [
    ["php", /<\?(?:php|=|\s)/],
    ["pascal", /^[ \t]*(?:unit\s+\w+\s*;|(?:procedure|function)\s+\w+.{0,200};|\{\$\w+)/im],
    [
      "assembly",
      /^[ \t]*(?:\.(?:macro|equ|set|section|globl|include|byte|word)\b|%(?:define|macro|include)\b|;|\w+\s+equ\b)/im,
    ],
    [
      "c",
      /^[ \t]*#\s*(?:include|define|if|ifdef|ifndef|pragma)\b|^[ \t]*(?:static|extern|const|struct|typedef|enum)\b|;\s*$/m,
    ],
    ["html", /^[ \t]*<(?:!--|!DOCTYPE|html|div|table|p|a)\b/im],
    ["text", /^/],
  ],
  m: [
    [
      "objc",
      /^[ \t]*(?:#\s*(?:import|include|define|pragma)\b|@(?:interface|implementation|protocol|class|import|end)\b)/m,
    ],
    ["mercury", /^:-\s*(?:module|pred|func|import_module)\b/m],
    ["matlab", /^[ \t]*(?:function\b|classdef\b|%|end\s*$|\w+\s*=\s*[^;=]{0,200};)/m],
  ],
  ml: [["ocaml", /^/]],
  mod: [["gomod", /^module\s+\S+\s*$/m]],
  pl: [["prolog", /^:-\s*\w|^[a-z]\w*(?:\([^()]{0,200}\))?\s*:-/m]],
  pm: [["c", /^\/\* XPM \*\//]],
  pp: [["pascal", /^[ \t]*(?:program|unit|uses|interface|begin)\b/im]],
  pro: [
    ["prolog", /^:-\s*\w|^[a-z]\w*(?:\([^()]{0,200}\))?\s*(?::-|\.)/m],
    ["make", /^[ \t]*(?:QT|TEMPLATE|TARGET|SOURCES|HEADERS|CONFIG)\s*\+?=/m],
    ["text", /^/],
  ],
  props: [["properties", /^[ \t]*[\w.-]+\s*=/]],
  r: [["rebol", /^[ \t]*rebol\s*\[/im]],
  reg: [],
  st: [["html", /^[ \t]*</]],
  t: [["perl", /^/]],
  ts: [["xml", /^\s{0,100}(?:<\?xml\b|<!DOCTYPE TS\b|<TS\b)/]],
  ui: [["xml", XML[1]]],
  v: [
    [
      "coq",
      /^[ \t]*(?:Require|Theorem|Lemma|Definition|Inductive|Fixpoint|Section|Module Type|Proof|From\s+\w+\s+Require|Set\s+Implicit|Notation|Ltac)\b/m,
    ],
    ["vlang", /^[ \t]*(?:pub\s+)?(?:fn\s+(?:\([^()\n]{0,100}\)\s*)?\w+\s*\(|struct\s+\w+\s*\{)/m],
  ],
};

/** By what stands at the beginning of a text that neither name nor first line tells of. */
export const OPENINGS: readonly Probe[] = [
  XML,
  ["html", /^\s{0,100}<(?:!doctype\s+html|html)\b/i],
  ["php", /^\s{0,100}<\?php\b/],
  ["diff", /^(?:diff --git |--- \S|Index: \S)/],
  ["json", /^\s{0,100}(?:\{\s{0,100}"|\[\s{0,100}[{"[])/],
];

/** What editors call a language, where it differs from its names here. */
export const MODES: Readonly<Record<string, string>> = {
  "c++": "cpp",
  cperl: "perl",
  "emacs-lisp": "elisp",
  f90: "fortran",
  js2: "javascript",
  "lisp-interaction": "elisp",
  makefile: "make",
  "makefile-gmake": "make",
  mako: "html",
  nxml: "xml",
  rst: "restructuredtext",
  "shell-script": "bash",
  systemverilog: "verilog",
  tex: "latex",
  typescriptreact: "tsx",
  javascriptreact: "javascript",
  vb: "visual-basic",
};
