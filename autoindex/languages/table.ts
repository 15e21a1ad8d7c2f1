/**
 * The languages that are told apart, one row each, sorted by name. What is read of one is in `GRAMMARS` (by a grammar), in
 * `OUTLINES` (line by line), in `EMBEDS` (texts of other languages inside); a language in none of them is prose with
 * sections or is cut into windows.
 */

import type { Grammar } from "./grammar-packs.js";
import { GRAMMARS } from "./grammars.js";
import type { LineRules } from "./line-rules.js";
import { OUTLINES } from "./outlines/index.js";

/** One language. */
export interface Language {
  name: string;
  extensions: readonly string[];
  fileNames: readonly string[];
  /** Programs named in a first line `#!`. */
  shebangs: readonly string[];
  grammar: Grammar | undefined;
  /** How it is read line by line where there is no grammar. */
  outline: LineRules | undefined;
}

type Row = [name: string, extensions: string, fileNames?: string, shebangs?: string];

/** Lists are separated by spaces. Extensions that several languages share are with the one that is meant by default: see probes.ts. */
const ROWS: Row[] = [
  ["ada", "adb ads ada"],
  ["apex", "apex trigger"],
  ["asciidoc", "adoc asciidoc asc"],
  ["assembly", "s asm nasm"],
  ["awk", "awk gawk", "", "awk gawk mawk"],
  [
    "bash",
    "sh bash zsh ksh bats ebuild",
    ".bashrc .zshrc .profile .bash_profile .bash_aliases .zshenv PKGBUILD APKBUILD",
    "sh bash zsh ksh dash ash bats",
  ],
  ["batch", "bat cmd"],
  ["c", "c h idc"],
  ["clojure", "clj cljs cljc edn bb", "", "clojure bb"],
  ["cmake", "cmake", "CMakeLists.txt"],
  ["cobol", "cob cbl cpy cobol"],
  ["coq", "coq"],
  ["cpp", "cc cpp cxx c++ hh hpp hxx h++ ipp inl tcc tpp cu cuh ino"],
  ["csharp", "cs csx cake"],
  ["css", "css"],
  ["csv", "csv"],
  ["d", "d di"],
  ["dart", "dart", "", "dart"],
  ["diff", "diff patch rej"],
  ["dockerfile", "dockerfile", "Dockerfile Containerfile"],
  ["eex", "eex leex heex"],
  ["elisp", "el", ".emacs Cask", "emacs"],
  ["elixir", "ex exs", "mix.lock", "elixir"],
  ["elm", "elm"],
  ["erb", "erb rhtml"],
  ["erlang", "erl hrl escript xrl yrl", "rebar.config rebar.lock", "escript"],
  ["fish", "fish", "", "fish"],
  ["forth", "fth 4th"],
  ["fortran", "f f77 f90 f95 f03 f08 for ftn fpp"],
  ["fsharp", "fs fsi fsx"],
  ["gdscript", "gd"],
  ["gleam", "gleam"],
  ["glsl", "glsl vert frag geom tesc tese comp hlsl wgsl"],
  ["go", "go"],
  ["gomod", "", "go.mod go.sum go.work"],
  ["graphql", "graphql gql graphqls"],
  ["groovy", "groovy gradle gvy", "Jenkinsfile", "groovy"],
  ["haskell", "hs lhs hsc hs-boot", "", "runhaskell runghc"],
  ["hcl", "hcl tf tfvars nomad"],
  ["html", "html htm xhtml hbs mustache"],
  [
    "ini",
    "ini cfg conf desktop service socket timer reg",
    ".editorconfig .gitconfig .gitmodules .npmrc .flake8 .pylintrc .coveragerc",
  ],
  ["java", "java"],
  ["javascript", "js mjs cjs jsx es6", "Jakefile", "node deno bun"],
  [
    "json",
    "json jsonc json5 webmanifest ipynb geojson avsc code-workspace sarif",
    ".babelrc .eslintrc .prettierrc .swcrc composer.lock Pipfile.lock flake.lock",
  ],
  ["jsonl", "jsonl ndjson"],
  ["julia", "jl", "", "julia"],
  ["kotlin", "kt kts"],
  ["latex", "tex sty cls bib ltx dtx"],
  ["lisp", "lisp lsp cl asd", "", "sbcl clisp"],
  ["lua", "lua rockspec luau", "", "lua luajit"],
  ["make", "mk mak make", "Makefile makefile GNUmakefile Kbuild BSDmakefile", "make"],
  ["markdown", "md markdown mdx mdown rmd qmd", "README CHANGELOG"],
  ["matlab", "matlab"],
  ["mercury", "moo"],
  ["nix", "nix"],
  ["objc", "m mm"],
  ["ocaml", "ml", "", "ocaml"],
  ["ocaml-interface", "mli"],
  ["org", "org"],
  ["pascal", "pas dpr lpr dpk"],
  ["perl", "pl pm t psgi pod", "cpanfile Makefile.PL", "perl"],
  ["php", "php phtml php3 php4 php5 inc", "", "php"],
  ["powershell", "ps1 psm1 psd1", "", "pwsh powershell"],
  ["prolog", "pro plt prolog", "", "swipl"],
  ["properties", "properties"],
  ["protobuf", "proto"],
  ["puppet", "pp", "Puppetfile"],
  [
    "python",
    "py pyi pyw pyx bzl",
    "SConstruct SConscript wscript BUILD WORKSPACE BUILD.bazel Snakefile",
    "python python2 python3 pypy",
  ],
  ["r", "r", ".Rprofile", "Rscript"],
  ["rebol", "reb"],
  ["rescript", "res resi"],
  ["restructuredtext", "rst rest"],
  [
    "ruby",
    "rb rake gemspec ru podspec jbuilder rbi",
    "Gemfile Rakefile Vagrantfile Podfile Brewfile Guardfile Capfile Fastfile Dangerfile",
    "ruby jruby",
  ],
  ["rust", "rs"],
  ["scala", "scala sc sbt", "", "scala"],
  ["scheme", "scm ss rkt sld sps", "", "racket guile scheme"],
  ["scss", "scss sass less"],
  ["smalltalk", "st"],
  ["solidity", "sol"],
  ["sparql", "rq sparql"],
  ["sql", "sql ddl psql plsql"],
  ["svelte", "svelte"],
  ["swift", "swift", "", "swift"],
  ["systemrdl", "rdl"],
  ["tcl", "tcl tk", "", "tclsh wish expect"],
  ["text", "txt text log", "LICENSE COPYING NOTICE AUTHORS"],
  ["thrift", "thrift"],
  ["tlaplus", "tla"],
  ["toml", "toml", "Cargo.lock poetry.lock uv.lock Pipfile"],
  ["tsv", "tsv tab"],
  ["tsx", "tsx"],
  ["typescript", "ts mts cts", "", "ts-node tsx"],
  ["verilog", "v vh sv svh"],
  ["vhdl", "vhd vhdl"],
  ["vim", "vim vimrc", ".vimrc .gvimrc _vimrc"],
  ["visual-basic", "vb bas frm vbs"],
  ["vlang", "vsh"],
  ["vue", "vue"],
  ["xml", "xml xsd xsl xslt svg plist csproj vbproj fsproj props targets wsdl xaml resx pom nuspec ui qrc"],
  ["yaml", "yaml yml", "pnpm-lock.yaml .clang-format .clang-tidy"],
  ["zig", "zig zon"],
];

/** The table. */
export const LANGUAGES: readonly Language[] = Object.freeze(
  ROWS.map(([name, extensions, fileNames = "", shebangs = ""]) => ({
    name,
    extensions: words(extensions),
    fileNames: words(fileNames),
    shebangs: words(shebangs),
    grammar: GRAMMARS[name],
    outline: OUTLINES[name],
  })),
);

function words(list: string): string[] {
  return list.split(" ").filter((word) => word !== "");
}

const byName = new Map(LANGUAGES.map((language) => [language.name, language]));

/** A language by its name. */
export function languageNamed(name: string): Language | undefined {
  return byName.get(name);
}
