import path from "node:path";
import type { ZipParts } from "../archive/zip-parts.js";
import type { Deadline } from "../limits.js";
import { readXml } from "../xml.js";

/** What a part of an Office Open XML document refers to: id -> name of the other part (ECMA-376 part 2, relationships). */
export async function relationsOf(parts: ZipParts, part: string, deadline: Deadline): Promise<Map<string, string>> {
  const folder = path.posix.dirname(part);
  const source = await parts.text(`${folder}/_rels/${path.posix.basename(part)}.rels`);
  const relations = new Map<string, string>();
  if (source === undefined) return relations;
  const listener = {
    open(name: string, { Id, Target, TargetMode }: Record<string, string>) {
      if (name !== "Relationship" || Id === undefined || Target === undefined || TargetMode === "External") return;
      relations.set(Id, Target.startsWith("/") ? Target.slice(1) : path.posix.join(folder, Target));
    },
  };
  readXml(source, listener, deadline);
  return relations;
}
