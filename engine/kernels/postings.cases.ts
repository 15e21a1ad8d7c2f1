import { FIRST_SLICE_BYTES, InvertedState, TermRecord, TOKEN_BATCH, termAddress } from "./accumulate.js";
import { BLOCK, Encoder, NO_SINGLETON, TermRow } from "./encode-postings.js";
import type { Kernels } from "./kernels.js";
import { MergeSource } from "./merge-postings.js";
import { SORT_SCRATCH_BASE_BYTES, SORT_SCRATCH_BYTES } from "./sort-terms.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";
import { TermRoom, TermsOut } from "./write-terms.js";

/** A buffer for up to `terms` terms with a slab of `slab` bytes. */
function buffer(kernels: Kernels, memory: CaseMemory, terms: number, slab: number): number {
  const state = memory.alloc(InvertedState.bytes);
  const set = (name: keyof typeof InvertedState, value: number): void =>
    memory.view.setUint32(state + InvertedState[name], value, true);
  set("ids", memory.alloc(4 * TOKEN_BATCH));
  set("table", memory.alloc(16 * terms));
  set("mask", 2 * terms - 1);
  set("records", memory.alloc(TermRecord.bytes * terms));
  set("capacity", terms);
  addSlab(memory, state, slab);
  kernels.rebuildTermTable(state);
  return state;
}

function addSlab(memory: CaseMemory, state: number, bytes: number): void {
  const slab = memory.alloc(bytes);
  memory.view.setUint32(state + InvertedState.slabNext, slab, true);
  memory.view.setUint32(state + InvertedState.slabEnd, slab + bytes, true);
}

type Token = readonly [term: string, position: number];

/** Adds a document; when room is short another slab comes. Returns how often it did. */
function addDoc(kernels: Kernels, memory: CaseMemory, state: number, doc: number, tokens: readonly Token[]): number {
  const entries: number[] = [];
  let text = "";
  for (const [term, position] of tokens) {
    entries.push(text.length, Buffer.byteLength(term), position, 0);
    text += term;
  }
  const run = {
    state,
    field: 3,
    tokens: memory.putU32(entries),
    text: memory.putText(text),
    from: 0,
    count: tokens.length,
    doc,
  };
  kernels.hashTokens(run.text, run.tokens, run.count);
  for (let stops = 0; ; stops++) {
    run.from = kernels.accumulateTokens(run);
    if (run.from === run.count) return stops;
    addSlab(memory, state, 40_000);
  }
}

/** Terms with their numbers; where things lie may differ. */
function contents(memory: CaseMemory, state: number): unknown[] {
  const records = memory.view.getUint32(state + InvertedState.records, true);
  return Array.from({ length: memory.view.getUint32(state + InvertedState.count, true) }, (_, id) => {
    const record = records + TermRecord.bytes * id;
    const get = (name: keyof typeof TermRecord): number => memory.view.getUint32(record + TermRecord[name], true);
    const term = Buffer.from(memory.bytes(termAddress(memory.view, record), get("key") & 0xffff)).toString("latin1");
    const first = memory.bytes(get("first"), Math.min(FIRST_SLICE_BYTES, get("level") * FIRST_SLICE_BYTES) - 4);
    return [term, get("hash"), get("key"), get("docFreq"), get("totalTermFreq"), get("lastDoc"), get("level"), first];
  });
}

function randomDocs(random: () => number, docs: number, tokens: number): Token[][] {
  return Array.from({ length: docs }, () => {
    let position = 0;
    return Array.from({ length: Math.floor(random() * tokens) }, () => {
      position += Math.floor(random() ** 6 * 300);
      const rank = Math.floor(random() ** 4 * 400);
      return [`t${rank}${rank % 7 === 0 ? "-a-rather-long-term-".repeat(1 + (rank % 40)) : ""}`, position] as const;
    });
  });
}

