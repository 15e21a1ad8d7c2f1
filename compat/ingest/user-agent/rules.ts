/** What is looked for in a User-Agent header. No pattern here can take more than linear time: none repeats a repeat. */

/** The first capture is the name unless one is given; the group `version` is the version. */
export interface Rule {
  readonly pattern: RegExp;
  readonly name?: string;
  /** A version by another name than the header's. */
  readonly version?: (match: RegExpExecArray) => string | undefined;
}

const VERSION = "(?<version>\\d+(?:\\.\\d+){0,3})";

function rule(pattern: string, name?: string): Rule {
  return { pattern: new RegExp(pattern.replace("VERSION", VERSION)), name };
}

/** Programs; those that pretend to be another one come before it. */
export const AGENT_RULES: readonly Rule[] = [
  rule(
    "(Googlebot|bingbot|YandexBot|DuckDuckBot|Baiduspider|AhrefsBot|SemrushBot|Applebot|facebookexternalhit|Twitterbot|Slackbot|LinkedInBot|PetalBot|GPTBot|ClaudeBot)(?:[-A-Za-z]*)/VERSION",
  ),
  rule("(Googlebot|bingbot|YandexBot|Baiduspider|Twitterbot|Slackbot)"),
  rule("(?:Edg|Edge)/VERSION", "Edge"),
  rule("EdgA/VERSION", "Edge Mobile"),
  rule("EdgiOS/VERSION", "Edge Mobile"),
  rule("OPR/VERSION", "Opera"),
  rule("Opera/.*Version/VERSION", "Opera"),
  rule("Opera[ /]VERSION", "Opera"),
  rule("(Vivaldi|YaBrowser|UCBrowser|QQBrowser|Whale|Brave)/VERSION"),
  rule("SamsungBrowser/VERSION", "Samsung Internet"),
  rule("FxiOS/VERSION", "Firefox iOS"),
  rule("CriOS/VERSION", "Chrome Mobile iOS"),
  rule("(?:Mobile|Tablet);.*Firefox/VERSION", "Firefox Mobile"),
  rule("(Firefox|SeaMonkey|PaleMoon|Thunderbird)/VERSION"),
  rule("HeadlessChrome/VERSION", "HeadlessChrome"),
  rule("; wv\\).*Chrome/VERSION", "Chrome Mobile WebView"),
  rule("Chrome/VERSION Mobile", "Chrome Mobile"),
  rule("(Chromium|Chrome)/VERSION"),
  rule("Android .*Version/VERSION.*Safari/", "Android"),
  rule("Version/VERSION.*Mobile.*Safari/", "Mobile Safari"),
  rule("(?:iPhone|iPad|iPod).*Mobile/", "Mobile Safari UI/WKWebView"),
  rule("Version/VERSION.*Safari/", "Safari"),
  rule("MSIE VERSION", "IE"),
  rule("Trident/.*rv:VERSION", "IE"),
  rule(
    "(curl|Wget|okhttp|PostmanRuntime|insomnia|Go-http-client|Java|axios|node-fetch|HTTPie|libwww-perl|Scrapy|Prometheus|kube-probe|ELB-HealthChecker)/VERSION",
  ),
  rule("python-requests/VERSION", "Python Requests"),
  rule("Python-urllib/VERSION", "Python-urllib"),
  rule("aiohttp/VERSION", "Python aiohttp"),
  rule("Apache-HttpClient/VERSION", "Apache-HttpClient"),
];

const WINDOWS: Readonly<Record<string, string>> = {
  "5.0": "2000",
  "5.1": "XP",
  "5.2": "XP",
  "6.0": "Vista",
  "6.1": "7",
  "6.2": "8",
  "6.3": "8.1",
  "10.0": "10",
};

/** Systems. */
export const OS_RULES: readonly Rule[] = [
  { pattern: /Windows NT (\d+\.\d+)/, name: "Windows", version: (match) => WINDOWS[match[1]] ?? match[1] },
  rule("Windows Phone(?: OS)? VERSION", "Windows Phone"),
  rule("Android[ /-]VERSION", "Android"),
  rule("Android", "Android"),
  { pattern: /(?:iPhone|iPad|iPod).*? OS (?<version>\d+(?:_\d+){0,2})/, name: "iOS" },
  { pattern: /Mac OS X (?<version>\d+(?:[._]\d+){0,2})/, name: "Mac OS X" },
  rule("Mac OS X|Macintosh", "Mac OS X"),
  rule("CrOS \\w+ VERSION", "Chrome OS"),
  rule("(Ubuntu|Fedora|Debian|FreeBSD|OpenBSD|NetBSD|SunOS|Red Hat)(?:/VERSION)?"),
  rule("Linux", "Linux"),
];

/** Devices that have a name of their own. */
export const DEVICE_RULES: readonly Rule[] = [
  rule("(iPhone|iPad|iPod)"),
  {
    pattern:
      /Android[^;)]*; (?:[a-z]{2}[-_][a-zA-Z]{2}; )?(?!wv\b|Mobile\b|Tablet\b|K\b)([^;)]+?)(?: Build\/[^;)]*)?[;)]/,
  },
  rule("Android.*Mobile", "Generic Smartphone"),
  rule("Android", "Generic Tablet"),
];
