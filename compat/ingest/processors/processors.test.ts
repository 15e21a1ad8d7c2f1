import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json/value.js";
import { compilePipeline } from "../compile.js";
import { IngestDocument } from "../document/ingest-document.js";
import { parseValue, printValue, type ValueObject } from "../document/values.js";
import { newRun, ProcessorFailure, runPipeline } from "../run.js";
import { NOT_BUILT_PROCESSORS, PROCESSORS } from "./table.js";

const NOW = Date.parse("2024-05-01T10:00:00Z");

/** Runs one processor over a document; gives the document as JSON, or the words of its failure. */
function run(processor: JsonObject, source: string): string {
  const pipeline = compilePipeline("p", { processors: [processor] }, () => NOW);
  const document = new IngestDocument(parseValue(source) as ValueObject, { _index: "i" }, "2024-05-01T10:00:00.000Z");
  try {
    const outcome = runPipeline(
      pipeline,
      document,
      newRun(() => undefined),
    );
    return outcome === "drop" ? "dropped" : printValue(document.source);
  } catch (error) {
    if (error instanceof ProcessorFailure) return error.message;
    throw error;
  }
}

type Case = readonly [options: JsonObject, source: string, expected: string];

const CASES: Readonly<Record<string, readonly Case[]>> = {
  append: [
    [{ field: "t", value: ["b", "{{x}}"] }, '{"t":["a"],"x":"c"}', '{"t":["a","b","c"],"x":"c"}'],
    [{ field: "t", value: 1 }, '{"t":null}', '{"t":[null,1]}'],
    [{ field: "t", value: "a", allow_duplicates: false }, '{"t":"a"}', '{"t":"a"}'],
  ],
  bytes: [
    [{ field: "s" }, '{"s":"1.5kb"}', '{"s":1536}'],
    [{ field: "s", target_field: "n" }, '{"s":"2MB"}', '{"s":"2MB","n":2097152}'],
    [
      { field: "s" },
      '{"s":"x"}',
      "failed to parse setting [Ingest Field] with value [x] as a size in bytes: unit is missing or unrecognized",
    ],
  ],
  community_id: [
    [
      {},
      '{"source":{"ip":"128.232.110.120","port":34855},"destination":{"ip":"66.35.250.204","port":80},"network":{"transport":"TCP"}}',
      '{"source":{"ip":"128.232.110.120","port":34855},"destination":{"ip":"66.35.250.204","port":80},"network":{"transport":"TCP","community_id":"1:LQU9qZlK+B5F3KDmev6m5PMibrg="}}',
    ],
    [{}, '{"a":1}', '{"a":1}'],
    [{ ignore_missing: false }, '{"a":1}', "unable to construct flow from document"],
  ],
  convert: [
    [{ field: "a", type: "integer" }, '{"a":"0x1F"}', '{"a":31}'],
    [{ field: "a", type: "integer" }, '{"a":["1","2"]}', '{"a":[1,2]}'],
    [{ field: "a", type: "long" }, '{"a":"12345678901234567"}', '{"a":12345678901234567}'],
    [{ field: "a", type: "integer" }, '{"a":"99999999999"}', "unable to convert [99999999999] to integer"],
    [{ field: "a", type: "double" }, '{"a":"1"}', '{"a":1.0}'],
    [{ field: "a", type: "float" }, '{"a":"1.1"}', '{"a":1.1}'],
    [{ field: "a", type: "boolean" }, '{"a":"TRUE"}', '{"a":true}'],
    [{ field: "a", type: "boolean" }, '{"a":"yes"}', "[yes] is not a boolean value, cannot convert to boolean"],
    [{ field: "a", type: "string" }, '{"a":1.0}', '{"a":"1.0"}'],
    [{ field: "a", type: "auto" }, '{"a":["7","7.5","true","x"]}', '{"a":[7,7.5,true,"x"]}'],
    [{ field: "a", type: "ip" }, '{"a":"::1"}', '{"a":"::1"}'],
    [{ field: "a", type: "ip" }, '{"a":"1.2.3"}', "'1.2.3' is not an IP string literal."],
    [{ field: "a", type: "long" }, '{"a":null}', "Field [a] is null, cannot be converted to type [long]"],
    [{ field: "a", type: "long", ignore_missing: true }, "{}", "{}"],
  ],
  csv: [
    // A tab or a space that separates is not white space to be trimmed: empty cells stay, as OpenSearch 2.19 has it.
    [
      { field: "l", separator: "\t", trim: true, target_fields: ["a", "b", "c"] },
      '{"l":"x\\t\\ty"}',
      '{"l":"x\\t\\ty","a":"x","c":"y"}',
    ],
    [
      { field: "l", separator: "\t", trim: true, target_fields: ["a", "b", "c"] },
      '{"l":" \\"x\\" \\t\\t \\"q\\"\\t"}',
      '{"l":" \\"x\\" \\t\\t \\"q\\"\\t","a":"x","c":"q"}',
    ],
    [
      { field: "l", separator: " ", trim: true, target_fields: ["a", "b", "c", "d"] },
      '{"l":"  x \\t y "}',
      '{"l":"  x \\t y ","c":"x"}',
    ],
    [{ field: "l", separator: " ", target_fields: ["a", "b", "c"] }, '{"l":"x  y"}', '{"l":"x  y","a":"x","c":"y"}'],
    [
      { field: "l", target_fields: ["a", "b", "c"] },
      '{"l":"1,\\"x,\\"\\"y\\","}',
      '{"l":"1,\\"x,\\"\\"y\\",","a":"1","b":"x,\\"y"}',
    ],
    [
      { field: "l", target_fields: ["a", "b"], separator: ";", trim: true, empty_value: "-" },
      '{"l":" 1 ;;"}',
      '{"l":" 1 ;;","a":"1","b":"-"}',
    ],
    [{ field: "l", target_fields: ["a"] }, '{"l":"\\"x"}', "Unmatched quote"],
  ],
  date: [
    [
      { field: "t", formats: ["ISO8601"] },
      '{"t":"2024-01-02T03:04:05+01:00"}',
      '{"t":"2024-01-02T03:04:05+01:00","@timestamp":"2024-01-02T02:04:05.000Z"}',
    ],
    [{ field: "t", formats: ["UNIX"], target_field: "d" }, '{"t":1.5}', '{"t":1.5,"d":"1970-01-01T00:00:01.500Z"}'],
    [
      { field: "t", formats: ["UNIX_MS"], target_field: "t" },
      '{"t":"1700000000000"}',
      '{"t":"2023-11-14T22:13:20.000Z"}',
    ],
    [
      { field: "t", formats: ["TAI64N"], target_field: "t" },
      '{"t":"4000000050d506482dbdf024"}',
      '{"t":"2012-12-22T01:00:46.767Z"}',
    ],
    [
      { field: "t", formats: ["dd/MMM/yyyy:HH:mm:ss Z"], target_field: "t" },
      '{"t":"10/Oct/2000:13:55:36 -0700"}',
      '{"t":"2000-10-10T20:55:36.000Z"}',
    ],
    [
      { field: "t", formats: ["MMM dd HH:mm:ss"], target_field: "t" },
      '{"t":"Mar 07 01:02:03"}',
      '{"t":"2024-03-07T01:02:03.000Z"}',
    ],
    [
      { field: "t", formats: ["yyyy-MM-dd HH:mm"], timezone: "Europe/Amsterdam", target_field: "t" },
      '{"t":"2024-07-01 12:00"}',
      '{"t":"2024-07-01T12:00:00.000+02:00"}',
    ],
    [
      { field: "t", formats: ["yyyy", "yyyy-MM"], output_format: "yyyy/MM", target_field: "t" },
      '{"t":"2024-07"}',
      '{"t":"2024/07"}',
    ],
    [{ field: "t", formats: ["yyyy"] }, '{"t":"x"}', "unable to parse date [x]"],
    // No year of eight digits.
    [{ field: "t", formats: ["date_optional_time"] }, '{"t":"20260102"}', "unable to parse date [20260102]"],
    [{ field: "t", formats: ["strict_date_optional_time"] }, '{"t":"20260102"}', "unable to parse date [20260102]"],
  ],
  // Delimiters that follow each other, as a real node (OpenSearch 2.19) takes them.
  dissect: [
    [{ field: "m", pattern: "%{a},%{b}" }, '{"m":"x,,y"}', '{"m":"x,,y","a":"x","b":""}'],
    [{ field: "m", pattern: "%{a},%{b},%{c}" }, '{"m":"x,,y"}', '{"m":"x,,y","a":"x","b":"","c":"y"}'],
    [
      { field: "m", pattern: "%{a} - %{b->} [%{?skip}] %{}" },
      '{"m":"1 - 2 [ [3] 4"}',
      '{"m":"1 - 2 [ [3] 4","a":"1","b":"2"}',
    ],
    [{ field: "m", pattern: "%{a->} %{b}" }, '{"m":"1    2"}', '{"m":"1    2","a":"1","b":"2"}'],
    [
      { field: "m", pattern: "%{+n/2} %{+n/1} %{+n/3}", append_separator: "," },
      '{"m":"a b c"}',
      '{"m":"a b c","n":"b,a,c"}',
    ],
    [{ field: "m", pattern: "%{*k}=%{&k}" }, '{"m":"x=y"}', '{"m":"x=y","x":"y"}'],
    [
      { field: "m", pattern: "%{a},%{b}" },
      '{"m":"x"}',
      "Unable to find match for dissect pattern: %{a},%{b} against source: x",
    ],
  ],
  dot_expander: [
    [{ field: "a.b" }, '{"a.b":1}', '{"a":{"b":1}}'],
    [{ field: "*" }, '{"a.b":1,"c.d":2}', '{"a":{"b":1},"c":{"d":2}}'],
    [{ field: "a.b" }, '{"a.b":1,"a":{"b":2}}', '{"a":{"b":[2,1]}}'],
    [{ field: "a.b", override: true }, '{"a.b":1,"a":{"b":2}}', '{"a":{"b":1}}'],
    [{ field: "a.b" }, '{"a.b":1,"a":2}', "cannot expend [a.b], because [a] is not an object field, but a value field"],
    [{ field: "a.b", path: "p" }, '{"p":{"a.b":1}}', '{"p":{"a":{"b":1}}}'],
  ],
  drop: [[{}, "{}", "dropped"]],
  fail: [[{ message: "bad {{a}}" }, '{"a":"x"}', "bad x"]],
  fingerprint: [
    // The example of Elasticsearch's documentation.
    [
      { fields: ["user"] },
      '{"user":{"last_name":"Smith","first_name":"John","date_of_birth":"1980-01-15","is_active":true}}',
      '{"user":{"last_name":"Smith","first_name":"John","date_of_birth":"1980-01-15","is_active":true},"fingerprint":"WbSUPW4zY1PBPehh2AA/sSxiRjw="}',
    ],
    [{ fields: ["a"] }, "{}", "missing field [a] when calculating fingerprint"],
  ],
  foreach: [
    [{ field: "l", processor: { uppercase: { field: "_ingest._value" } } }, '{"l":["a","b"]}', '{"l":["A","B"]}'],
    [
      { field: "l", processor: { set: { field: "_ingest._value.x", value: "{{_ingest._value.y}}" } } },
      '{"l":[{"y":"1"}]}',
      '{"l":[{"y":"1","x":"1"}]}',
    ],
    [{ field: "o", processor: { uppercase: { field: "_ingest._key" } } }, '{"o":{"a":1}}', '{"o":{"A":1}}'],
    [
      { field: "l", processor: { uppercase: { field: "_ingest._value" } } },
      '{"l":["a",2]}',
      "field [_ingest._value] of type [java.lang.Integer] cannot be cast to [java.lang.String]",
    ],
  ],
  grok: [
    // Of several patterns the leftmost match wins, then the first pattern, as OpenSearch 2.19 has it.
    [
      { field: "m", trace_match: true, patterns: ["%{WORD:b} end", "%{NUMBER:a}"] },
      '{"m":"12 foo end"}',
      '{"m":"12 foo end","a":"12"}',
    ],
    [{ field: "m", patterns: ["%{WORD:b} end", "%{NUMBER:a}"] }, '{"m":"foo end 12"}', '{"m":"foo end 12","b":"foo"}'],
    [{ field: "m", patterns: ["%{NUMBER:a}", "%{WORD:b} end"] }, '{"m":"12 end"}', '{"m":"12 end","a":"12"}'],
    [
      { field: "m", patterns: ["%{IP:ip} %{NUMBER:n:int} %{NUMBER:d:float}"] },
      '{"m":"10.0.0.1 7 2.5"}',
      '{"m":"10.0.0.1 7 2.5","ip":"10.0.0.1","n":7,"d":2.5}',
    ],
    [
      {
        field: "m",
        patterns: ["%{DOG:beast.dog}", "%{CAT:beast.cat}"],
        pattern_definitions: { DOG: "beagle", CAT: "burmese" },
      },
      '{"m":"I love burmese cats"}',
      '{"m":"I love burmese cats","beast":{"cat":"burmese"}}',
    ],
    [
      { field: "m", patterns: ["%{IP:ip}"] },
      '{"m":"none"}',
      "Provided Grok expressions do not match field value: [none]",
    ],
  ],
  gsub: [
    [{ field: "s", pattern: "$", replacement: "!" }, '{"s":"a\\n"}', '{"s":"a!\\n!"}'],
    [{ field: "s", pattern: "\\.", replacement: "-" }, '{"s":"a.b.c"}', '{"s":"a-b-c"}'],
    [{ field: "s", pattern: "(\\w)(\\d)", replacement: "$2\\$$1" }, '{"s":"a1"}', '{"s":"1$a"}'],
    [{ field: "s", pattern: "x", replacement: "" }, '{"s":["xa","bx"]}', '{"s":["a","b"]}'],
  ],
  html_strip: [
    [{ field: "s" }, '{"s":"a &amp; b"}', '{"s":"a &amp; b"}'],
    [{ field: "s" }, '{"s":"<b>a &amp; b</b>"}', '{"s":"a & b"}'],
  ],
  join: [
    [{ field: "l", separator: "-" }, '{"l":[null]}', "field [l] has a null in its list, cannot join."],
    [{ field: "l", separator: "-" }, '{"l":["a",1,true]}', '{"l":"a-1-true"}'],
    [
      { field: "l", separator: "-" },
      '{"l":"a"}',
      "field [l] of type [java.lang.String] cannot be cast to [java.util.List]",
    ],
  ],
  json: [
    [{ field: "s", target_field: "o" }, '{"s":"{\\"a\\":1.0}"}', '{"s":"{\\"a\\":1.0}","o":{"a":1.0}}'],
    [{ field: "s", add_to_root: true }, '{"s":"{\\"a\\":1}"}', '{"s":"{\\"a\\":1}","a":1}'],
    [
      { field: "s", add_to_root: true, add_to_root_conflict_strategy: "merge" },
      '{"s":"{\\"o\\":{\\"b\\":2}}","o":{"a":1}}',
      '{"s":"{\\"o\\":{\\"b\\":2}}","o":{"a":1,"b":2}}',
    ],
    [{ field: "s", add_to_root: true }, '{"s":"[1]"}', "cannot add non-map fields to root of document"],
  ],
  kv: [
    [
      { field: "s", field_split: " ", value_split: "=", strip_brackets: true },
      '{"s":"a=(1 b=[2]"}',
      '{"s":"a=(1 b=[2]","a":"1","b":"2"}',
    ],
    [
      { field: "s", field_split: " ", value_split: "=" },
      '{"s":"a=1 b=x a=2"}',
      '{"s":"a=1 b=x a=2","a":["1","2"],"b":"x"}',
    ],
    [
      {
        field: "s",
        field_split: "&",
        value_split: "=",
        target_field: "q",
        prefix: "p_",
        exclude_keys: ["b"],
        strip_brackets: true,
        trim_value: " ",
      },
      '{"s":"a=<1>&b=2&c=\\"3\\""}',
      '{"s":"a=<1>&b=2&c=\\"3\\"","q":{"p_a":"1","p_c":"3"}}',
    ],
    [{ field: "s", field_split: " ", value_split: "=" }, '{"s":"a"}', "field [s] does not contain value_split [=]"],
  ],
  lowercase: [[{ field: "s" }, '{"s":"AbC"}', '{"s":"abc"}']],
  network_direction: [
    [
      { internal_networks: ["private"] },
      '{"source":{"ip":"10.0.0.1"},"destination":{"ip":"8.8.8.8"}}',
      '{"source":{"ip":"10.0.0.1"},"destination":{"ip":"8.8.8.8"},"network":{"direction":"outbound"}}',
    ],
    [
      { internal_networks: ["2001:db8::/32"] },
      '{"source":{"ip":"::1"},"destination":{"ip":"2001:db8::7"}}',
      '{"source":{"ip":"::1"},"destination":{"ip":"2001:db8::7"},"network":{"direction":"inbound"}}',
    ],
  ],
  pipeline: [
    [{ name: "other" }, "{}", "Pipeline processor configured for non-existent pipeline [other]"],
    [{ name: "other", ignore_missing_pipeline: true }, "{}", "{}"],
    [{ name: "p" }, "{}", "Pipeline processor configured for non-existent pipeline [p]"],
  ],
  remove: [
    [{ field: ["a", "b.c"] }, '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3}}'],
    [{ field: "x" }, "{}", "field [x] not present as part of path [x]"],
    [{ field: "x", ignore_missing: true }, "{}", "{}"],
    [{ keep: ["a", "b.c"] }, '{"a":1,"b":{"c":2,"d":3},"e":4}', '{"a":1,"b":{"c":2}}'],
  ],
  rename: [
    [{ field: "a", target_field: "b.c" }, '{"a":1}', '{"b":{"c":1}}'],
    [{ field: "a", target_field: "b" }, "{}", "field [a] doesn't exist"],
    [{ field: "a", target_field: "b" }, '{"a":1,"b":2}', "field [b] already exists"],
    [{ field: "a", target_field: "b", override: true }, '{"a":1,"b":2}', '{"b":1}'],
  ],
  reroute: [
    [{ destination: "x" }, '{"a":1}', '{"a":1}'],
    [{ dataset: "d" }, "{}", "invalid data stream name: [i]; must follow naming scheme <type>-<dataset>-<namespace>"],
  ],
  set: [
    [{ field: "a.{{k}}", value: { x: ["{{k}}"] } }, '{"k":"b"}', '{"k":"b","a":{"b":{"x":["b"]}}}'],
    [{ field: "a", value: 1, override: false }, '{"a":0}', '{"a":0}'],
    [{ field: "a", value: "{{x}}", ignore_empty_value: true }, "{}", "{}"],
    [{ field: "a", copy_from: "b" }, '{"b":{"c":[1.0]}}', '{"b":{"c":[1.0]},"a":{"c":[1.0]}}'],
    [{ field: "a", value: 1, if: "ctx.b == 'x'" }, '{"b":"y"}', '{"b":"y"}'],
  ],
  sort: [
    [{ field: "l" }, '{"l":[3,1.5,2]}', '{"l":[1.5,2,3]}'],
    [{ field: "l", order: "desc", target_field: "m" }, '{"l":["a","b"]}', '{"l":["a","b"],"m":["b","a"]}'],
  ],
  split: [
    [{ field: "s", separator: "\\s+" }, '{"s":"a b  c "}', '{"s":["a","b","c"]}'],
    [{ field: "s", separator: ",", preserve_trailing: true }, '{"s":"a,,"}', '{"s":["a","",""]}'],
    [{ field: "s", separator: "" }, '{"s":"abc"}', '{"s":["a","b","c"]}'],
  ],
  terminate: [[{}, '{"a":1}', '{"a":1}']],
  trim: [[{ field: "s" }, '{"s":"\\t a "}', '{"s":"a"}']],
  uppercase: [
    [{ field: "s" }, '{"s":null}', "field [s] is null, cannot process it."],
    [{ field: "s" }, '{"s":["a"]}', '{"s":["A"]}'],
  ],
  uri_parts: [
    [
      { field: "u", target_field: "p", keep_original: false },
      '{"u":"http://me:pw@example.com:80/a/b.gif?k=v#top"}',
      '{"u":"http://me:pw@example.com:80/a/b.gif?k=v#top","p":{"domain":"example.com","fragment":"top","path":"/a/b.gif","extension":"gif","port":80,"query":"k=v","scheme":"http","user_info":"me:pw","username":"me","password":"pw"}}',
    ],
    [{ field: "u" }, '{"u":"http://a b"}', "unable to parse URI [http://a b]"],
  ],
  urldecode: [
    [{ field: "s" }, '{"s":"a%20b+%C3%A9"}', '{"s":"a b é"}'],
    [
      { field: "s" },
      '{"s":"%zz"}',
      "Could not URL-decode value [%zz]: illegal hex characters in escape (%) pattern [%zz]",
    ],
  ],
  user_agent: [
    [
      { field: "a", properties: ["name", "version", "os", "device"] },
      '{"a":"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/51.0.2704.103 Safari/537.36"}',
      '{"a":"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/51.0.2704.103 Safari/537.36","user_agent":{"name":"Chrome","version":"51.0.2704.103","os":{"name":"Mac OS X","version":"10.10.5","full":"Mac OS X 10.10.5"},"device":{"name":"Mac"}}}',
    ],
  ],
};