function sortedIds(kernels: Kernels, memory: CaseMemory, state: number): { ids: number; count: number } {
  const count = memory.view.getUint32(state + InvertedState.count, true);
  const ids = memory.putU32(Array.from({ length: count }, (_, i) => i));
  const records = memory.view.getUint32(state + InvertedState.records, true);
  kernels.sortTerms(records, ids, count, memory.alloc(SORT_SCRATCH_BASE_BYTES + SORT_SCRATCH_BYTES * count));
  return { ids, count };
}

interface Outputs {
  at: number;
  data: number;
  headers: number;
  positions: number;
}

type Presence = "noted" | "not wanted";

function encoder(
  memory: CaseMemory,
  room: number,
  shape: { withFreqs: boolean; norms: number; presence: Presence },
): Outputs {
  const at = memory.alloc(Encoder.bytes);
  const set = (offset: number, value: number): void => memory.view.setUint32(at + offset, value, true);
  const place = (next: number): number => {
    const address = memory.alloc(room);
    set(next, address);
    set(next + 4, address + room);
    return address;
  };
  set(Encoder.withFreqs, shape.withFreqs ? 1 : 0);
  set(Encoder.norms, shape.norms);
  set(Encoder.presence, shape.presence === "noted" ? memory.alloc(2000) : 0);
  place(Encoder.stream);
  return {
    at,
    data: place(Encoder.dataNext),
    headers: place(Encoder.headersNext),
    positions: place(Encoder.positionsNext),
  };
}

function written(memory: CaseMemory, out: Outputs): number[][] {
  const upTo = (from: number, next: number): number[] =>
    memory.bytes(from, memory.view.getUint32(out.at + next, true) - from);
  return [
    upTo(out.data, Encoder.dataNext),
    upTo(out.headers, Encoder.headersNext),
    upTo(out.positions, Encoder.positionsNext),
    memory.bytes(memory.view.getUint32(out.at + Encoder.presence, true), 2000),
  ];
}

/** Flushes all terms; returns rows, bytes, and where they lie. */
function flush(kernels: Kernels, memory: CaseMemory, state: number, withFreqs: boolean, presence: Presence = "noted") {
  const random = seeded(SEED + 9);
  const norms = memory.put(Uint8Array.from({ length: 4000 }, () => 1 + random() * 20));
  const { ids, count } = sortedIds(kernels, memory, state);
  const out = encoder(memory, 1_000_000, { withFreqs, norms: withFreqs ? norms : 0, presence });
  const rows = memory.alloc(TermRow.bytes * count);
  const records = memory.view.getUint32(state + InvertedState.records, true);
  const done = kernels.flushTerms({ records, ids, from: 0, count, encoder: out.at, rows });
  if (done !== count) throw new Error(`${done} of ${count} terms flushed`);
  return { out, rows, count, bytes: written(memory, out), numbers: memory.numbers(rows, 6 * count) };
}

function textBuffer(kernels: Kernels, memory: CaseMemory): number {
  const random = seeded(SEED);
  const state = buffer(kernels, memory, 1024, 100_000);
  randomDocs(random, 600, 60).forEach((tokens, doc) => {
    addDoc(kernels, memory, state, doc * 3, tokens);
  });
  return state;
}

function keywordBuffer(kernels: Kernels, memory: CaseMemory): number {
  const random = seeded(SEED + 1);
  const state = buffer(kernels, memory, 1024, 400_000);
  for (let doc = 0; doc < 1500; doc++) {
    const term = `${"k".repeat(Math.floor(random() * 40))}${Math.floor(random() ** 3 * 20)}`;
    const address = memory.putText(term);
    if (kernels.accumulateTerm(state, 65_535, address, term.length, doc) < 0) throw new Error("room is short");
    kernels.accumulateTerm(state, 65_535, address, term.length, doc);
  }
  return state;
}

