/**
 * Frames of stack traces and places that compilers, tests and grep print: the path, the line and the name of each, as far as
 * it says them. A table of how languages write them; a frame is read the same alone on a line as in a whole trace.
 */

/** One frame. A path is as it is written, `/` separated; undefined is what the frame does not say. */
export interface Frame {
  path: string | undefined;
  line: number | undefined;
  name: string | undefined;
  /** The path as the text has it. */
  written: string | undefined;
}

/** Groups: `path`, `line`, `name`, and `owner` for a dotted name before it, of which a path can be made. */
interface FrameForm {
  pattern: RegExp;
  /** Whether the innermost frame comes last in a trace. */
  innermost: "first" | "last";
  /** `owner.name(File.java:3)` lies below the folders of its package. */
  path?: "below its package";
}

// Repetitions are bounded or cut at what cannot be in them, for a line may be made to cost time.
/** A file with an extension that code has, whatever stands before it. */
const BARE_FILE = String.raw`[^\s"'()<>,:;|]{0,200}\.(?:py|pyi|pyx|[cm]?jsx?|[cm]?tsx?|vue|svelte|java|kts?|scala|groovy|clj|go|rs|rb|erb|rake|c|h|cc|cpp|cxx|hpp|hh|cu|cs|fs|vb|php|swift|mm?|lua|exs?|erl|hrl|hs|mli?|sh|bash|sql|p[lm]|t|r|jl|dart|zig|nim|css|scss|html?|json|ya?ml|toml|cfg|ini|md|txt|proto|cmake)`;
/** The same where nothing else tells where it begins. */
const FILE = String.raw`(?<![^\s"'()<>,:;|@])${BARE_FILE}`;
const DRIVE = String.raw`(?:[A-Za-z]:(?=[\\/]))?`;

/** The first form that fits a place in the text takes it. */
const FORMS: readonly FrameForm[] = [
  // Python, and OCaml: File "a/b.py", line 3, in name
  form(String.raw`\bfile "(?<path>[^"\n]{1,300})", lines? (?<line>\d+)(?:, in (?<name>[\w<>.]+))?`, "last"),
  // Lua: a.lua:3: in function 'name'; Elixir: lib/a.ex:3: M.name/2
  form(
    String.raw`(?<path>${FILE}):(?<line>\d+): in (?:function|method|local) ['<](?:[\w.:]*[.:])?(?<name>\w+)`,
    "first",
  ),
  form(String.raw`(?<path>${FILE}\b):(?<line>\d+): (?:[A-Z:][\w.]*\.)(?<name>\w+[?!]?)\/\d`, "first"),
  // Python of notebooks and pytest: a/b.py:3: in name
  form(String.raw`(?<path>${FILE}):(?<line>\d+): in (?<name>\w+)`, "last"),
  // Java and its kin: at module/a.b.C.name(C.java:3)
  form(
    String.raw`(?:\bat )?(?<owner>(?:[\w$]+\.)*[\w$]+)\.(?<name>[\w$<>-]+)\((?<path>[\w$]+\.(?:java|kt|scala|groovy|clj)):(?<line>\d+)\)`,
    "first",
    "below its package",
  ),
  // C#: at Shop.Cart.Add(Item item) in /src/Cart.cs:line 12
  form(
    String.raw`\bat (?:[\w$]+\.)*(?<name>[\w$]+)(?:\[[^\]\n]{0,80}\]|` +
      "`" +
      String.raw`\d)?\([^()\n]{0,200}\) in (?<path>${DRIVE}${FILE}):line (?<line>\d+)`,
    "first",
  ),
  // JavaScript: at async A.name [as b] (file:3:4)
  form(
    String.raw`\bat (?:async )?(?:new )?(?:[\w$<>.]+\.)?(?<name>[\w$#<>]+) (?:\[as [\w$]+\] )?\((?<path>${DRIVE}[^()\n:]{1,300}):(?<line>\d+)(?::\d+)?\)`,
    "first",
  ),
  // Firefox and Safari: name@file:3:4
  form(String.raw`(?<![\w@])(?<name>[\w$]{1,100})(?:\/<)*@(?<path>${DRIVE}${FILE}):(?<line>\d+):\d+`, "first"),
  // Ruby: a/b.rb:3:in 'C#name', and before Ruby 3.4: in `block in name'
  form(
    String.raw`(?<path>${DRIVE}${FILE}):(?<line>\d+):in [${"`"}'](?:(?:block|rescue|ensure) (?:\(\d+ levels\) )?in )?(?:[\w:]+[#.])?(?<name>[\w?!]+)'`,
    "first",
  ),
  // PHP: #0 a.php(3): C->name(), and in a.php on line 3, which Perl writes too: at a.pl line 3
  form(String.raw`(?<path>${DRIVE}${FILE})\((?<line>\d+)\): (?:[\w\\]+(?:->|::))?(?<name>\w+)\(`, "first"),
  form(String.raw`(?:\b(?:in|at) )(?<path>${DRIVE}${FILE}) (?:on )?line (?<line>\d+)`, "first"),
  // GDB and sanitizers: #1 0x4005d6 in ns::name (x=1) at a.c:3, #1 0x4f in name a.c:3:4
  form(
    String.raw`#\d+ +(?:0x[0-9a-f]+ in )?(?:[\w~]+(?:<[^<>\n]{0,80}>)?(?:::|\.))*(?<name>[\w~]+)(?:\([^\n()]{0,120}\))? ?(?:\([^\n]{0,200}\) )?(?:at )?\(?(?<path>${FILE}):(?<line>\d+)`,
    "first",
  ),
  // Go: pkg.(*Type).name(0xc000, ...), its file on the next line: a.go:3 +0x1d
  form(
    String.raw`\.(?:\(\*?\w+\)\.)?(?<name>\w+)(?:\[\.\.\.\])?\([^\n]{0,200}\)\n[ \t]+(?<path>\S{1,200}\.go):(?<line>\d+)`,
    "first",
  ),
  form(
    String.raw`[\w.-]+\.(?:\(\*?\w+\)\.)?(?<name>\w+)(?:\[\.\.\.\])?\((?:\{?0x[0-9a-f]|\.\.\.|\{0x)[^\n()]{0,200}\)`,
    "first",
  ),
  // Rust: 3: crate::module::name, and below it at ./a/b.rs:3:4
  form(
    String.raw`^[ \t]*\d+:[ \t]+(?:0x\w+ - )?[\w<>:, {}&'#]+::(?<name>\w+)(?:::h[0-9a-f]{16})?[ \t]*\n[ \t]+at (?<path>${DRIVE}${FILE}):(?<line>\d+)`,
    "first",
  ),
  form(String.raw`^[ \t]*\d+:[ \t]+(?:0x\w+ - )?[\w<>:, {}&'#]+::(?<name>\w+)(?:::h[0-9a-f]{16})?$`, "first"),
  // C: program(name+0x3a); the kernel: name+0x3a/0x50
  form(String.raw`\((?<name>\w+)\+0x[0-9a-f]+\)`, "first"),
  form(String.raw`(?<![\w+])(?<name>\w+)(?:\.(?:isra|constprop|part|cold)\.?\d*)*\+0x[0-9a-f]+\/0x[0-9a-f]+`, "first"),
  // A link to lines of a file: .../blob/main/a.c#L3
  form(String.raw`\/(?:blob|src|tree)\/(?:-\/)?[\w.@%-]+\/(?<path>${BARE_FILE})#L?(?<line>\d+)`, "first"),
  // MSBuild, tsc: a.cs(3,4): error; compilers, grep, linters: a.c:3:4
  form(String.raw`(?<path>${DRIVE}${FILE})\((?<line>\d+)(?:,\d+)?\)(?=:)`, "first"),
  form(String.raw`(?<path>${DRIVE}${FILE}):(?<line>\d+)(?!\d|\.\d)`, "first"),
];

