import path from "node:path";
import { ZipParts } from "../archive/zip-parts.js";
import { htmlInto } from "../html-into.js";
import { readHtml } from "../html-text.js";
import type { Deadline } from "../limits.js";
import type { Reader } from "../reader.js";
import { readXml } from "../xml.js";

/** Books (EPUB 3): the chapters in the order of the spine, sections by their headings. */
export const readEpub: Reader = async (bytes, out, deadline) => {
  const parts = await ZipParts.open(bytes, deadline);
  if (parts.damage) out.note(`damaged: ${parts.damage}`);
  const { chapters, title } = await spineOf(parts, deadline);
  if (title !== "") out.line(title);
  for (const [index, part] of chapters.entries()) {
    const source = await parts.text(part);
    if (source === undefined) continue;
    out.section(1, `chapter ${index + 1}`);
    readHtml(source, htmlInto(out, 1), deadline);
    out.endLine();
  }
};

async function spineOf(parts: ZipParts, deadline: Deadline): Promise<{ chapters: string[]; title: string }> {
  const root = await packagePath(parts, deadline);
  const files = new Map<string, string>();
  const spine: string[] = [];
  let title = "";
  let isTitle = false;
  const listener = {
    open(name: string, { id, href, idref }: Record<string, string>) {
      const local = name.slice(name.indexOf(":") + 1);
      if (local === "item" && id !== undefined && href !== undefined) files.set(id, href);
      else if (local === "itemref" && idref !== undefined) spine.push(idref);
      isTitle = local === "title" && title === "";
    },
    text(words: string) {
      if (isTitle) title += words;
    },
    close() {
      isTitle = false;
    },
  };
  readXml((await parts.text(root)) ?? "", listener, deadline);
  const hrefs = spine.map((id) => files.get(id)).filter((href) => href !== undefined) as string[];
  return { chapters: hrefs.map((href) => partOf(root, href)), title: title.trim() };
}

function partOf(root: string, href: string): string {
  const plain = href.split("#")[0]!;
  try {
    return path.posix.join(path.posix.dirname(root), decodeURIComponent(plain));
  } catch {
    // A per cent sign that encodes nothing stands for itself.
    return path.posix.join(path.posix.dirname(root), plain);
  }
}

async function packagePath(parts: ZipParts, deadline: Deadline): Promise<string> {
  let found = "";
  const listener = {
    open(name: string, attributes: Record<string, string>) {
      if (name.endsWith("rootfile") && found === "") found = attributes["full-path"] ?? "";
    },
  };
  readXml((await parts.text("META-INF/container.xml")) ?? "", listener, deadline);
  return found || (parts.names.find((name) => name.endsWith(".opf")) ?? "");
}