/** A dictionary of the flushed terms, through windows that hold few: what was in them each time, and the numbers at the end. */
function dictionary(kernels: Kernels, memory: CaseMemory, state: number, withFreqs: boolean): unknown[] {
  const { rows, count } = flush(kernels, memory, state, withFreqs);
  const { ids } = sortedIds(kernels, memory, state);
  const records = memory.view.getUint32(state + InvertedState.records, true);
  const out = memory.alloc(TermsOut.bytes);
  const set = (offset: number, value: number): void => memory.view.setUint32(out + offset, value, true);
  const windows = [
    { next: TermsOut.dataNext, end: TermsOut.dataEnd, bytes: TermRoom.data + 5000, address: 0 },
    { next: TermsOut.statesNext, end: TermsOut.statesEnd, bytes: TermRoom.states + 900, address: 0 },
    { next: TermsOut.indexNext, end: TermsOut.indexEnd, bytes: TermRoom.index + 100, address: 0 },
  ];
  for (const window of windows) window.address = memory.alloc(window.bytes);
  const found: unknown[] = [];
  set(TermsOut.withFreqs, withFreqs ? 1 : 0);
  set(TermsOut.dataBase, -windows[0].address);
  set(TermsOut.statesBase, -windows[1].address);
  const run = { out, records, ids, rows, from: 0, count };
  for (let from = -1; run.from < count; ) {
    if (run.from === from) throw new Error(`term ${from} finds no room`);
    from = run.from;
    for (const { next, end, address, bytes } of windows) {
      const used = memory.view.getUint32(out + next, true);
      if (used > 0) found.push(memory.bytes(address, used - address));
      set(next, address);
      set(end, address + bytes);
    }
    run.from = from % 2 === 0 ? kernels.writeTerms(run) : writeOne(kernels, memory, run);
  }
  for (const { next, address } of windows) {
    found.push(memory.bytes(address, memory.view.getUint32(out + next, true) - address));
  }
  for (const offset of [TermsOut.count, TermsOut.lastLength, TermsOut.postings, TermsOut.headers, TermsOut.positions]) {
    found.push(memory.view.getUint32(out + offset, true));
  }
  return [...found, memory.view.getFloat64(out + TermsOut.sumTotalTermFreq, true)];
}

/** One term by itself; returns which is next. */
function writeOne(
  kernels: Kernels,
  memory: CaseMemory,
  { out, records, ids, rows, from }: { out: number; records: number; ids: number; rows: number; from: number },
): number {
  const record = records + TermRecord.bytes * memory.view.getUint32(ids + 4 * from, true);
  const length = memory.view.getUint32(record + TermRecord.key, true) & 0xffff;
  return from + kernels.writeTerm(out, termAddress(memory.view, record), length, rows + TermRow.bytes * from);
}

/** Merges each flushed term, dropping every seventh document, at most two blocks a call. */
function merge(kernels: Kernels, memory: CaseMemory, from: ReturnType<typeof flush>, withFreqs: boolean): unknown {
  const out = encoder(memory, 1_000_000, { withFreqs, norms: 0, presence: "noted" });
  const source = memory.alloc(MergeSource.bytes);
  const docMap = memory.putU32(Array.from({ length: 4000 }, (_, doc) => (doc % 7 === 0 ? 0xffffffff : doc)));
  const row = memory.alloc(TermRow.bytes);
  const rows: number[][] = [];
  let data = from.out.data;
  let positions = from.out.positions;
  for (let i = 0; i < from.count; i++) {
    const [docFreq, totalTermFreq, singletonDoc, , dataBytes, positionBytes] = from.numbers.slice(6 * i, 6 * i + 6);
    const hasImpacts = withFreqs && docFreq < BLOCK && docFreq > 1;
    const set = (name: keyof typeof MergeSource, value: number): void =>
      memory.view.setUint32(source + MergeSource[name], value, true);
    set("data", hasImpacts ? data + 1 + 2 * memory.u8[data] : data);
    set("docsLeft", docFreq);
    set("base", -1);
    set("positions", positions);
    set("positionsLeft", withFreqs ? totalTermFreq : 0);
    set("groupAt", 0);
    set("groupCount", 0);
    set("docMap", docMap);
    set("withFreqs", withFreqs ? 1 : 0);
    set("singletonDoc", singletonDoc);
    set("blockDocs", 0);
    kernels.beginTerm(out.at);
    while (kernels.mergePostings(out.at, source, 2) > 0);
    kernels.finishTerm(out.at, row);
    rows.push(memory.numbers(row, 6));
    data += dataBytes;
    positions += positionBytes;
  }
  return [rows, written(memory, out)];
}

