/** Grok's patterns for addresses, hosts, paths and URIs. */
const raw = String.raw;

const OCTET = raw`(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})`;
const H = "[0-9A-Fa-f]{1,4}";
const DOTTED = raw`(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}`;

/** RFC 4291: so many groups before `::`, the rest behind it. */
function ipv6(): string {
  const forms = [`(?:${H}:){7}(?:${H}|:)`, `(?:${H}:){6}(?::${H}|${DOTTED}|:)`];
  for (let before = 5; before >= 0; before--) {
    const behind = 7 - before;
    const mapped =
      before === 0 ? `(?::${H}){0,5}:${DOTTED}` : before === 5 ? `:${DOTTED}` : `(?::${H}){0,${5 - before}}:${DOTTED}`;
    const start = before === 0 ? ":" : before === 1 ? `${H}:` : `(?:${H}:){${before}}`;
    forms.push(`${start}(?:${mapped}|(?::${H}){1,${behind}}|:)`);
  }
  return `(?:${forms.join("|")})(?:%\\S+)?`;
}

/** Patterns for addresses and their like, by name. */
export const NETWORK_PATTERNS: Readonly<Record<string, string>> = {
  CISCOMAC: raw`(?:[A-Fa-f0-9]{4}\.){2}[A-Fa-f0-9]{4}`,
  WINDOWSMAC: raw`(?:[A-Fa-f0-9]{2}-){5}[A-Fa-f0-9]{2}`,
  COMMONMAC: raw`(?:[A-Fa-f0-9]{2}:){5}[A-Fa-f0-9]{2}`,
  MAC: raw`(?:%{CISCOMAC}|%{WINDOWSMAC}|%{COMMONMAC})`,
  IPV6: ipv6(),
  IPV4: raw`(?<![0-9])${OCTET}(?:\.${OCTET}){3}(?![0-9])`,
  IP: raw`(?:%{IPV6}|%{IPV4})`,
  HOSTNAME: raw`\b[0-9A-Za-z][0-9A-Za-z-]*(?:\.[0-9A-Za-z][0-9A-Za-z-]*)*(?:\.?|\b)`,
  HOST: raw`%{HOSTNAME}`,
  IPORHOST: raw`(?:%{IP}|%{HOSTNAME})`,
  HOSTPORT: raw`%{IPORHOST}:%{POSINT}`,
  PATH: raw`(?:%{UNIXPATH}|%{WINPATH})`,
  UNIXPATH: raw`(?:/[\w_%!$@:.,+~-]*)+`,
  TTY: raw`/dev/(?:pts|tty(?:[pq])?)(?:\w+)?/?[0-9]*`,
  WINPATH: raw`(?:[A-Za-z]+:|\\)(?:\\[^\\?*]*)+`,
  URIPROTO: raw`[A-Za-z](?:[A-Za-z0-9+.-]+)+`,
  URIHOST: raw`%{IPORHOST}(?::%{POSINT:port})?`,
  URIPATH: raw`(?:/[A-Za-z0-9$.+!*'(){},~:;=@#%&_-]*)+`,
  URIPARAM: raw`\?[A-Za-z0-9$.+!*'|(){},~@#%&/=:;_?\-\[\]<>]*`,
  URIPATHPARAM: raw`%{URIPATH}(?:%{URIPARAM})?`,
  URI: raw`%{URIPROTO}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?`,
  URN: raw`urn:[0-9A-Za-z][0-9A-Za-z-]{0,31}:(?:%[0-9a-fA-F]{2}|[0-9A-Za-z()+,.:=@;$_!*'/?#-])+`,
};
