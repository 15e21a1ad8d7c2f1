import { UsageError } from "../command.js";

/** Attributes of the node as `--attr name=value` gives them. Throws UsageError for one without a name. */
export function nodeAttributes(given: readonly string[]): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const one of given) {
    const match = /^([A-Za-z0-9_.-]+)=(.*)$/s.exec(one);
    if (match === null) throw new UsageError(`--attr ${one}: an attribute is written name=value`);
    attributes[match[1]] = match[2];
  }
  return attributes;
}