/** Every block of every term, decoded. */
function decode(kernels: Kernels, memory: CaseMemory, from: ReturnType<typeof flush>, withFreqs: boolean): unknown[] {
  const docs = memory.alloc(4 * BLOCK);
  const freqs = memory.alloc(4 * BLOCK);
  const found: unknown[] = [];
  let data = from.out.data;
  let positions = from.out.positions;
  for (let i = 0; i < from.count; i++) {
    const [docFreq, totalTermFreq, singletonDoc] = from.numbers.slice(6 * i, 6 * i + 3);
    if (singletonDoc === NO_SINGLETON) {
      if (withFreqs && docFreq < BLOCK) data += 1 + 2 * memory.u8[data];
      for (let left = docFreq, base = -1; left > 0; left -= BLOCK) {
        const count = Math.min(BLOCK, left);
        data += kernels.decodePostings({ data, base, count, withFreqs, docs, freqs });
        found.push(memory.numbers(docs, count), memory.numbers(freqs, count));
        base = memory.u32[docs / 4 + count - 1];
      }
    }
    for (let left = withFreqs ? totalTermFreq : 0; left > 0; left -= BLOCK) {
      const count = Math.min(BLOCK, left);
      positions += kernels.decodePositions(positions, count, docs);
      found.push(memory.numbers(docs, count));
    }
  }
  return found;
}

