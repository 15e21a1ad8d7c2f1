// Writes docs/languages.md from the language table and from what was measured (docs/languages.json).
//   node scripts/languages.mjs                                   writes the page (needs `npm run build`)
//   node scripts/languages.mjs measure LANGUAGE "OF WHAT" FOLDER...  measures up to 200 files and writes the row
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

setFlagsFromString("--no-wasm-dynamic-tiering");
setFlagsFromString("--no-wasm-tier-up");

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const built = (file) => import(path.join(root, "dist/autoindex", file));
const { EMBEDS, GRAMMAR_PACKS, LANGUAGES, detectLanguage, languageNamed } = await built("languages/index.js");
const dataFile = path.join(root, "docs/languages.json");
const data = JSON.parse(readFileSync(dataFile, "utf8"));

const MAX_FILES = 200;
const MAX_BYTES = 300_000;

function* filesUnder(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== ".git") yield* filesUnder(file);
    else if (entry.isFile() && statSync(file).size < MAX_BYTES && statSync(file).size > 20) yield file;
  }
}

/** The same files each time: ordered by a seeded generator. */
function sample(files) {
  let seed = 7;
  const next = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  return files
    .map((file) => [next(), file])
    .sort((a, b) => a[0] - b[0])
    .slice(0, MAX_FILES)
    .map(([, file]) => file);
}

async function measure(name, of, folders) {
  const language = languageNamed(name);
  const isIts = (file) => {
    const extension = path.extname(file).slice(1).toLowerCase();
    const mayBe = language.extensions.includes(extension) || language.fileNames.includes(path.basename(file));
    const shared = ["h", "m"].includes(extension) && ["cpp", "objc", "matlab"].includes(name);
    return (mayBe || shared) && detectLanguage(file, readFileSync(file, "utf8")).name === name;
  };
  const files = sample(folders.flatMap((folder) => [...filesUnder(folder)]).filter(isIts));
  if (files.length === 0) {
    console.log(`${name}: no files`);
    return;
  }
  data.measured[name] = { of, ...(await (language.grammar ? measureGrammar : measureOutline)(language, files)) };
  data.measured = Object.fromEntries(Object.entries(data.measured).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(dataFile, `${JSON.stringify(data, null, 2)}\n`);
  console.log(name, JSON.stringify(data.measured[name]));
}

async function measureGrammar(language, files) {
  const { loadGrammar } = await built("grammar/load.js");
  const { parseBest } = await built("extract/code.js");
  const { errorWeight } = await built("extract/error-weight.js");
  const loaded = await loadGrammar(language);
  const sums = { files: files.length, bytes: 0, wrongFiles: 0, wrongBytes: 0 };
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const tree = parseBest(loaded, text).tree;
    const weight = tree ? errorWeight(loaded.runtime, tree) : text.length;
    tree?.delete();
    sums.bytes += text.length;
    sums.wrongBytes += Math.min(weight, text.length);
    if (weight > 0) sums.wrongFiles++;
  }
  return sums;
}

async function measureOutline(language, files) {
  const { outlineText } = await built("extract/outline.js");
  const { coveredLines } = await built("extract/windows.js");
  const { Positions } = await built("extract/positions.js");
  const sums = { files: files.length, bytes: 0, emptyFiles: 0, lines: 0, coveredLines: 0 };
  for (const file of files) {
    const positions = new Positions(readFileSync(file, "utf8"));
    const outline = await outlineText({ path: file, language, positions, isMinified: false });
    const named = outline.declarations.filter(({ kind }) => kind !== "window");
    sums.bytes += positions.text.length;
    if (named.length + outline.references.length === 0) sums.emptyFiles++;
    sums.lines += positions.lines;
    sums.coveredLines += coveredLines(positions, named).reduce((sum, line) => sum + line, 0);
  }
  return sums;
}

const percent = (part, whole) => (whole === 0 ? "0" : `${((100 * part) / whole).toFixed(part / whole < 0.01 ? 3 : 1)}`);
const list = (words) => words.map((word) => `\`${word}\``).join(" ");

