/** `user_agent`: which browser or program, on which system and device, by what it says of itself. */
import { textAt } from "../document/ingest-document.js";
import type { ValueObject } from "../document/values.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { readAgent, type UserAgent } from "../user-agent/read-agent.js";

const PROPERTIES = ["NAME", "OS", "DEVICE", "ORIGINAL", "VERSION"] as const;
type Property = (typeof PROPERTIES)[number];

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function userAgent(options: Options): Run {
  const field = options.plainPath("field");
  const target = options.pathOr("target_field", "user_agent");
  const regexFile = options.optionalString("regex_file");
  if (regexFile !== undefined) throw options.error("regex_file", "files of rules are not supported by Pinakes");
  const ignoreMissing = options.boolean("ignore_missing", false);
  options.boolean("ecs", true);
  const deviceType = options.boolean("extract_device_type", false);
  const wanted = (options.optionalStrings("properties") ?? PROPERTIES).map((name) => property(name, options));
  return (document) => {
    if (ignoreMissing && (document.lookUp(field) ?? null) === null) return;
    const text = textAt(document, field);
    const agent = readAgent(text);
    const shown: ValueObject = {};
    for (const name of wanted) Object.assign(shown, SHOW[name](agent, text));
    if (deviceType && wanted.includes("DEVICE")) {
      shown.device = { ...(shown.device as ValueObject), type: agent.deviceType };
    }
    document.set(target(document), shown);
  };
}

function property(name: string, options: Options): Property {
  const word = name.toUpperCase();
  if ((PROPERTIES as readonly string[]).includes(word)) return word as Property;
  throw options.error("properties", `illegal property value [${name}]. valid values are [${PROPERTIES.join(", ")}]`);
}

const SHOW: Readonly<Record<Property, (agent: UserAgent, text: string) => ValueObject>> = {
  NAME: ({ name }) => ({ name }),
  VERSION: ({ version }): ValueObject => (version === undefined ? {} : { version }),
  ORIGINAL: (_, text) => ({ original: text }),
  DEVICE: ({ device }) => ({ device: { name: device } }),
  OS: ({ os, osVersion }): ValueObject => {
    if (os === undefined) return {};
    return {
      os: osVersion === undefined ? { name: os } : { name: os, version: osVersion, full: `${os} ${osVersion}` },
    };
  },
};
