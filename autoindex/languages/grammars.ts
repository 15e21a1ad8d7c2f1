/**
 * The grammar of each language that has one, sorted. Packs: the one with the smallest share of errors on real files
 * (docs/languages.md); where that is equal, the base pack, except that C#, PHP, Python and the ECMAScript family come from
 * the one whose grammars know the present syntax (raw strings, read-only classes, type aliases).
 */
import { bash } from "./bash.js";
import { c } from "./c.js";
import { clojure } from "./clojure.js";
import { cpp } from "./cpp.js";
import { csharp } from "./csharp.js";
import { css } from "./css.js";
import { dart } from "./dart.js";
import { json, properties, toml, xml, yaml } from "./data.js";
import { elisp } from "./elisp.js";
import { elixir } from "./elixir.js";
import { elm } from "./elm.js";
import { gdscript } from "./gdscript.js";
import { go } from "./go.js";
import { type Grammar, grammar } from "./grammar-packs.js";
import { haskell } from "./haskell.js";
import { hcl } from "./hcl.js";
import { html, vue } from "./html.js";
import { java } from "./java.js";
import { javascript } from "./javascript.js";
import { kotlin } from "./kotlin.js";
import { lua } from "./lua.js";
import { nix } from "./nix.js";
import { objc } from "./objc.js";
import { ocaml } from "./ocaml.js";
import { php } from "./php.js";
import { powershell } from "./powershell.js";
import { python } from "./python.js";
import { r } from "./r.js";
import { rescript } from "./rescript.js";
import { ruby } from "./ruby.js";
import { rust } from "./rust.js";
import { scala } from "./scala.js";
import { solidity } from "./solidity.js";
import { swift } from "./swift.js";
import { systemrdl } from "./systemrdl.js";
import { tlaplus } from "./tlaplus.js";
import { tsx, typescript } from "./typescript.js";
import { zig } from "./zig.js";

/** By the language's name. */
export const GRAMMARS: Readonly<Record<string, Grammar>> = {
  bash: grammar("vscode", "bash", bash),
  c: grammar("base", "c", c),
  clojure: grammar("cursorless", "clojure", clojure),
  cpp: grammar("base", "cpp", cpp),
  csharp: grammar("vscode", "c-sharp", csharp),
  css: grammar("base", "css", css),
  dart: grammar("base", "dart", dart),
  elisp: grammar("base", "elisp", elisp),
  elixir: grammar("cursorless", "elixir", elixir),
  elm: grammar("cursorless", "elm", elm),
  gdscript: grammar("cursorless", "gdscript", gdscript),
  go: grammar("base", "go", go),
  haskell: grammar("cursorless", "haskell", haskell),
  hcl: grammar("cursorless", "hcl", hcl),
  html: grammar("base", "html", html),
  java: grammar("base", "java", java),
  javascript: grammar("vscode", "javascript", javascript),
  json: grammar("base", "json", json),
  kotlin: grammar("base", "kotlin", kotlin),
  lua: grammar("cursorless", "lua", lua),
  nix: grammar("cursorless", "nix", nix),
  objc: grammar("base", "objc", objc),
  ocaml: grammar("base", "ocaml", ocaml),
  php: grammar("vscode", "php", php),
  powershell: grammar("vscode", "powershell", powershell),
  properties: grammar("cursorless", "properties", properties),
  python: grammar("vscode", "python", python),
  r: grammar("cursorless", "r", r),
  rescript: grammar("base", "rescript", rescript),
  ruby: grammar("base", "ruby", ruby),
  rust: grammar("vscode", "rust", rust),
  scala: grammar("cursorless", "scala", scala),
  solidity: grammar("base", "solidity", solidity),
  swift: grammar("base", "swift", swift),
  systemrdl: grammar("base", "systemrdl", systemrdl),
  tlaplus: grammar("base", "tlaplus", tlaplus),
  toml: grammar("base", "toml", toml),
  tsx: grammar("vscode", "tsx", tsx),
  typescript: grammar("vscode", "typescript", typescript),
  vue: grammar("base", "vue", vue),
  xml: grammar("cursorless", "xml", xml),
  yaml: grammar("cursorless", "yaml", yaml),
  zig: grammar("cursorless", "zig", zig),
};
