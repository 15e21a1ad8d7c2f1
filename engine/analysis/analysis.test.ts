import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AnalyzeRequest } from "../engine-types.js";
import { loadKernels, twinKernels } from "../kernels/load.js";
import { RESERVED_BYTES } from "../kernels/memory.js";
import type { FieldMapping } from "../mapping/mapping.js";
import { analyzeCode, codeTokens, type TokenSink } from "./code-analyzer.js";
import { lowerCase } from "./lower-case.js";
import { createAnalyzerRegistry, NO_ANALYSIS } from "./registry.js";
import { standardTokens } from "./standard-tokenizer.js";

const registry = createAnalyzerRegistry();
const show = (tokens: { token: string; position: number; positionLength: number }[]) =>
  tokens
    .map((one) => `${one.token}@${one.position}${one.positionLength > 1 ? `+${one.positionLength}` : ""}`)
    .join(" ");
const terms = (analyzer: string, text: string) => show(registry.analyze({ analyzer, text: [text] }));

describe("standard", () => {
  test.each([
    ["can't a.b 3.14 1,000 x_y foo:bar 9.a _ __a", "can't@0 a.b@1 3.14@2 1,000@3 x_y@4 foo:bar@5 9@6 a@7 __a@8"],
    ["日本 ひら カタカナ 한국어 สวัสดี", "日@0 本@1 ひ@2 ら@3 カタカナ@4 한국어@5 สวัสดี@6"],
    ["👍🏽 👨‍👩‍👧 🇩🇪 1️⃣ ♥ 🇩", "👍🏽@0 👨‍👩‍👧@1 🇩🇪@2 1️⃣@3 ♥@4"],
    ["İstanbul ΣΑΣ ＡＢ é x\u200dy a\u200bb", "istanbul@0 σασ@1 ａｂ@2 é@3 x\u200dy@4 a@5 b@6"],
    ["中a文1 カ_a カa 가1 א\"ב א'x", "中@0 a@1 文@2 1@3 カ_a@4 カ@5 a@6 가1@7 א\"ב@8 א'x@9"],
  ])("%s", (text, expected) => {
    expect(terms("standard", text)).toBe(expected);
  });

  test("long words are cut at 255 without breaking a character", () => {
    expect(standardTokens("x".repeat(600)).map((token) => token.term.length)).toEqual([255, 255, 90]);
    for (const { term } of standardTokens("𝒳".repeat(300))) expect(term).not.toMatch(/\p{Surrogate}/u);
  });

  test("ASCII gives what the kernel gives", () => {
    const memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });
    const kernels = twinKernels(memory);
    const [source, lower, entries] = [65_536, 70_000, 80_000];
    const words = fc.stringMatching(/^[aB1_.:',; -]{0,40}$/);
    fc.assert(
      fc.property(words, (text) => {
        new Uint8Array(memory.buffer).set(Buffer.from(text), source);
        const count = kernels.tokenizeStandard(source, text.length, lower, entries, 0);
        const view = new DataView(memory.buffer);
        const fromKernel = Array.from({ length: count }, (_, i) => {
          const start = view.getUint32(entries + 16 * i, true);
          return lowerCase(text.slice(start, start + view.getUint32(entries + 16 * i + 4, true)));
        });
        expect(standardTokens(text).map((token) => lowerCase(token.term))).toEqual(fromKernel);
      }),
      { verbose: true },
    );
  });
});

