import { describe, expect, test } from "vitest";
import { grokPattern } from "./compile.js";
import { GROK_PATTERNS } from "./patterns.js";

const match = (expression: string, text: string) => {
  const found = grokPattern(expression, GROK_PATTERNS).match(text)?.values() ?? null;
  return found === null ? null : Object.fromEntries(found);
};

test.each(Object.keys(GROK_PATTERNS))("%s compiles", (name) => {
  expect(() => grokPattern(`%{${name}}`, GROK_PATTERNS)).not.toThrow();
});

describe("whole texts that a pattern stands for", () => {
  test.each([
    [
      "IPV6",
      ["::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:10.0.0.1", "fe80::1%eth0", "1::", "1:2:3:4:5:6:10.0.0.1"],
      ["1::2::3x", ":1", "g::"],
    ],
    ["IPV4", ["1.2.3.4", "255.255.255.255"], ["256.1.1.1", "1.2.3"]],
    ["HOSTNAME", ["localhost", "a-b.example.com."], ["-a"]],
    ["NUMBER", ["1", "-1.5", ".5", "+7"], ["1.", "x"]],
    ["MAC", ["00:11:22:33:44:55", "00-11-22-33-44-55", "0011.2233.4455"], ["00:11"]],
    ["UUID", ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567"]],
    ["URI", ["http://user:pw@example.com:80/a?b=c", "ftp://h/"], ["http//x"]],
    ["UNIXPATH", ["/var/log/x.log", "/"], ["var"]],
    ["WINPATH", ["C:\\Windows\\x"], ["C"]],
    ["TIMESTAMP_ISO8601", ["2024-05-01T10:11:12.345Z", "2024-05-01 10:11", "2024-05-01T10:11:12+0200"], ["2024"]],
    ["HTTPDATE", ["10/Oct/2000:13:55:36 -0700"], ["10/Oct/2000"]],
    ["SYSLOGTIMESTAMP", ["Oct  1 13:55:36"], ["Oct 13:55"]],
    ["LOGLEVEL", ["INFO", "warning", "Error"], ["NONE"]],
    ["QUOTEDSTRING", ['"a \\" b"', "'x'", '""'], ['"a']],
    ["EMAILADDRESS", ["a.b+c@example.com"], ["@x"]],
    ["DATE", ["01/02/2024", "31.12.2024"], ["1"]],
    ["JAVACLASS", ["org.example.Main$Inner"], ["1a"]],
  ])("%s", (name, texts, others) => {
    const pattern = `^%{${name}:x}$`;
    expect(texts.filter((text) => match(pattern, text)?.x !== text)).toEqual([]);
    expect(others.filter((text) => match(pattern, text) !== null)).toEqual([]);
  });
});

test("a line of Apache's combined log", () => {
  const line =
    '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://example.com/start.html" "Mozilla/4.08"';
  expect(match("%{COMBINEDAPACHELOG}", line)).toEqual({
    clientip: "127.0.0.1",
    ident: "-",
    auth: "frank",
    timestamp: "10/Oct/2000:13:55:36 -0700",
    verb: "GET",
    request: "/apache_pb.gif",
    httpversion: "1.0",
    response: "200",
    bytes: "2326",
    referrer: '"http://example.com/start.html"',
    agent: '"Mozilla/4.08"',
  });
});

test("lines of syslog", () => {
  expect(match("%{SYSLOGLINE}", "Mar  7 04:02:16 avas postfix/smtpd[26]: connect from x")).toEqual({
    timestamp: "Mar  7 04:02:16",
    logsource: "avas",
    program: "postfix/smtpd",
    pid: "26",
    message: "connect from x",
  });
  expect(match("%{SYSLOG5424LINE}", "<191>1 2009-06-30T18:30:00+02:00 host app 4123 - [id] text")).toMatchObject({
    syslog5424_pri: "191",
    syslog5424_host: "host",
    syslog5424_sd: "[id]",
    syslog5424_msg: "text",
  });
});

test("captures of one name count once, with the type they are given", () => {
  expect(match("(?<n:int>\\d+)|(?<n:int>x)", "7")).toEqual({ n: 7 });
  expect(match("%{WORD:a.b}=%{NUMBER:v:double}", "k=2")).toMatchObject({ "a.b": "k" });
  expect(match("%{NUMBER:a:long}%{SPACE}%{WORD:b:boolean}", "1 true")).toEqual({ a: 1, b: true });
  expect(match("%{MY:x=\\d{2}}", "a12")).toEqual({ x: "12" });
});

test("patterns that name each other in a circle are refused", () => {
  const bank = { A: "%{B}", B: "x%{A}" };
  expect(() => grokPattern("%{A}", bank)).toThrow("circular reference in pattern [A]");
  expect(() => grokPattern("%{NOPE}", bank)).toThrow("Unable to find pattern [NOPE] in Grok's pattern dictionary");
});

test("a text that is nearly like a log line, however long, is told in linear time", () => {
  expect(match("%{COMBINEDAPACHELOG}", `127.0.0.1 - ${"a.".repeat(5_000)} [`)).toBeNull();
});