describe.each(Object.entries(CASES))("%s", (type, cases) => {
  test.each(cases)("%j of %s", (options, source, expected) => {
    expect(run({ [type]: options }, source)).toBe(expected);
  });
});

test("date_index_name puts date math into the name of the index", () => {
  const processor = { date_index_name: { field: "d", index_name_prefix: "logs-", date_rounding: "M" } };
  const pipeline = compilePipeline("p", { processors: [processor] }, () => NOW);
  const source = { d: "2016-04-25T12:02:01.789Z" };
  const document = new IngestDocument(source, { _index: "i" }, "now");
  runPipeline(
    pipeline,
    document,
    newRun(() => undefined),
  );
  expect(document.metadata._index).toBe("<logs-{2016-04-25||/M{yyyy-MM-dd|UTC}}>");
});

test("every processor has a case, and the table is sorted", () => {
  const types = Object.keys(PROCESSORS);
  expect(types).toEqual([...types].sort());
  expect(types.filter((type) => type !== "date_index_name")).toEqual(Object.keys(CASES));
  expect(NOT_BUILT_PROCESSORS.filter((type) => types.includes(type))).toEqual([]);
});

describe("a configuration that cannot be is refused in Elasticsearch's words", () => {
  test.each([
    [{ nope: {} }, "No processor type exists with name [nope]"],
    [{ geoip: { field: "a" } }, "processor [geoip] is not supported by Pinakes"],
    [{ script: { source: "ctx.a = 1" } }, "processor [script] is not supported by Pinakes"],
    [{ set: { value: 1 } }, "[field] required property is missing"],
    [{ set: { field: "a" } }, "[value] required property is missing"],
    [{ set: { field: 1, value: 1 } }, "[field] property isn't a string, but of type [java.lang.Integer]"],
    [
      { set: { field: "a", value: 1, override: "x" } },
      "[override] property isn't a boolean, but of type [java.lang.String]",
    ],
    [
      { set: { field: "a", value: 1, x: 1 } },
      "processor [set] doesn't support one or more provided configuration parameters [x]",
    ],
    [{ set: { field: "a", value: 1, on_failure: [] } }, "[on_failure] processors list cannot be empty"],
    [{ convert: { field: "a", type: "x" } }, "[type] type [x] not supported, cannot convert field."],
    [{ remove: {} }, "[field] required property is missing"],
    [{ grok: { field: "a", patterns: ["%{NOPE:x}"] } }, "Unable to find pattern [NOPE] in Grok's pattern dictionary"],
    [{ gsub: { field: "a", pattern: "(", replacement: "" } }, "there is no ) for the ( that opens"],
    [{ gsub: { field: "a", pattern: "a", replacement: "$1" } }, "No group 1"],
    [{ set: { field: "a", value: 1, if: "ctx.a = 1" } }, "is not supported by Pinakes"],
    [
      { date: { field: "a", formats: ["MMM"], locale: "fr" } },
      "locale [fr] for the words of the date format [MMM] is not supported by Pinakes",
    ],
  ] as [JsonObject, string][])("%j", (processor, reason) => {
    expect(() => run(processor, "{}")).toThrow(reason);
  });
});