export const postingsCases: KernelCase[] = [
  {
    kernels: ["accumulateTokens", "rebuildTermTable", "hashTokens"],
    title: `random documents, long terms, seed ${SEED}`,
    run: (kernels, memory) => contents(memory, textBuffer(kernels, memory)),
  },
  {
    kernels: ["accumulateTokens"],
    title: "stops when the slab is short and goes on where it stopped",
    run(kernels, memory) {
      const state = buffer(kernels, memory, 64, 1500);
      const stops = addDoc(kernels, memory, state, 0, [
        ["a", 0],
        ["b".repeat(2000), 1],
        ["a", 2],
        ["a", 2],
      ]);
      return [stops, contents(memory, state).map((term) => (term as unknown[]).slice(2, 6))];
    },
    expected: [
      1,
      [
        [3 * 65536 + 1, 1, 3, 0],
        [3 * 65536 + 2000, 1, 1, 0],
      ],
    ],
  },
  {
    kernels: ["accumulateTokens", "accumulateTerm"],
    title: "stops when a batch might not find room for its terms",
    run(kernels, memory) {
      const state = buffer(kernels, memory, 2, 100_000);
      const text = memory.putText("abc");
      const ids = [0, 1, 2, 0].map((i) => kernels.accumulateTerm(state, 1, text + i, 1, 0));
      const tokens = memory.putU32([0, 1, 0, 0]);
      return [ids, kernels.accumulateTokens({ state, field: 1, tokens, text, from: 0, count: 1, doc: 1 })];
    },
    expected: [[0, 1, -1, -1], 0],
  },
  {
    kernels: ["accumulateTerm"],
    title: `keywords, twice each, seed ${SEED}`,
    run: (kernels, memory) => contents(memory, keywordBuffer(kernels, memory)),
  },
  {
    kernels: ["sortTerms"],
    title: "unsigned bytes, shorter first, common beginnings, zero bytes",
    run(kernels, memory) {
      const terms = [
        "b",
        "",
        "a",
        "a\0",
        "a\0\0",
        "ab",
        "\xff",
        "\x7f",
        "abcdefgh",
        "abcdefg",
        "abcdefghi",
        "abcdefgh\0",
      ];
      for (let i = 0; i < 60; i++) terms.push(`common/prefix/that/is/long/${i % 30}${"\0".repeat(i % 11)}${i}`);
      const state = buffer(kernels, memory, 128, 50_000);
      for (const term of terms) {
        const bytes = Buffer.from(term, "latin1");
        kernels.accumulateTerm(state, 0, memory.put(bytes), bytes.length, 0);
      }
      const { ids, count } = sortedIds(kernels, memory, state);
      return memory.numbers(ids, count);
    },
  },
  {
    kernels: ["sortTerms"],
    title: `random terms over two letters, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      const state = buffer(kernels, memory, 4096, 800_000);
      for (let i = 0; i < 2000; i++) {
        const bytes = Uint8Array.from({ length: random() * 40 }, () => (random() < 0.8 ? 0 : 97));
        kernels.accumulateTerm(state, 0, memory.put(bytes), bytes.length, 0);
      }
      const { ids, count } = sortedIds(kernels, memory, state);
      return memory.numbers(ids, count);
    },
  },
  {
    kernels: ["flushTerms"],
    title: `terms of one document, with no, one and more groups of positions, seed ${SEED}`,
    run(kernels, memory) {
      const text = textBuffer(kernels, memory);
      const random = seeded(SEED + 4);
      [1, 2, 127, 128, 129, 300].forEach((freq, i) => {
        let position = 0;
        const tokens = Array.from({ length: freq }, (): Token => {
          position += Math.floor(random() ** 4 * 1000);
          return [`once${i}`, position];
        });
        addDoc(kernels, memory, text, 1800 + i, tokens);
      });
      return [
        flush(kernels, memory, text, true, "not wanted"),
        flush(kernels, memory, keywordBuffer(kernels, memory), false, "not wanted"),
      ].map(({ numbers, bytes }) => [numbers, bytes]);
    },
  },
  {
    kernels: ["writeTerms", "writeTerm"],
    title: `dictionaries of text and of keywords, seed ${SEED}`,
    run: (kernels, memory) => [
      dictionary(kernels, memory, textBuffer(kernels, memory), true),
      dictionary(kernels, memory, keywordBuffer(kernels, memory), false),
    ],
  },
  {
    kernels: ["flushTerms", "beginTerm", "finishTerm", "decodePostings", "decodePositions", "mergePostings"],
    title: `text: flushed, decoded and merged with deletions, seed ${SEED}`,
    run(kernels, memory) {
      const flushed = flush(kernels, memory, textBuffer(kernels, memory), true);
      return [
        flushed.numbers,
        flushed.bytes,
        decode(kernels, memory, flushed, true),
        merge(kernels, memory, flushed, true),
      ];
    },
  },
  {
    kernels: ["flushTerms", "decodePostings", "mergePostings"],
    title: `keywords: flushed, decoded and merged with deletions, seed ${SEED}`,
    run(kernels, memory) {
      const flushed = flush(kernels, memory, keywordBuffer(kernels, memory), false);
      return [
        flushed.numbers,
        flushed.bytes,
        decode(kernels, memory, flushed, false),
        merge(kernels, memory, flushed, false),
      ];
    },
  },
  {
    kernels: ["flushTerms"],
    title: "stops at a term whose postings might not find room",
    run(kernels, memory) {
      const state = keywordBuffer(kernels, memory);
      const { ids, count } = sortedIds(kernels, memory, state);
      const out = encoder(memory, 700, { withFreqs: false, norms: 0, presence: "noted" });
      const records = memory.view.getUint32(state + InvertedState.records, true);
      return (
        kernels.flushTerms({ records, ids, from: 0, count, encoder: out.at, rows: memory.alloc(24 * count) }) < count
      );
    },
    expected: true,
  },
];
