/**
 * The languages that are told apart, one row each. Adding one is a row here and, when it has a grammar, a file beside
 * that exports its rules. A row without a grammar is read as prose by its sections or as windows of lines.
 */
import { bash } from "./bash.js";
import { c } from "./c.js";
import { cpp } from "./cpp.js";
import { csharp } from "./csharp.js";
import { go } from "./go.js";
import { java } from "./java.js";
import { javascript } from "./javascript.js";
import { kotlin } from "./kotlin.js";
import { lua } from "./lua.js";
import { php } from "./php.js";
import { python } from "./python.js";
import { ruby } from "./ruby.js";
import type { LanguageRules } from "./rules.js";
import { rust } from "./rust.js";
import { scala } from "./scala.js";
import { swift } from "./swift.js";
import { tsx, typescript } from "./typescript.js";

/** The packages that grammars come from. */
export const GRAMMAR_PACKS = {
  base: { package: "tree-sitter-wasms", folder: "out" },
  cursorless: { package: "@cursorless/tree-sitter-wasms", folder: "out" },
  vscode: { package: "@vscode/tree-sitter-wasm", folder: "wasm" },
} as const;

/** A grammar: pack, and the part of the file's name after `tree-sitter-`. */
export interface Grammar {
  pack: keyof typeof GRAMMAR_PACKS;
  file: string;
  rules: LanguageRules;
}

/** One language. */
export interface Language {
  name: string;
  extensions: readonly string[];
  fileNames: readonly string[];
  /** Programs named in a first line `#!`. */
  shebangs: readonly string[];
  grammar: Grammar | undefined;
}

type Row = [name: string, extensions: string, fileNames?: string, shebangs?: string, grammar?: Grammar];

function grammar(pack: Grammar["pack"], file: string, rules: LanguageRules): Grammar {
  return { pack, file, rules };
}

/**
 * Sorted by name; lists are separated by spaces. Packs: the one with the smallest share of errors on real files; where
 * that is equal, the base pack, except that C#, PHP, Python and the ECMAScript family come from the one whose grammars
 * know the present syntax (raw strings, read-only classes, type aliases). The base pack's Lua fails on assigned functions.
 */
const ROWS: Row[] = [
  ["asciidoc", "adoc asciidoc"],
  [
    "bash",
    "sh bash zsh ksh bats",
    ".bashrc .zshrc .profile PKGBUILD",
    "sh bash zsh ksh dash",
    grammar("vscode", "bash", bash),
  ],
  ["batch", "bat cmd"],
  ["c", "c h", "", "", grammar("base", "c", c)],
  ["clojure", "clj cljs cljc edn"],
  ["cmake", "cmake", "CMakeLists.txt"],
  ["cpp", "cc cpp cxx c++ hh hpp hxx h++ ipp inl tcc cu cuh", "", "", grammar("base", "cpp", cpp)],
  ["csharp", "cs csx", "", "", grammar("vscode", "c-sharp", csharp)],
  ["css", "css scss sass less"],
  ["csv", "csv"],
  ["dart", "dart"],
  ["dockerfile", "dockerfile", "Dockerfile Containerfile"],
  ["elixir", "ex exs"],
  ["erlang", "erl hrl"],
  ["fsharp", "fs fsi fsx"],
  ["go", "go", "", "", grammar("base", "go", go)],
  ["graphql", "graphql gql"],
  ["groovy", "groovy gradle", "Jenkinsfile"],
  ["haskell", "hs lhs"],
  ["hcl", "hcl tf tfvars"],
  ["html", "html htm xhtml vue svelte"],
  ["ini", "ini cfg conf", ".editorconfig .gitconfig .npmrc"],
  ["java", "java", "", "", grammar("base", "java", java)],
  ["javascript", "js mjs cjs jsx", "Jakefile", "node deno bun", grammar("vscode", "javascript", javascript)],
  ["json", "json jsonc json5 webmanifest ipynb geojson", ".babelrc .eslintrc .prettierrc"],
  ["jsonl", "jsonl ndjson"],
  ["julia", "jl", "", "julia"],
  ["kotlin", "kt kts", "", "", grammar("base", "kotlin", kotlin)],
  ["latex", "tex sty cls bib"],
  ["lua", "lua", "", "lua luajit", grammar("cursorless", "lua", lua)],
  ["make", "mk mak", "Makefile makefile GNUmakefile"],
  ["markdown", "md markdown mdx mdown", "README CHANGELOG"],
  ["nix", "nix"],
  ["objc", "m mm"],
  ["ocaml", "ml mli"],
  ["org", "org"],
  ["perl", "pl pm t", "", "perl"],
  ["php", "php phtml php3 php4 php5", "", "php", grammar("vscode", "php", php)],
  ["powershell", "ps1 psm1 psd1", "", "pwsh"],
  ["properties", "properties"],
  ["protobuf", "proto"],
  [
    "python",
    "py pyi pyw",
    "SConstruct SConscript wscript",
    "python python2 python3",
    grammar("vscode", "python", python),
  ],
  ["r", "r", "", "Rscript"],
  ["restructuredtext", "rst"],
  ["ruby", "rb rake gemspec ru", "Gemfile Rakefile Vagrantfile Podfile", "ruby", grammar("base", "ruby", ruby)],
  ["rust", "rs", "", "", grammar("vscode", "rust", rust)],
  ["scala", "scala sc sbt", "", "scala", grammar("cursorless", "scala", scala)],
  ["sql", "sql"],
  ["swift", "swift", "", "swift", grammar("base", "swift", swift)],
  ["text", "txt text log", "LICENSE COPYING NOTICE AUTHORS"],
  ["toml", "toml", "Cargo.lock poetry.lock uv.lock"],
  ["tsv", "tsv tab"],
  ["tsx", "tsx", "", "", grammar("vscode", "tsx", tsx)],
  ["typescript", "ts mts cts", "", "ts-node tsx", grammar("vscode", "typescript", typescript)],
  ["xml", "xml xsd xsl xslt svg plist csproj vbproj fsproj props targets"],
  ["yaml", "yaml yml", "pnpm-lock.yaml"],
  ["zig", "zig"],
];

