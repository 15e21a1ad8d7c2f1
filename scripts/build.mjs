// Builds everything that `npm install` promises: TypeScript projects into dist/, the AssemblyScript kernels into one
// .wasm beside them, and the folders that a command or a node loads into few files each. Runs as npm's `prepare`, so a fresh clone and a packed tarball both carry what they need.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const kernels = path.join(root, "engine/kernels");
const wasm = path.join(root, "dist/engine/kernels/kernels.wasm");

function run(script, args) {
  execFileSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
}

function newestKernelSource() {
  const sources = readdirSync(kernels).filter((name) => name.endsWith(".as.ts"));
  return Math.max(...sources.map((name) => statSync(path.join(kernels, name)).mtimeMs));
}

export function buildKernels() {
  if (existsSync(wasm) && statSync(wasm).mtimeMs > newestKernelSource()) return;
  mkdirSync(path.dirname(wasm), { recursive: true });
  const fresh = wasm.replace(".wasm", `.${process.pid}.wasm`);
  const asc = path.join(path.dirname(require.resolve("assemblyscript/package.json")), "bin/asc.js");
  const features = ["simd", "bulk-memory", "sign-extension", "nontrapping-f2i", "threads"];
  run(asc, [
    "engine/kernels/index.as.ts",
    "-O3",
    "--noAssert",
    "--runtime",
    "stub",
    ...features.flatMap((feature) => ["--enable", feature]),
    "--importMemory",
    "--sharedMemory",
    "--memoryBase",
    "4096", // KERNEL_MEMORY_BASE in engine/kernels/memory.ts
    "--initialMemory",
    "1",
    "--maximumMemory",
    "65536",
    "-o",
    path.relative(root, fresh),
  ]);
  // Renamed when it is whole: another process may be loading the old one right now.
  renameSync(fresh, wasm);
}

function buildTypeScript() {
  const tsc = path.join(path.dirname(require.resolve("typescript/package.json")), "bin/tsc");
  run(tsc, ["-b"]);
}

/** Where every command and every extractor begins: loading a module costs it half a millisecond, whatever is in it. */
const BUNDLED = ["client/index", "code/index", "mcp/index", "src/main", "autoindex/process/worker"];

/** What a node and each of its threads load, with the modules that are programs of threads. */
const WHOLE = { engine: ["workers/worker", "vectors/graph-worker"], compat: [] };

/** Joins the modules of a folder behind the one that others import; what is loaded at need stays apart. */
function bundle(entry) {
  const folder = path.dirname(entry);
  return join(folder, { input: { [path.basename(entry)]: path.join(root, `${entry}.ts`) } });
}

/**
 * Joins all modules of a folder. Each that was becomes a face of what they are joined to: whoever begins at one of them
 * (a benchmark, what is there for tests, a thread's program) has the same classes as all others.
 */
function bundleWhole(folder, programs) {
  const modules = modulesBelow(path.join(root, folder));
  const input = Object.fromEntries(modules.map((name) => [name, path.join(root, folder, `${name}.ts`)]));
  const joint = new Set(modules.filter((name) => !programs.includes(name)).map((name) => input[name]));
  const groups = [{ name: "all", test: (id) => joint.has(id) }];
  return join(folder, { input, codeSplitting: { groups } });
}

/** Modules of a folder that are no tests and not there for tests; AssemblyScript is none of the compiler's. */
function modulesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".ts") && !/\.(test|as|d)\.ts$|\btesting\b/.test(name))
    .map((name) => name.slice(0, -".ts".length).replaceAll(path.sep, "/"))
    .sort();
}

/**
 * Made from the sources, for the files that it replaces are the compiler's, which has to forget that it is up to date:
 * `tsc -b` alone then writes all files of the folder again, and nothing runs code of yesterday.
 */
async function join(folder, { input, codeSplitting }) {
  const [project] = folder.split("/");
  const own = path.join(root, project);
  const isElsewhere = (id, importer) => {
    if (importer === undefined || path.isAbsolute(id)) return false;
    return !id.startsWith(".") || !path.resolve(path.dirname(importer), id).startsWith(own + path.sep);
  };
  const build = await rolldown({ input, platform: "node", external: isElsewhere });
  const dir = path.join(root, "dist", folder);
  const { output } = await build.write({
    dir,
    entryFileNames: "[name].js",
    chunkFileNames: "bundled-[name].js",
    codeSplitting,
    sourcemap: true,
  });
  await build.close();
  rmSync(path.join(root, "dist", project, ".tsbuildinfo"), { force: true });
  const made = new Set(output.map(({ fileName }) => fileName));
  const isLeftOver = (name) => name.startsWith("bundled-") && !made.has(name);
  for (const name of readdirSync(dir).filter(isLeftOver)) rmSync(path.join(dir, name));
}

/** Compiles the queries of grammars, see autoindex/grammar/compiled-queries.ts. */
async function keepQueries() {
  const made = await import(new URL("../dist/autoindex/grammar/keep-queries.js", import.meta.url));
  await made.keepQueries();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildTypeScript();
  buildKernels();
  for (const entry of BUNDLED) await bundle(entry);
  for (const [folder, programs] of Object.entries(WHOLE)) await bundleWhole(folder, programs);
  await keepQueries();
}
