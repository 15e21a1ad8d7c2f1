import { ZipParts } from "../archive/zip-parts.js";
import type { Deadline } from "../limits.js";
import type { Reader } from "../reader.js";
import { readXml } from "../xml.js";
import { relationsOf } from "./relations.js";

const MAIN = "ppt/presentation.xml";
const SLIDE = /^ppt\/slides\/slide(\d+)\.xml$/;

/** Presentations (ECMA-376 part 1, PresentationML): a section a slide, in the order they are shown, with its notes. */
export const readPptx: Reader = async (bytes, out, deadline) => {
  const parts = await ZipParts.open(bytes, deadline);
  if (parts.damage) out.note(`damaged: ${parts.damage}`);
  for (const [index, part] of (await slidesOf(parts, deadline)).entries()) {
    const source = await parts.text(part);
    if (source === undefined) continue;
    const slide = readSlide(source, deadline);
    out.section(1, slide.title === "" ? `slide ${index + 1}` : `slide ${index + 1}: ${slide.title}`);
    for (const line of slide.lines) out.line(line);
    const notes = [...(await relationsOf(parts, part, deadline)).values()].find((name) => name.includes("notesSlide"));
    const notesSource = notes === undefined ? undefined : await parts.text(notes);
    if (notesSource !== undefined) for (const line of readSlide(notesSource, deadline).lines) out.line(line);
  }
};

/** The slides' parts by the presentation's own list; by their numbers where it has none. */
async function slidesOf(parts: ZipParts, deadline: Deadline): Promise<string[]> {
  const source = await parts.text(MAIN);
  const ids: string[] = [];
  const listener = {
    open(name: string, attributes: Record<string, string>) {
      if (name === "p:sldId" && attributes["r:id"] !== undefined) ids.push(attributes["r:id"]);
    },
  };
  if (source !== undefined) readXml(source, listener, deadline);
  const relations = await relationsOf(parts, MAIN, deadline);
  const listed = ids.map((id) => relations.get(id)).filter((part) => part !== undefined && parts.has(part)) as string[];
  const all = parts.names.filter((name) => SLIDE.test(name));
  if (listed.length > 0) return listed;
  return all.sort((a, b) => Number(SLIDE.exec(a)![1]) - Number(SLIDE.exec(b)![1]));
}

function readSlide(source: string, deadline: Deadline): { title: string; lines: string[] } {
  const lines: string[] = [];
  let title = "";
  let line = "";
  let isTitle = false;
  let isText = false;
  const listener = {
    open(name: string, attributes: Record<string, string>) {
      if (name === "p:sp") isTitle = false;
      else if (name === "p:ph") isTitle = attributes.type === "title" || attributes.type === "ctrTitle";
      else if (name === "a:t") isText = true;
      else if (name === "a:br") line += "\n";
    },
    text(words: string) {
      if (isText) line += words;
    },
    close(name: string) {
      if (name === "a:t") isText = false;
      else if (name === "a:tc") line += "\t";
      if (name !== "a:p") return;
      if (line.trim() !== "") lines.push(line);
      if (isTitle && title === "") title = line.trim();
      line = "";
    },
  };
  readXml(source, listener, deadline);
  return { title, lines };
}
