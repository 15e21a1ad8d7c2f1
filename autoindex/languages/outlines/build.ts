import { type LineRules, refers, row } from "../line-rules.js";

/** Dockerfiles: stages by their names, arguments and variables. */
export const dockerfile: LineRules = {
  rows: [
    row("module", /^FROM\s+(?:--\S+\s+)?\S+\s+AS\s+(?<name>[\w.-]+)/i, "next"),
    row("module", /^FROM\s+(?:--\S+\s+)?(?<name>[^\s#]+)/i, "next"),
    row("variable", /^(?:ARG|ENV)\s+(?<name>\w+)/i),
  ],
  references: [
    refers("import", /^FROM\s+(?:--\S+\s+)?(?<name>[^\s#]+)/gi),
    refers("import", /^COPY\s+--from=(?<name>[\w.-]+)/gi),
  ],
  lineComments: ["#"],
  blockComments: false,
};

/** CMake. */
export const cmake: LineRules = {
  rows: [
    row("function", /^\s*function\s*\(\s*(?<name>[\w:.-]+)/i, "end"),
    row("macro", /^\s*macro\s*\(\s*(?<name>[\w:.-]+)/i, "end"),
    row("module", /^\s*project\s*\(\s*(?<name>[\w:.-]+)/i),
    row("module", /^\s*add_(?:executable|library|custom_target)\s*\(\s*(?<name>[\w:.-]+)/i),
    row("test", /^\s*add_test\s*\(\s*(?:NAME\s+)?(?<name>[\w:.-]+)/i),
    row("variable", /^(?:set|option)\s*\(\s*(?<name>[\w:.-]+)/i),
  ],
  references: [
    refers("import", /^\s*(?:include|add_subdirectory|find_package)\s*\(\s*(?<name>[\w:./${}-]+)/gi),
    refers(
      "call",
      /^\s*(?<name>(?!(?:if|elseif|else|endif|foreach|endforeach|while|endwhile|function|endfunction|macro|endmacro|set|include|return)\b)[a-z_]\w*)\s*\(/gi,
    ),
  ],
  close: /^\s*end(?:function|macro)\b/i,
  lineComments: ["#"],
  blockComments: ["#[[", "]]"],
};

/** Makefiles: targets with their recipes, variables, definitions. */
export const make: LineRules = {
  rows: [
    row("macro", /^define\s+(?<name>[\w.-]+)/, "end"),
    row("variable", /^(?:export\s+|override\s+)?(?<name>[\w.-]+)\s*(?:::?|[+?!])?=/),
    row(
      "function",
      /^(?!\.PHONY|\.SUFFIXES|\.DEFAULT|\.SECONDARY|\.PRECIOUS)(?<name>[\w./%$(){}@-]+)(?:\s+[^:=#]*)?\s*::?(?![=:])/,
      "indent",
    ),
  ],
  references: [refers("import", /^-?s?include\s+(?<name>\S+)/g), refers("call", /\$\((?:call\s+)(?<name>[\w.-]+)/g)],
  close: /^endef\b/,
  lineComments: ["#"],
  blockComments: false,
};

/** Groovy, also Gradle's and Jenkins' files. */
export const groovy: LineRules = {
  rows: [
    row(
      "class",
      /^\s*(?:(?:public|private|protected|abstract|final|static)\s+)*(?:class|@interface)\s+(?<name>\w+)/,
      "brace",
    ),
    row("interface", /^\s*(?:(?:public|private)\s+)*interface\s+(?<name>\w+)/, "brace"),
    row("trait", /^\s*trait\s+(?<name>\w+)/, "brace"),
    row("enum", /^\s*(?:(?:public|private)\s+)*enum\s+(?<name>\w+)/, "brace"),
    row(
      "function",
      /^\s*(?:(?:public|private|protected|static|final|synchronized)\s+)*(?:def|void|[A-Z][\w.<>, [\]]{0,80}|int|long|boolean|double)\s+(?<name>[a-z_]\w*)\s*\([^)]*\)\s*(?:throws\s+[\w., ]+)?\{/,
      "brace",
    ),
    row("function", /^\s*(?:task|tasks\.register)\s*\(?\s*["']?(?<name>\w+)/, "brace"),
    row("module", /^\s*stage\s*\(\s*["'](?<name>[^"']+)["']\s*\)/, "brace"),
    row("variable", /^def\s+(?<name>\w+)\s*=/),
  ],
  references: [
    refers("import", /^\s*import\s+(?:static\s+)?(?<name>[\w.*]+)/g),
    refers("import", /^\s*apply\s+(?:plugin|from):\s*["'](?<name>[^"']+)/g),
    refers("inherit", /\b(?:extends|implements)\s+(?<name>[\w.]+)/g),
    refers("instantiate", /\bnew\s+(?<name>[\w.]+)\s*\(/g),
    refers("call", /(?<![\w@])(?<name>(?!(?:if|for|while|switch|catch|return|new|def)\b)[a-z_]\w*)\s*\(/g),
  ],
  passages: [{ begins: /"""|'''/g, until: "its mark", is: "text" }],
  lineComments: ["///", "//"],
  blockComments: ["/*", "*/"],
};
