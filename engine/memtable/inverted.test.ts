import { describe, expect, it } from "vitest";
import { openPostings } from "../postings/reader.js";
import { NO_MORE_DOCS } from "../segment/types.js";
import { SectionKind } from "../store/section.js";
import { chance, MemorySink, testStorage } from "../store/testing.js";
import { openLengths } from "../text/lengths.js";
import { lengthToNorm } from "../text/norms.js";
import { openTerms, readFieldStats } from "../text/reader.js";
import { allPostings, MemorySource, type Posting, testField } from "../text/testing.js";
import { flushInverted } from "./inverted-flush.js";
import { FilledBuffer, type Word } from "./inverted-testing.js";

const BODY = testField(3, "text");
const TITLE = testField(7, "text");
const TAG = testField(5, "keyword");

function randomWords(random: ReturnType<typeof chance>, count: number): Word[] {
  let position = 0;
  return Array.from({ length: count }, () => {
    position += random(4) === 0 ? random(100) : 1;
    const rank = Math.floor((random(1000) * random(1000)) / 2000);
    return [rank % 11 === 0 ? "x".repeat(rank) + rank : `w${rank}`, position];
  });
}

function randomBuffer(random: ReturnType<typeof chance>, docs: number): FilledBuffer {
  const filled = new FilledBuffer(testStorage());
  for (let doc = 0; doc < docs; doc++) {
    if (random(10) > 0) filled.addText(BODY, doc, randomWords(random, random(80)));
    if (random(3) === 0) filled.addText(TITLE, doc, randomWords(random, 1 + random(5)));
    for (let i = random(4); i > 0; i--) filled.addTerm(TAG, doc, `tag${random(3) === 0 ? random(2000) : random(5)}`);
    if (random(50) === 0) filled.addTerm(TAG, doc, "\0\xff".repeat(random(20)));
  }
  return filled;
}

describe("a write buffer flushed to sections", () => {
  it("gives back every term's documents, frequencies and positions", () => {
    const random = chance();
    const filled = randomBuffer(random, 3000);
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 3000);
    const source = new MemorySource(filled.storage, sink);
    for (const field of [BODY, TITLE, TAG]) {
      const terms = openTerms(source, filled.storage, field)!;
      const postings = openPostings(source, filled.storage, field);
      const positions = field.positions;
      const found = allPostings(terms, (state) => postings.iterator(state, { positions }), positions);
      const expected = filled.expected.get(field.ordinal)!;
      expect([...found.keys()], random.label).toEqual([...expected.keys()].sort());
      for (const [term, list] of expected)
        expect(found.get(term), `${field.path} ${term} ${random.label}`).toEqual(list);
    }
  });

  it("keeps norms, exact lengths and statistics", () => {
    const random = chance();
    const filled = randomBuffer(random, 500);
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 500);
    const source = new MemorySource(filled.storage, sink);
    const lengths = filled.lengths.get(BODY.ordinal)!;
    const open = openLengths(source, filled.storage, BODY);
    const norms = source.pin(SectionKind.norms, BODY.ordinal)!;
    for (let doc = 0; doc < 500; doc++) {
      expect(open.get(doc), random.label).toBe(lengths[doc] ?? 0);
      expect(filled.storage.arena.u8[norms.address + doc]).toBe(lengthToNorm(lengths[doc] ?? 0));
    }
    expect(readFieldStats(source, filled.storage, BODY)).toEqual({
      docCount: lengths.filter((length) => length > 0).length,
      sumTotalTermFreq: lengths.reduce((sum, length) => sum + length, 0),
    });
    expect(openLengths(source, filled.storage, TAG).get(3)).toBe(0);
    expect(readFieldStats(source, filled.storage, testField(99, "text"))).toEqual({ docCount: 0, sumTotalTermFreq: 0 });
  });

  it("maps term ids to ordinals", () => {
    const random = chance();
    const filled = randomBuffer(random, 1000);
    const sink = new MemorySink();
    const ordinals = flushInverted(filled.buffer, sink, 1000)(TAG);
    const terms = openTerms(new MemorySource(filled.storage, sink), filled.storage, TAG)!;
    expect(ordinals.count).toBe(terms.size);
    for (const [term, id] of filled.termIds.get(TAG.ordinal)!) {
      expect(Buffer.from(terms.term(ordinals.byTerm[id])).toString("latin1"), random.label).toBe(term);
    }
  });

  it("finds and seeks terms, present or not", () => {
    const random = chance();
    const filled = randomBuffer(random, 2000);
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 2000);
    const terms = openTerms(new MemorySource(filled.storage, sink), filled.storage, TAG)!;
    const sorted = [...filled.expected.get(TAG.ordinal)!.keys()].sort();
    const bytes = (term: string): Uint8Array => Buffer.from(term, "latin1");
    sorted.forEach((term, ordinal) => {
      expect(terms.find(bytes(term)), `${term} ${random.label}`).toBe(ordinal);
      for (const near of [`${term}\0`, term.slice(0, -1), `${term.slice(0, -1)}\xfe`]) {
        const place = sorted.findIndex((other) => other >= near);
        expect(terms.seek(bytes(near)), `${near} ${random.label}`).toBe(place < 0 ? sorted.length : place);
        expect(terms.find(bytes(near))).toBe(sorted.indexOf(near));
      }
    });
  });

  it("gives all memory back, and none is lost by flushing", () => {
    const random = chance();
    const storage = testStorage();
    const before = storage.arena.used;
    const filled = new FilledBuffer(storage);
    for (let doc = 0; doc < 300; doc++) filled.addText(BODY, doc, randomWords(random, 50));
    const held = storage.arena.used;
    flushInverted(filled.buffer, new MemorySink(), 300);
    expect(storage.arena.used).toBe(held);
    filled.close();
    expect(storage.arena.used).toBe(before);
  });

  it("an empty buffer writes nothing", () => {
    const filled = new FilledBuffer(testStorage());
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 0);
    expect(sink.sections.size).toBe(0);
  });

  it("a field without tokens in any document writes nothing", () => {
    const filled = new FilledBuffer(testStorage());
    filled.addText(BODY, 0, []);
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 1);
    expect(sink.sections.size).toBe(0);
  });
});