function versionOf(pack) {
  const { package: name } = GRAMMAR_PACKS[pack];
  return JSON.parse(readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8")).version;
}

const KINDS =
  "class constant constructor enum field function interface macro method module namespace property route section struct test trait type variable".split(
    " ",
  );

function kindsOf({ grammar, outline, name }) {
  if (!grammar && !outline) {
    return name in EMBEDS ? `what ${Object.values(EMBEDS[name].languages).at(0)} gives` : "";
  }
  const query = grammar ? [...grammar.rules.query.matchAll(/@([\w.]+)/g)].map(([, capture]) => capture) : [];
  const found = new Set(grammar ? query : [...outline.rows, ...(outline.lists ?? [])].map(({ kind }) => kind));
  if (outline?.underlined) found.add("section");
  const references = new Set(
    grammar
      ? query.filter((capture) => /^ref\.(?!none)/.test(capture)).map((capture) => capture.slice(4))
      : outline.references.map(({ kind }) => kind),
  );
  const declared = KINDS.filter((kind) => found.has(kind)).join(", ");
  return references.size === 0 ? declared : `${declared}; **refers:** ${[...references].sort().join(", ")}`;
}

function readBy(language) {
  const { grammar, outline, name } = language;
  const inside = name in EMBEDS ? `${grammar || outline ? " + " : ""}embedded grammars` : "";
  if (grammar) return `${GRAMMAR_PACKS[grammar.pack].package} \`${grammar.file}\`${inside}`;
  if (outline) return `line by line${inside}`;
  return inside || (name === "markdown" ? "sections" : "windows");
}

function measuredOf(name) {
  const row = data.measured[name];
  if (!row) return "";
  const size = `${row.files} files, ${(row.bytes / 1e6).toFixed(2)} MB of ${row.of}`;
  if (row.wrongBytes !== undefined) {
    return `${percent(row.wrongFiles, row.files)} % / ${percent(row.wrongBytes, row.bytes)} % (${size})`;
  }
  return `${percent(row.coveredLines, row.lines)} % of lines (${size})`;
}

function page() {
  const rows = LANGUAGES.map((language) => {
    const names = list([...language.extensions.map((extension) => `.${extension}`), ...language.fileNames]);
    const gaps = data.gaps[language.name] ?? "";
    return `| ${language.name} | ${names} | ${readBy(language)} | ${kindsOf(language)} | ${measuredOf(language.name)} | ${gaps} |`;
  });
  const grammars = LANGUAGES.filter(({ grammar }) => grammar).length;
  const outlines = LANGUAGES.filter(({ grammar, outline }) => !grammar && outline).length;
  const packs = Object.keys(GRAMMAR_PACKS).map((pack) => `${GRAMMAR_PACKS[pack].package} ${versionOf(pack)}`);
  return `<!-- Written by scripts/languages.mjs from autoindex/languages and docs/languages.json. -->
# Languages

${LANGUAGES.length} languages are told apart: ${grammars} are read by a grammar (packs: ${packs.join(", ")}), ${outlines} line by line by
patterns, the rest as sections, by the grammars of what they hold, or as windows of lines. Whatever a reader does not take
in is in windows, so that every line with a word in it is found.

A file longer than 2 M characters, or minified, is windows without declarations, and \`pinakes why\` says so. Parsing is
bounded by steps, the same on every machine; what still takes far too much processor time is given up, said, and tried
again at the next run.

A file's language is told by a word for editors in it (\`-*- mode -*-\`, \`vim: ft=\`), its name, its extension (and its content where
several languages share one: \`.m .h .pl .v .ts .cls .inc .r .d .fs .pro\` and more, see \`autoindex/languages/probes.ts\`), its
first line \`#!\`, or how it begins.

Names have letters of every script. A namespace without braces (C#, PHP, F#) holds what follows it; the package of a file of
Java, Kotlin, Scala or Go is no part of its qualified names.

A route is declared where a framework is plainly in use (Express, Koa, Fastify, Hono, NestJS; Flask, FastAPI, aiohttp, Django's
\`urlpatterns\`; Sinatra, Rails; net/http, gin, chi, echo, gorilla; Spring, JAX-RS, Ktor; ASP.NET; Laravel, Slim, Symfony; actix,
rocket, axum). It is named \`GET /users/:id\`, or by the path alone where no one method is said, and found by \`def:/users/:id\`,
\`kind:route\` or its path. A class's path is put before its methods' (Spring, NestJS, ASP.NET, Symfony); prefixes given
elsewhere (a mounted router, a group, Flask's blueprint) are not.

*Measured*, for a grammar: share of files with an error in the tree / share of bytes in errors; for C, C++ and Objective-C after
macros and conditionals that cut through code are overwritten. Line by line: share of lines in declarations. References read
line by line are marked \`heuristic\`.

| language | names | read by | declarations and references | measured on real code | known gaps |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

const [command, name, of, ...folders] = process.argv.slice(2);
if (command === "measure") await measure(name, of, folders);
else writeFileSync(path.join(root, "docs/languages.md"), page());
