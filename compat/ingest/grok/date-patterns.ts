/** Grok's patterns for dates and times. */
const raw = String.raw;

/** Patterns for dates and times, by name. */
export const DATE_PATTERNS: Readonly<Record<string, string>> = {
  MONTH:
    raw`\b(?:[Jj]an(?:uary|uar)?|[Ff]eb(?:ruary|ruar)?|[Mm](?:a|ä)?r(?:ch|z)?|[Aa]pr(?:il)?|[Mm]a(?:y|i)?|[Jj]un(?:e|i)?|` +
    raw`[Jj]ul(?:y|i)?|[Aa]ug(?:ust)?|[Ss]ep(?:tember)?|[Oo](?:c|k)?t(?:ober)?|[Nn]ov(?:ember)?|[Dd]e(?:c|z)(?:ember)?)\b`,
  MONTHNUM: raw`(?:0?[1-9]|1[0-2])`,
  MONTHNUM2: raw`(?:0[1-9]|1[0-2])`,
  MONTHDAY: raw`(?:0[1-9]|[12][0-9]|3[01]|[1-9])`,
  DAY: raw`(?:Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)`,
  YEAR: raw`(?:\d\d){1,2}`,
  HOUR: raw`(?:2[0123]|[01]?[0-9])`,
  MINUTE: raw`[0-5][0-9]`,
  SECOND: raw`(?:[0-5]?[0-9]|60)(?:[:.,][0-9]+)?`,
  TIME: raw`%{HOUR}:%{MINUTE}(?::%{SECOND})(?![0-9])`,
  DATE_US: raw`%{MONTHNUM}[/-]%{MONTHDAY}[/-]%{YEAR}`,
  DATE_EU: raw`%{MONTHDAY}[./-]%{MONTHNUM}[./-]%{YEAR}`,
  ISO8601_TIMEZONE: raw`(?:Z|[+-]%{HOUR}(?::?%{MINUTE}))`,
  ISO8601_SECOND: raw`(?:%{SECOND}|60)`,
  ISO8601_HOUR: raw`(?:2[0123]|[01][0-9])`,
  TIMESTAMP_ISO8601: raw`%{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?%{ISO8601_TIMEZONE}?`,
  DATE: raw`(?:%{DATE_US}|%{DATE_EU})`,
  DATESTAMP: raw`%{DATE}[- ]%{TIME}`,
  TZ: raw`(?:[APMCE][SD]T|UTC)`,
  DATESTAMP_RFC822: raw`%{DAY} %{MONTH} %{MONTHDAY} %{YEAR} %{TIME} %{TZ}`,
  DATESTAMP_RFC2822: raw`%{DAY}, %{MONTHDAY} %{MONTH} %{YEAR} %{TIME} %{ISO8601_TIMEZONE}`,
  DATESTAMP_OTHER: raw`%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{TZ} %{YEAR}`,
  DATESTAMP_EVENTLOG: raw`%{YEAR}%{MONTHNUM2}%{MONTHDAY}%{HOUR}%{MINUTE}%{SECOND}`,
  SYSLOGTIMESTAMP: raw`%{MONTH} +%{MONTHDAY} %{TIME}`,
  HTTPDATE: raw`%{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} %{INT}`,
  HTTPDERROR_DATE: raw`%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{YEAR}`,
  CATALINA_DATESTAMP: raw`%{MONTH} %{MONTHDAY}, 20%{YEAR} %{HOUR}:?%{MINUTE}(?::?%{SECOND}) (?:AM|PM)`,
  TOMCAT_DATESTAMP: raw`20%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:?%{MINUTE}(?::?%{SECOND}) %{ISO8601_TIMEZONE}`,
  REDISTIMESTAMP: raw`%{MONTHDAY} %{MONTH} %{TIME}`,
};