describe("pinakes_code", () => {
  test.each([
    ["readTimeoutHandler", "readtimeouthandler@0+3 read@0 timeout@1 handler@2"],
    ["HTTPServer2", "httpserver2@0+3 http@0 server@1 2@2"],
    ["std::vector<int>", "std@0 vector@1 int@2"],
    ["a.b->c", "a@0 b@1 c@2"],
    ["MAX_SIZE = 10;", "max_size@0+2 max@0 size@1 10@2"],
    ["__init__ $scope _ $ +", "__init__@0 init@0 $scope@1 scope@1"],
    ["getÄpfelÜber ΣΑΣ 変数Name", "getäpfelüber@0+3 get@0 äpfel@1 über@2 σασ@3 変数name@4+2 変数@4 name@5"],
    ["x2y", "x2y@0+3 x@0 2@1 y@2"],
    // Bigrams, as Elasticsearch's analyzer `cjk` gives them.
    ["東京タワーは", "東京タワーは@0+5 東京@0 京タ@1 タワ@2 ワー@3 ーは@4"],
    ["東 東京 get東京都Name", "東@0 東京@1 get東京都name@2+4 get@2 東京@3 京都@4 name@5"],
    ["검색엔진을 々 𠮷野家", "검색엔진을@0+4 검색@0 색엔@1 엔진@2 진을@3 々@4 𠮷野家@5+2 𠮷野@5 野家@6"],
    ["二〇二四年 ไทย", "二〇二四年@0+4 二@0 〇@1 二四@2 四年@3 ไทย@4"],
  ])("%s", (text, expected) => {
    expect(terms("pinakes_code", text)).toBe(expected);
  });

  test("data of more than 255 bytes is given by its parts alone, each cut", () => {
    const tokens = codeTokens(`${"a".repeat(300)}B`);
    expect(tokens.map((token) => token.term.length)).toEqual([255, 45, 1]);
  });

  test.each([
    ["twin", twinKernels],
    ["kernel", loadKernels],
  ])("bytes give what strings give, whatever room there is: %s", (_, make) => {
    const memory = new WebAssembly.Memory({ initial: 3, maximum: 3, shared: true });
    const kernels = make(memory);
    const bytes = new Uint8Array(memory.buffer);
    const words = new Uint32Array(memory.buffer);
    const [tokens, text, done] = [RESERVED_BYTES + 8192, RESERVED_BYTES + 32_768, RESERVED_BYTES + 131_000];
    const piece = fc.constantFrom(
      "a",
      "B",
      "Cd",
      "9",
      "_",
      "$",
      " ",
      ".",
      "é",
      "Ü",
      "変",
      "東京タワー",
      "İ",
      "😀",
      "ſ",
      "x".repeat(130),
      "aB_3".repeat(20),
      "-".repeat(61),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), (pieces, room) => {
        const source = Buffer.from(pieces.join(""), "utf8");
        bytes.set(source, RESERVED_BYTES);
        bytes.fill(0x61, RESERVED_BYTES + source.length, RESERVED_BYTES + source.length + 64);
        const sink: TokenSink = {
          bytes,
          words,
          tokens,
          capacity: room,
          count: 0,
          text,
          textBytes: 0,
          textRoom: 8,
          position: 0,
          done,
        };
        const end = RESERVED_BYTES + source.length;
        for (let at = RESERVED_BYTES; at < end; sink.capacity += room, sink.textRoom += 8 * room) {
          at = analyzeCode(kernels, sink, at, end);
        }
        const made = Array.from({ length: sink.count }, (_, i) => {
          const [start, length, position] = words.subarray(tokens / 4 + 4 * i, tokens / 4 + 4 * i + 3);
          return `${Buffer.from(bytes.subarray(sink.text + start, sink.text + start + length))}@${position}`;
        });
        expect(made).toEqual(codeTokens(source.toString()).map((token) => `${token.term}@${token.position}`));
      }),
      { verbose: true },
    );
  });
});

describe("other built-in analyzers", () => {
  test.each([
    ["simple", "The2quick a_fox", "the@0 quick@1 a@2 fox@3"],
    ["whitespace", "A b\u00a0c\u3000d", "A@0 b\u00a0c@1 d@2"],
    ["keyword", "A b", "A b@0"],
    ["stop", "The quick a fox", "quick@1 fox@3"],
    ["english", "The running dogs quickly jumped", "run@1 dog@2 quickli@3 jump@4"],
    ["pattern", "The2quick-a_fox", "the2quick@0 a_fox@1"],
  ])("%s", (analyzer, text, expected) => {
    expect(terms(analyzer, text)).toBe(expected);
  });

  test("Porter's own examples", () => {
    const words =
      "caresses ponies cats feed agreed plastered motoring conflated sized hopping falling hissing filing happy sky relational conditional digitizer operator decisiveness formaliti triplicate electrical adjustable adoption homologou rate cease controll generalizations oscillators";
    const stems =
      "caress poni cat feed agre plaster motor conflat size hop fall hiss file happi sky relat condit digit oper decis formal triplic electr adjust adopt homolog rate ceas control gener oscil";
    expect(
      registry
        .analyzer("english")
        .tokens(words)
        .map((token) => token.term)
        .join(" "),
    ).toBe(stems);
  });
});