describe("an iterator", () => {
  it("advances to any document, forwards, mixed with next, and stays at the end", () => {
    const random = chance();
    const filled = randomBuffer(random, 3000);
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 3000);
    const source = new MemorySource(filled.storage, sink);
    const terms = openTerms(source, filled.storage, BODY)!;
    const postings = openPostings(source, filled.storage, BODY);
    for (const [term, list] of filled.expected.get(BODY.ordinal)!) {
      const state = terms.state(terms.find(Buffer.from(term, "latin1")));
      const iterator = postings.iterator(state, { positions: true });
      expect(iterator.doc).toBe(-1);
      while (iterator.doc !== NO_MORE_DOCS) {
        const isNext = random(3) === 0;
        const target = iterator.doc + 1 + (isNext ? 0 : random(random(2) === 0 ? 10 : 1500));
        const doc = isNext ? iterator.next() : iterator.advance(target);
        const expected = list.find(([candidate]) => candidate >= target);
        expect(doc, `${term} ${target} ${random.label}`).toBe(expected?.[0] ?? NO_MORE_DOCS);
        if (expected === undefined || random(2) === 0) continue;
        const positions = new Uint32Array(iterator.freq());
        for (let twice = 0; twice < 2; twice++) expect(iterator.positions(positions)).toBe(expected[1]);
        expect([...positions], `${term} ${doc} ${random.label}`).toEqual(expected[2]);
      }
      expect(iterator.next()).toBe(NO_MORE_DOCS);
      expect(iterator.advance(5000)).toBe(NO_MORE_DOCS);
    }
  });

  it("bounds every document of a block by an impact, and decodes blocks as it iterates", () => {
    const random = chance();
    const filled = randomBuffer(random, 3000);
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 3000);
    const source = new MemorySource(filled.storage, sink);
    const { arena } = filled.storage;
    const out = arena.alloc(1024);
    const lengths = filled.lengths.get(BODY.ordinal)!;
    const terms = openTerms(source, filled.storage, BODY)!;
    const postings = openPostings(source, filled.storage, BODY);
    const [freqs, norms] = [new Uint32Array(8), new Uint8Array(8)];
    for (const [term, list] of filled.expected.get(BODY.ordinal)!) {
      const iterator = postings.iterator(terms.state(terms.find(Buffer.from(term, "latin1"))), { positions: false });
      expect(iterator.blockCount).toBe(Math.ceil(list.length / 128));
      for (let block = 0; block < iterator.blockCount; block++) {
        const part = list.slice(128 * block, 128 * block + 128);
        expect(iterator.blockLastDoc(block), random.label).toBe(part.at(-1)![0]);
        expect(iterator.decodeBlock(block, out, out + 512)).toBe(part.length);
        const impacts = iterator.blockImpacts(block, freqs, norms);
        const decoded = part.map((_, i) => [arena.u32[out / 4 + i], arena.u32[out / 4 + 128 + i]]);
        expect(decoded, `${term} ${random.label}`).toEqual(part.map(([doc, freq]) => [doc, freq]));
        const isBounded = ([doc, freq]: Posting): boolean => {
          const norm = lengthToNorm(lengths[doc]);
          return [...Array(impacts).keys()].some((k) => freqs[k] >= freq && norms[k] <= norm);
        };
        expect(part.every(isBounded), `${term} ${random.label}`).toBe(true);
      }
    }
  });
});
