import { type LineRules, refers, row } from "../line-rules.js";

/** Verilog and SystemVerilog. */
export const verilog: LineRules = {
  rows: [
    row("module", /^\s*(?:module|macromodule|program)\s+(?:automatic\s+|static\s+)?(?<name>\w+)/, "end"),
    row("interface", /^\s*interface\s+(?!class\b)(?<name>\w+)/, "end"),
    row("namespace", /^\s*package\s+(?<name>\w+)/, "end"),
    row("class", /^\s*(?:virtual\s+)?class\s+(?<name>\w+)/, "end"),
    row(
      "function",
      /^\s*(?:(?:virtual|static|local|protected)\s+)*(?:function|task)\s+(?:automatic\s+)?(?:[\w$:]+\s+|\[[^\]]*\]\s*)*?(?:\w+::)?(?<name>\w+)\s*[(;]/,
      "end",
    ),
    row("macro", /^\s*`define\s+(?<name>\w+)/),
    row("constant", /^\s*(?:localparam|parameter)\s+(?:[\w$]+\s+)?(?:\[[^\]]*\]\s*)?(?<name>\w+)\s*=/),
    row("type", /^\s*typedef\s+.*?(?<name>\w+)\s*;$/),
    row("enum", /^\s*typedef\s+enum\b.*\}\s*(?<name>\w+)\s*;/),
  ],
  references: [
    refers("import", /^\s*`include\s+"(?<name>[^"]+)"/g),
    refers("import", /^\s*import\s+(?<name>\w+)::/g),
    refers("inherit", /^\s*(?:virtual\s+)?class\s+\w+\s+extends\s+(?<name>\w+)/g),
    refers(
      "instantiate",
      /^\s*(?<name>(?!(?:module|function|task|class|if|else|for|while|case|assign|begin|end|typedef|return|wire|reg|logic|input|output|inout|always|initial|parameter|localparam)\b)[a-zA-Z_]\w*)\s+(?:#\s*\(.{0,200}\)\s*)?\w+\s*\(\s*(?:\.|$)/g,
    ),
    refers("call", /\$(?<name>[a-z]\w*)\s*\(/g),
  ],
  close: /^\s*end(?:module|program|interface|package|class|function|task)\b/,
  lineComments: ["//"],
  blockComments: ["/*", "*/"],
};

/** VHDL. */
export const vhdl: LineRules = {
  rows: [
    row("interface", /^\s*entity\s+(?<name>\w+)\s+is/i, "end"),
    row("module", /^\s*architecture\s+(?<name>\w+)\s+of\s+(?<owner>\w+)/i, "end"),
    row("namespace", /^\s*package\s+(?:body\s+)?(?<name>\w+)\s+is/i, "end"),
    row("function", /^\s*(?:pure\s+|impure\s+)?(?:function|procedure)\s+"?(?<name>\w+)/i),
    row("type", /^\s*(?:sub)?type\s+(?<name>\w+)\s+is/i),
    row("constant", /^\s*constant\s+(?<name>\w+)/i),
    row("variable", /^\s*signal\s+(?<name>\w+)/i),
    row("function", /^\s*(?<name>\w+)\s*:\s*(?:postponed\s+)?process\b/i),
  ],
  references: [
    refers("import", /^\s*(?:library|use)\s+(?<name>[\w.]+)/gi),
    refers("instantiate", /^\s*\w+\s*:\s*(?:entity\s+|component\s+)(?<name>[\w.]+)/gi),
  ],
  close: /^\s*end\s+(?:entity|architecture|package)\b/i,
  lineComments: ["--"],
  blockComments: ["/*", "*/"],
};

/** Assembly of any machine: labels at the beginning of a line, macros, constants. */
export const assembly: LineRules = {
  rows: [
    row("macro", /^\s*(?:\.macro|%macro)\s+(?<name>\w+)/i, "end"),
    row("macro", /^\s*(?<name>\w+)\s+MACRO\b/i, "end"),
    row("macro", /^\s*#\s*define\s+(?<name>\w+)/),
    row("function", /^\s*(?:SYM_(?:FUNC|CODE|INNER_LABEL)_START\w*|ENTRY|GLOBAL)\s*\(\s*(?<name>\w+)/, "next"),
    row("constant", /^\s*(?:\.equ|\.set)\s+(?<name>[\w.$]+)\s*,/i),
    row("constant", /^(?<name>[A-Za-z_]\w*)\s+equ\b/i),
    row("function", /^(?!\.L|\d)(?<name>[A-Za-z_.$][\w.$@]*):/, "next"),
  ],
  references: [
    refers("import", /^\s*(?:#\s*include|\.include|%include|INCLUDE)\s+["<]?(?<name>[^">\s]+)/gi),
    refers("call", /^\s*(?:\w+:)?\s*(?:callq?|jal|bl|blx|jsr|bsr)\s+(?:ra\s*,\s*)?(?<name>[A-Za-z_.$][\w.$@]*)/gi),
  ],
  close: /^\s*(?:\.endm|%endmacro|ENDM)\b/i,
  lineComments: ["//", ";", "# ", "@"],
  blockComments: ["/*", "*/"],
};