describe("chains", () => {
  const chain = (request: Omit<Parameters<typeof registry.analyze>[0], "text">, text: string) =>
    show(registry.analyze({ ...request, text: [text] }));
  test.each([
    [{ tokenizer: "ngram" }, "abc", "a@0 ab@1 b@2 bc@3 c@4"],
    [
      { tokenizer: { type: "edge_ngram", min_gram: 2, max_gram: 3, token_chars: ["letter"] } },
      "abcd ef1",
      "ab@0 abc@1 ef@2",
    ],
    [{ tokenizer: { type: "char_group", tokenize_on_chars: ["whitespace", "-"] } }, "a b-c", "a@0 b@1 c@2"],
    [{ tokenizer: { type: "pattern", pattern: "(\\w)(\\d)", group: "1" } }, "a1 b2", "a@0 b@1"],
    [{ tokenizer: "keyword", filter: ["edge_ngram"] }, "abc", "a@0"],
    [{ tokenizer: "keyword", filter: [{ type: "ngram" }] }, "abc", "a@0 ab@0 b@0 bc@0 c@0"],
    [{ tokenizer: "standard", filter: ["asciifolding", "unique"] }, "Ünï ßtraße Uni æ", "Uni@0 sstrasse@1 ae@2"],
    [{ tokenizer: "whitespace", filter: [{ type: "length", min: 2 }, "reverse", "uppercase"] }, "a bc", "CB@1"],
    [{ tokenizer: "whitespace", filter: [{ type: "truncate", length: 2 }] }, "abc", "ab@0"],
    [
      { tokenizer: "whitespace", filter: [{ type: "word_delimiter_graph", preserve_original: true }] },
      "wi-fi O'Neil's x",
      "wi-fi@0+2 wi@0 fi@1 O'Neil's@2+2 O@2 Neil@3 x@4",
    ],
    [
      { tokenizer: "whitespace", filter: [{ type: "word_delimiter", catenate_all: true }] },
      "wi-fi4you",
      "wifi4you@0 wi@0 fi@1 4@2 you@3",
    ],
    [{ tokenizer: "standard", charFilter: ["html_strip"] }, "<p>I&apos;m <b>a&lt;b</b>", "I'm@0 a@1 b@2"],
    [{ tokenizer: "standard", charFilter: [{ type: "mapping", mappings: ["ph => f"] }] }, "phone", "fone@0"],
    [
      {
        tokenizer: "keyword",
        charFilter: [{ type: "pattern_replace", pattern: "(\\d+)-(?=\\d)", replacement: "$1_" }],
      },
      "1-2-3",
      "1_2_3@0",
    ],
  ])("%j of %s", (request, text, expected) => {
    expect(chain(request, text)).toBe(expected);
  });

  test("offsets lead back to the text before character filters", () => {
    const [token] = registry.analyze({ tokenizer: "standard", charFilter: ["html_strip"], text: ["<p>I&apos;m</p>"] });
    expect(token).toMatchObject({ startOffset: 3, endOffset: 11 });
  });

  test("several texts follow each other", () => {
    const shown = registry.analyze({ analyzer: "standard", text: ["ab cd", "ef"] });
    expect(shown[2]).toMatchObject({ token: "ef", position: 2, startOffset: 6 });
  });
});

describe("_analyze of several texts", () => {
  const own = createAnalyzerRegistry({
    ...NO_ANALYSIS,
    analyzer: {
      gap: { type: "custom", tokenizer: "standard", position_increment_gap: 7 },
      stopped: { type: "custom", tokenizer: "standard", filter: ["lowercase", "stop"] },
    },
    normalizer: { low: { type: "custom", filter: ["lowercase"] } },
  });
  const fields: Record<string, FieldMapping> = {
    t: { type: "text" },
    wide: { type: "text", positionIncrementGap: 3 },
    gap: { type: "text", analyzer: "gap" },
    k: { type: "keyword" },
    kn: { type: "keyword", normalizer: "low" },
    n: { type: "long" },
    b: { type: "boolean" },
  };
  const inIndex = (request: Omit<AnalyzeRequest, "text">, ...text: string[]) =>
    own
      .analyze({ ...request, text }, (path) => fields[path])
      .map(({ token, position }) => `${token}@${position}`)
      .join(" ");

  // As OpenSearch 2.19 answers.
  test.each([
    [{}, "a@0 b@1 c@102"],
    [{ field: "t" }, "a@0 b@1 c@102"],
    [{ field: "wide" }, "a@0 b@1 c@5"],
    [{ field: "gap" }, "a@0 b@1 C@9"],
    [{ field: "k" }, "a b@0 C@1"],
    [{ field: "kn" }, "a b@0 c@1"],
    [{ field: "unmapped" }, "a@0 b@1 c@102"],
    [{ analyzer: "standard" }, "a@0 b@1 c@102"],
    [{ analyzer: "default" }, "a@0 b@1 c@102"],
    [{ analyzer: "keyword" }, "a b@0 C@101"],
    [{ tokenizer: "keyword", filter: ["lowercase"] }, "a b@0 c@101"],
    [{ normalizer: "low" }, "a b@0 c@1"],
  ])("%j keeps the gap of the field or analyzer", (request, expected) => {
    expect(inIndex(request, "a b", "C")).toBe(expected);
  });

  test.each([
    [{ analyzer: "stopped" }, ["hello the", "the", "of world"], "hello@0 world@204"],
    [{ tokenizer: "standard", filter: ["stop", "lowercase", "porter_stem"] }, ["hi the", "x"], "hi@0 x@102"],
    [{ tokenizer: "standard", filter: [{ type: "length", min: 2 }] }, ["abc a b", "xy"], "abc@0 xy@103"],
    [
      { tokenizer: "standard", filter: [{ type: "edge_ngram", min_gram: 3, max_gram: 3 }] },
      ["abc ab a", "x abc"],
      "abc@0 abc@104",
    ],
    [{ tokenizer: "whitespace", filter: ["stop", "word_delimiter_graph"] }, ["hi the", "x"], "hi@0 x@102"],
    [{ tokenizer: "whitespace", filter: ["word_delimiter"] }, ["hi !!", "x"], "hi@0 x@101"],
    [{ tokenizer: "standard", filter: ["unique"] }, ["a b a c a", "x"], "a@0 b@1 c@2 x@103"],
  ])("%j: words dropped from the end of a text keep their positions", (request, texts, expected) => {
    expect(inIndex(request, ...texts)).toBe(expected);
  });

  test("what has no tokens is refused by name", () => {
    for (const field of ["n", "b"]) {
      expect(() => inIndex({ field }, "5")).toThrow(
        `Can't process field [${field}], Analysis requests are only supported on tokenized fields`,
      );
    }
  });

  test("an empty text is one empty token where the text stays whole, none where it is cut", () => {
    expect(inIndex({ analyzer: "keyword" }, "", "x", "")).toBe("@0 x@101 @202");
    expect(inIndex({ field: "kn" }, "A B", "", "C")).toBe("a b@0 @1 c@2");
    expect(inIndex({ field: "t" }, "", "x")).toBe("x@100");
  });

  test("the node's own analyzers have no gap, chains made on the spot have", () => {
    expect(registry.analyze({ text: ["a b", "c"] })[2].position).toBe(2);
    expect(registry.analyze({ tokenizer: "standard", text: ["a b", "c"] })[2].position).toBe(102);
  });
});

