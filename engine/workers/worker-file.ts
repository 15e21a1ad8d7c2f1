import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { EngineError } from "../errors.js";

/** A thread's program is compiled code: beside this file in dist/, or there as seen from the source tree. */
export function compiledFile(name: string): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const places = [path.join(here, name), path.join(here, "../../dist/engine/workers", name)];
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new EngineError("io", `${name} is in none of ${places.join(", ")}: run "npm run build"`);
  return found;
}
