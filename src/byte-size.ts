import { parseBytes } from "../engine/index.js";
import { type Invocation, text, UsageError } from "./command.js";

/** A size such as `512m` in bytes, or a UsageError that names where it came from. */
export function byteSize(call: Invocation, name: string, environment?: string): number | undefined {
  const given = text(call, name);
  const value = given ?? environment;
  if (value === undefined || value === "") return undefined;
  const bytes = parseBytes(value);
  if (bytes !== undefined && bytes > 0) return bytes;
  const source = given === undefined ? `PINAKES_${name.toUpperCase()}` : `--${name}`;
  throw new UsageError(`${source} takes a size such as 512m or 2g, not "${value}"`);
}
