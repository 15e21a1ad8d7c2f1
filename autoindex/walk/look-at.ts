import { lstatSync, type Stats, statSync } from "node:fs";
import { diskPath } from "./disk-path.js";

/**
 * What lies at a path, a link itself or what it leads to; nothing when there is nothing or when the system refuses to
 * say (a path that is too long, a folder that may not be entered, links in a circle): one path never ends a walk.
 */
export function lookAt(file: string, links: "follow" | "show"): Stats | undefined {
  try {
    return (links === "follow" ? statSync : lstatSync)(diskPath(file), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
