import { languageNames } from "../../code/index.js";
import { MODES, OPENINGS, PROBED_LENGTH, PROBES, type Probe } from "./probes.js";
import { LANGUAGES, type Language, languageNamed } from "./table.js";

const byExtension = new Map(LANGUAGES.flatMap((language) => language.extensions.map((key) => [key, language])));
const byFileName = new Map(LANGUAGES.flatMap((language) => language.fileNames.map((key) => [key, language])));
const byShebang = new Map(LANGUAGES.flatMap((language) => language.shebangs.map((key) => [key, language])));

/** Lines of a text that may tell an editor its language: the first and the last few. */
const MODELINE_LENGTH = 400;

/**
 * The language of a file: by its own word for editors, then by its name, then by its extension (and by what it holds where
 * several share one), then by its first line or its beginning. A text that none of them tells of is `text`.
 */
export function detectLanguage(path: string, text: string): Language {
  const base = path.slice(path.lastIndexOf("/") + 1);
  const dot = base.lastIndexOf(".");
  const extension = dot < 0 ? "" : base.slice(dot + 1).toLowerCase();
  return (
    modelineLanguage(text) ??
    byFileName.get(base) ??
    probe(Object.hasOwn(PROBES, extension) ? PROBES[extension]! : [], text) ??
    byExtension.get(extension) ??
    byFileName.get(base.split(".")[0]!) ??
    shebangLanguage(text) ??
    (dot > 0 ? undefined : probe(OPENINGS, text)) ??
    languageNamed("text")!
  );
}

/** Whether a file's name is that of a language's files, whatever it holds. */
export function isNamedAsText(path: string): boolean {
  const base = path.slice(path.lastIndexOf("/") + 1);
  const dot = base.lastIndexOf(".");
  return byFileName.has(base) || (dot > 0 && byExtension.has(base.slice(dot + 1).toLowerCase()));
}

function probe(probes: readonly Probe[], text: string): Language | undefined {
  if (probes.length === 0) return undefined;
  const head = text.slice(0, PROBED_LENGTH);
  const found = probes.find(([, pattern]) => pattern.test(head));
  return found && languageNamed(found[0]);
}

function shebangLanguage(text: string): Language | undefined {
  if (!text.startsWith("#!")) return undefined;
  const line = /^#!\s*(\S+)(?:\s+(?:-\S+\s+|\w+=\S+\s+)*(\S+))?/.exec(text.slice(0, 200));
  if (!line) return undefined;
  const program = line[1]!.split("/").at(-1)!;
  const asked = program === "env" ? (line[2] ?? "").split("/").at(-1)! : program;
  return byShebang.get(asked) ?? byShebang.get(asked.replace(/[\d.]+$/, ""));
}

/** `-*- mode: python -*-`, `-*- C++ -*-`, `vim: set ft=sh:` in the first or last lines. */
function modelineLanguage(text: string): Language | undefined {
  const head = text.slice(0, MODELINE_LENGTH);
  const emacs = head.includes("-*-")
    ? /-\*-\s*(?:.{0,200}?\bmode:\s*)?([\w+#-]+)\s*(?:;.{0,200})?-\*-/i.exec(head)
    : null;
  const tail = text.length > MODELINE_LENGTH ? text.slice(-MODELINE_LENGTH) : "";
  const vim = vimMode(head) ?? vimMode(tail);
  return languageOfMode(emacs?.[1] ?? vim);
}

function vimMode(text: string): string | undefined {
  if (!text.includes("vim:") && !text.includes("vi:") && !text.includes("ex:")) return undefined;
  return /(?:^|\s)(?:vim?|ex):.{0,200}?\b(?:ft|filetype|syntax)=([\w+#-]+)/m.exec(text)?.[1];
}

function languageOfMode(mode: string | undefined): Language | undefined {
  if (mode === undefined) return undefined;
  const name = mode.toLowerCase();
  const known = Object.hasOwn(MODES, name) ? MODES[name]! : name;
  for (const candidate of [known, ...languageNames(known)]) {
    const language = languageNamed(candidate);
    if (language) return language;
  }
  return undefined;
}
