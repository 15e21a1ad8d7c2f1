/**
 * What a User-Agent header says: rules of our own for what is common, the first that fits counts. A program that no rule
 * knows is called `Other`, as in Elasticsearch; its list of rules is longer, so rare ones are told apart there.
 */
import { AGENT_RULES, DEVICE_RULES, OS_RULES, type Rule } from "./rules.js";

/** A header taken apart. */
export interface UserAgent {
  readonly name: string;
  readonly version: string | undefined;
  readonly os: string | undefined;
  readonly osVersion: string | undefined;
  readonly device: string;
  readonly deviceType: "Desktop" | "Phone" | "Tablet" | "Robot" | "Other";
}

/** Longer headers are cut: what matters stands at the beginning. */
const MAX_CHARACTERS = 2_000;

interface Found {
  readonly name: string;
  readonly version: string | undefined;
}

/** Reads a header. */
export function readAgent(header: string): UserAgent {
  const text = header.slice(0, MAX_CHARACTERS);
  const agent = first(AGENT_RULES, text) ?? { name: "Other", version: undefined };
  const os = first(OS_RULES, text);
  const robot = /bot\b|bot[/;]|crawler|spider|slurp/i.test(text);
  const device = robot ? "Spider" : (first(DEVICE_RULES, text)?.name ?? deviceOf(os?.name));
  return {
    name: agent.name,
    version: agent.version,
    os: os?.name,
    osVersion: os?.version,
    device,
    deviceType: robot ? "Robot" : typeOf(text, os?.name),
  };
}

function first(rules: readonly Rule[], text: string): Found | undefined {
  for (const { pattern, name, version } of rules) {
    const match = pattern.exec(text);
    if (match === null) continue;
    return { name: name ?? match[1], version: version?.(match) ?? match.groups?.version?.replaceAll("_", ".") };
  }
  return undefined;
}

function deviceOf(os: string | undefined): string {
  return os === "Mac OS X" ? "Mac" : "Other";
}

function typeOf(text: string, os: string | undefined): UserAgent["deviceType"] {
  if (/iPad|Tablet/.test(text) || (os === "Android" && !/Mobile/.test(text))) return "Tablet";
  if (/iPhone|iPod|Mobile/.test(text)) return "Phone";
  return os === undefined ? "Other" : "Desktop";
}
