/** Packages by the manifests of a repository: `package.json` and `Cargo.toml`. */
export interface KnownPackages {
  /** Packages that the repository holds. */
  own: ReadonlySet<string>;
  /** Packages that it needs, by the names they have in its code. */
  needed: ReadonlySet<string>;
}

/** A repository without manifests. */
export const NO_PACKAGES: KnownPackages = { own: new Set(), needed: new Set() };

/** The manifest that names packages as a language's code does; undefined for languages that are told by other means. */
export function manifestOf(language: string): string | undefined {
  if (language === "rust") return "Cargo.toml";
  return ECMASCRIPT.has(language) ? "package.json" : undefined;
}

const ECMASCRIPT: ReadonlySet<string> = new Set(["javascript", "typescript", "tsx", "vue", "svelte", "html"]);

/** What all manifests of one kind in a repository say; one that cannot be read says nothing. */
export function knownPackages(texts: readonly string[], manifest: string): KnownPackages {
  const own = new Set<string>();
  const needed = new Set<string>();
  const read = manifest === "Cargo.toml" ? readCargo : readNpm;
  for (const text of texts) read(text, { own, needed });
  return { own, needed };
}

interface Names {
  own: Set<string>;
  needed: Set<string>;
}

const NEEDS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;

function readNpm(text: string, { own, needed }: Names): void {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return;
  }
  if (typeof manifest !== "object" || manifest === null) return;
  const members = new Map<string, unknown>(Object.entries(manifest));
  const name = members.get("name");
  if (typeof name === "string") own.add(name);
  for (const section of NEEDS) {
    for (const [package_, version] of Object.entries(members.get(section) ?? {})) {
      if (typeof version === "string" && !/^(?:workspace|file|link|portal):/.test(version)) needed.add(package_);
    }
  }
}

const SECTION = /^\s*\[+\s*([^\]]+?)\s*\]+/;
const KEY = /^\s*"?([\w-]+)"?(?:\.[\w-]+)?\s*=(.*)$/;
const DEPENDENCIES = /(?:^|\.)(?:dev-|build-)?dependencies$/;
const ONE_DEPENDENCY = /(?:^|\.)(?:dev-|build-)?dependencies\.([\w-]+)$/;

/** Line by line: what a table of dependencies needs is one name a line, or a table of its own. */
function readCargo(text: string, { own, needed }: Names): void {
  const named = (name: string) => name.replaceAll("-", "_");
  let section = "";
  for (const line of text.split("\n")) {
    const opened = SECTION.exec(line)?.[1];
    if (opened !== undefined) {
      section = opened;
      const single = ONE_DEPENDENCY.exec(section)?.[1];
      if (single !== undefined) needed.add(named(single));
      continue;
    }
    const [, key, value = ""] = KEY.exec(line) ?? [];
    if (key === undefined) continue;
    if (DEPENDENCIES.test(section)) {
      // What lies in a folder is of the repository, whatever it is called there.
      if (/\bpath\s*=/.test(value)) own.add(named(key));
      else needed.add(named(key));
    } else if (key === "name" && (section === "package" || section === "lib")) {
      own.add(named(value.trim().replace(/^["']|["'].*$/g, "")));
    } else if (key === "path" && ONE_DEPENDENCY.test(section)) own.add(named(ONE_DEPENDENCY.exec(section)![1]!));
  }
}