/** The table. */
export const LANGUAGES: readonly Language[] = Object.freeze(
  ROWS.map(([name, extensions, fileNames = "", shebangs = "", grammarOfRow]) => ({
    name,
    extensions: words(extensions),
    fileNames: words(fileNames),
    shebangs: words(shebangs),
    grammar: grammarOfRow,
  })),
);

function words(list: string): string[] {
  return list.split(" ").filter((word) => word !== "");
}

const byName = new Map(LANGUAGES.map((language) => [language.name, language]));
const byExtension = new Map(LANGUAGES.flatMap((language) => language.extensions.map((key) => [key, language])));
const byFileName = new Map(LANGUAGES.flatMap((language) => language.fileNames.map((key) => [key, language])));
const byShebang = new Map(LANGUAGES.flatMap((language) => language.shebangs.map((key) => [key, language])));

/** A language by its name. */
export function languageNamed(name: string): Language | undefined {
  return byName.get(name);
}

/** The language of a file by its name, then its extension, then its first line; prose without any is `text`. */
export function detectLanguage(path: string, text: string): Language {
  const base = path.slice(path.lastIndexOf("/") + 1);
  const dot = base.lastIndexOf(".");
  const extension = dot < 0 ? "" : base.slice(dot + 1).toLowerCase();
  const named = byFileName.get(base) ?? byExtension.get(extension) ?? byFileName.get(base.split(".")[0]!);
  if (named?.name === "c" && extension === "h" && looksLikeCpp(text)) return byName.get("cpp")!;
  return named ?? shebangLanguage(text) ?? byName.get("text")!;
}

function shebangLanguage(text: string): Language | undefined {
  const line = /^#!\s*(\S+)(?:\s+(?:-\S+\s+)*(\S+))?/.exec(text.slice(0, 200));
  if (!line) return undefined;
  const program = line[1]!.split("/").at(-1)!;
  const asked = program === "env" ? (line[2] ?? "") : program;
  return byShebang.get(asked) ?? byShebang.get(asked.replace(/[\d.]+$/, ""));
}

/** A header is C++ when it has what C has not. */
function looksLikeCpp(text: string): boolean {
  return /^\s*(class|namespace|template\s*<|using\s+\w|public:|private:|protected:)|\bstd::|\bconstexpr\b/m.test(text);
}
