/**
 * The patterns that grok expressions name: Logstash's well-known names, their meaning written for a matcher in linear time
 * (no atomic groups, no references). A name stands for the same texts as there.
 */
import { DATE_PATTERNS } from "./date-patterns.js";
import { LOG_PATTERNS } from "./log-patterns.js";
import { NETWORK_PATTERNS } from "./network-patterns.js";

const raw = String.raw;

const BASIC_PATTERNS: Readonly<Record<string, string>> = {
  USERNAME: raw`[a-zA-Z0-9._-]+`,
  USER: raw`%{USERNAME}`,
  EMAILLOCALPART: raw`[a-zA-Z0-9!#$%&'*+\-/=?^_\x60{|}~]+(?:\.[a-zA-Z0-9!#$%&'*+\-/=?^_\x60{|}~]+)*`,
  EMAILADDRESS: raw`%{EMAILLOCALPART}@%{HOSTNAME}`,
  INT: raw`[+-]?[0-9]+`,
  BASE10NUM: raw`(?<![0-9.+-])[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)`,
  NUMBER: raw`%{BASE10NUM}`,
  BASE16NUM: raw`(?<![0-9A-Fa-f])[+-]?(?:0x)?[0-9A-Fa-f]+`,
  BASE16FLOAT: raw`\b(?<![0-9A-Fa-f.])[+-]?(?:0x)?(?:[0-9A-Fa-f]+(?:\.[0-9A-Fa-f]*)?|\.[0-9A-Fa-f]+)\b`,
  POSINT: raw`\b[1-9][0-9]*\b`,
  NONNEGINT: raw`\b[0-9]+\b`,
  WORD: raw`\b\w+\b`,
  NOTSPACE: raw`\S+`,
  SPACE: raw`\s*`,
  DATA: raw`.*?`,
  GREEDYDATA: raw`.*`,
  QUOTEDSTRING: raw`(?<!\\)(?:"[^\\"]*(?:\\.[^\\"]*)*"|'[^\\']*(?:\\.[^\\']*)*'|\x60[^\\\x60]*(?:\\.[^\\\x60]*)*\x60)`,
  QS: raw`%{QUOTEDSTRING}`,
  UUID: raw`[A-Fa-f0-9]{8}-(?:[A-Fa-f0-9]{4}-){3}[A-Fa-f0-9]{12}`,
  PROG: raw`[!-Z\\^-~]+`,
  LOGLEVEL:
    raw`(?:[Aa]lert|ALERT|[Tt]race|TRACE|[Dd]ebug|DEBUG|[Nn]otice|NOTICE|[Ii]nfo(?:rmation)?|INFO(?:RMATION)?|` +
    raw`[Ww]arn(?:ing)?|WARN(?:ING)?|[Ee]rr(?:or)?|ERR(?:OR)?|[Cc]rit(?:ical)?|CRIT(?:ICAL)?|[Ff]atal|FATAL|` +
    raw`[Ss]evere|SEVERE|[Ee]merg(?:ency)?|EMERG(?:ENCY)?)`,
};

/** By name. */
export const GROK_PATTERNS: Readonly<Record<string, string>> = {
  ...BASIC_PATTERNS,
  ...NETWORK_PATTERNS,
  ...DATE_PATTERNS,
  ...LOG_PATTERNS,
};