function form(source: string, innermost: FrameForm["innermost"], path?: FrameForm["path"]): FrameForm {
  return { pattern: new RegExp(source, "gim"), innermost, path };
}

/** Longest line that is read as a frame; patterns may try each of its places against each other. */
const LONGEST_FRAME = 300;

/** The frames of a text, the innermost first, each place of the text in one frame. */
export function framesOf(whole: string): Frame[] {
  const lines = whole.split("\n").map((line) => withoutOrigins(line).slice(0, LONGEST_FRAME));
  const text = lines.join("\n");
  const taken: [number, number][] = [];
  return FORMS.flatMap((one) => {
    const found = [...text.matchAll(one.pattern)].filter(({ index, 0: { length } }) => {
      const isFree = taken.every(([start, end]) => index >= end || index + length <= start);
      if (isFree) taken.push([index, index + length]);
      return isFree;
    });
    const frames = found.map((match) => frameOf(match.groups ?? {}, one));
    return one.innermost === "last" ? frames.reverse() : frames;
  });
}

/** Where a bundler or a server serves a file from is no part of its path; nor is what asks for a version of it. */
function withoutOrigins(line: string): string {
  return line
    .replace(
      /\b(?:https?|file|webpack(?:-internal)?|vite|rsc|ng|app|capacitor):\/{2,3}(?=[^\s])(?:localhost(?::\d+)?|127\.0\.0\.1(?::\d+)?)?(?:\/@fs)?/g,
      "",
    )
    .replace(/\bpackage:(?=\w+\/)/g, "")
    .replace(/\?[\w=&.%-]{0,80}(?=:\d)/g, "");
}

function frameOf({ path, line, name, owner }: Record<string, string | undefined>, { path: kind }: FrameForm): Frame {
  const slashed = path?.replaceAll("\\", "/");
  return {
    path: kind === "below its package" && slashed !== undefined ? belowPackage(owner ?? "", slashed) : slashed,
    written: path,
    line: line === undefined ? undefined : lineNumber(line),
    name: name === undefined || name.startsWith("<") ? undefined : name,
  };
}

/** `com.acme.Outer$Inner` and `Outer.java`: `com/acme/Outer.java`; a class of another name than its file may be in it too. */
function belowPackage(owner: string, file: string): string {
  const folders = owner.split(".").filter((part) => /^[a-z_][a-z0-9_]*$/.test(part));
  return [...folders, file].join("/");
}

/** What is no line of any file is not asked for. */
function lineNumber(digits: string): number | undefined {
  const line = Number(digits);
  return line >= 1 && line <= 2 ** 31 - 1 ? line : undefined;
}
