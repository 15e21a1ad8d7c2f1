// Prints the numbers that the house is held to: lines per file, lines and parameters per function, share of comments,
// documented exports. Hand-written sources only; tests are counted apart. `--limits` exits 1 when a line is crossed.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folders = ["src", "compat", "engine", "autoindex", "mcp", "code", "client", "console", "bench"];

function filesUnder(folder) {
  const found = [];
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...filesUnder(name));
    else if (entry.name.endsWith(".ts")) found.push(name);
  }
  return found;
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Functions by pattern and indentation: a header line, closed by a brace at the header's indentation. */
function functionsOf(lines) {
  const header =
    /^(\s*)(?:export\s+)?(?:async\s+)?(?:function\*?\s*[\w$]*|(?:static |async |private |override |get |set |\*|#)*[\w$]+)\s*(?:<[^>]*>)?\(([^)]*)\)?.*\{\s*$/;
  const found = [];
  for (let i = 0; i < lines.length; i++) {
    const match = header.exec(lines[i]);
    if (!match || /^\s*(if|for|while|switch|catch|else|return|do)\b/.test(lines[i])) continue;
    const close = `${match[1]}}`;
    let end = i + 1;
    while (end < lines.length && !lines[end].startsWith(close)) end++;
    const parameters = match[2].trim() === "" ? 0 : match[2].split(/,(?![^<{[]*[>}\]])/).length;
    found.push({ line: i + 1, length: end - i + 1, parameters });
  }
  return found;
}

const all = folders.flatMap((folder) => {
  try {
    return filesUnder(folder);
  } catch {
    return []; // a room that is not built
  }
});
const tests = all.filter((file) => file.endsWith(".test.ts"));
const sources = all.filter((file) => !file.endsWith(".test.ts") && !file.includes("/testing/"));
const read = (file) => readFileSync(path.join(root, file), "utf8").split("\n");

let comments = 0;
let code = 0;
let exported = 0;
let documented = 0;
const lengths = [];
const functions = [];
for (const file of sources) {
  const lines = read(file);
  lengths.push({ file, lines: lines.length });
  if (!file.endsWith(".as.ts")) functions.push(...functionsOf(lines).map((found) => ({ file, ...found })));
  lines.forEach((line, index) => {
    if (line.trim() === "") return;
    if (/^\s*(\/\/|\/\*|\*)/.test(line)) comments++;
    else code++;
    if (/^export (async )?(function|class|const|interface|type|abstract class)/.test(line)) {
      exported++;
      if (/^\s*(\*\/|\/\/)|\*\/\s*$/.test(lines[index - 1] ?? "")) documented++;
    }
  });
}
const fileLines = lengths.map((entry) => entry.lines).sort((a, b) => a - b);
const functionLines = functions.map((entry) => entry.length).sort((a, b) => a - b);
const testLines = tests.reduce((sum, file) => sum + read(file).length, 0);
const total = fileLines.reduce((sum, lines) => sum + lines, 0);

console.log(`files ${sources.length}, lines ${total}, test lines per source line ${(testLines / total).toFixed(2)}`);
console.log(
  `lines per file: median ${quantile(fileLines, 0.5)}, p90 ${quantile(fileLines, 0.9)}, max ${fileLines.at(-1)}`,
);
console.log(
  `functions ${functions.length}: median ${quantile(functionLines, 0.5)}, p90 ${quantile(functionLines, 0.9)}, max ${functionLines.at(-1)}`,
);
console.log(`functions over 60 lines: ${functions.filter((entry) => entry.length > 60).length}`);
console.log(`functions with 5 or more parameters: ${functions.filter((entry) => entry.parameters >= 5).length}`);
console.log(`comment share ${((100 * comments) / (comments + code)).toFixed(0)} %`);
console.log(`documented exports ${((100 * documented) / exported).toFixed(0)} % of ${exported}`);
for (const entry of lengths.filter((entry) => entry.lines > 500))
  console.log(`  over 500 lines: ${entry.file} ${entry.lines}`);
for (const entry of functions.filter((entry) => entry.length > 60))
  console.log(`  over 60 lines: ${entry.file}:${entry.line} ${entry.length}`);