describe("registry", () => {
  const own = createAnalyzerRegistry({
    ...NO_ANALYSIS,
    analyzer: {
      default: { type: "simple" },
      mine: {
        type: "custom",
        tokenizer: "t",
        filter: ["lowercase", "f"],
        char_filter: ["c"],
        position_increment_gap: "7",
      },
    },
    tokenizer: { t: { type: "pattern", pattern: "," } },
    filter: { f: { type: "stop", stopwords: ["x"] } },
    charFilter: { c: { type: "mapping", mappings: ["; => ,"] } },
    normalizer: { n: { type: "custom", filter: ["lowercase", "asciifolding"] } },
  });

  test("an index's own parts make its analyzers", () => {
    const mine = own.analyzer("mine");
    expect(mine.positionIncrementGap).toBe(7);
    expect(mine.tokens("A;x,B").map((token) => token.term)).toEqual(["a", "b"]);
    expect(own.normalizer("n").normalize("ÄB c")).toBe("ab c");
  });

  test("fields use their analyzer, else the index's default, else standard", () => {
    expect(own.indexAnalyzer({ type: "text" }).tokens("A1")[0].term).toBe("a");
    expect(registry.indexAnalyzer({ type: "text" }).name).toBe("standard");
    expect(own.searchAnalyzer({ type: "text", analyzer: "mine", searchAnalyzer: "keyword" }).name).toBe("keyword");
    expect(own.searchAnalyzer({ type: "text", analyzer: "mine" }).name).toBe("mine");
  });

  test.each([
    [() => registry.analyzer("nope"), "failed to find global analyzer [nope]"],
    [() => registry.analyze({ tokenizer: "nope", text: [""] }), "failed to find global tokenizer under [nope]"],
    [() => registry.analyze({ filter: ["nope"], text: [""] }), "failed to find global filter under [nope]"],
    [() => registry.analyze({ charFilter: ["nope"], text: [""] }), "failed to find global char_filter under [nope]"],
    [
      () => createAnalyzerRegistry({ ...NO_ANALYSIS, analyzer: { a: { tokenizer: "nope" } } }),
      "analyzer [a] failed to find tokenizer under name [nope]",
    ],
    [
      () => createAnalyzerRegistry({ ...NO_ANALYSIS, filter: { f: { type: "synonym" } } }),
      "Unknown filter type [synonym] for [f]",
    ],
    [
      () => createAnalyzerRegistry({ ...NO_ANALYSIS, filter: { f: { type: "stop", words: ["a"] } } }),
      "filter [f] has an unknown parameter [words]",
    ],
  ])("what is unknown is refused by name (%#)", (act, message) => {
    expect(act).toThrow(message);
  });
});
