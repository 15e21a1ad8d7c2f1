// Kernel of grams.ts. Differs: gathers without branches on whether a gram is new (a fifth of them is), sorts by counting
// in two passes, reads and writes bits 64 at a time: behind lists and entries 16 bytes more must be readable, and may be
// overwritten where something is written.
//
//   gatherGrams   gatherer, text, length
//   forgetGrams   seen, entries, count
//   sortGrams     entries, count, scratch (a copy of the entries, then SORT_GRAMS_TABLE_BYTES)
//   takeGram      entries, end of them, base, out
//   encodeChunks  chunks, count, total, out
//   decodeChunks  list, count, out
//   bitmapChunks  bitmap, total, out
//   mapChunks     chunks, count, map, out
const LINE_FEED: u32 = 10;
const GRAM_MASK: u32 = 0x1fffff;
const TAG_BITS: u32 = 11;
const TAG_MASK: u32 = 2047;
const LOW_DIGITS: u32 = 2048;
const HIGH_DIGITS: u32 = 1024;
const GROUP: u32 = 64;
const WIDTH_BITS: u32 = 5;
const LONG_GAP: u32 = 24;
const DROPPED: u32 = 0xffffffff;

export function gatherGrams(gatherer: usize, text: usize, length: u32): u32 {
  const letters = <usize>load<u32>(gatherer);
  const seen = <usize>load<u32>(gatherer, 4);
  const first = <usize>load<u32>(gatherer, 8);
  const tag = load<u32>(gatherer, 12);
  let lines = load<u32>(gatherer, 16);
  let out = first;
  let gram: u32 = 0;
  let at = text;
  const end = text + length;
  while (at < end) {
    // A line: two letters, then a gram a letter.
    gram = load<u8>(letters + load<u8>(at++));
    if (gram == LINE_FEED) {
      lines++;
      continue;
    }
    if (at >= end) break;
    let letter = <u32>load<u8>(letters + load<u8>(at++));
    if (letter == LINE_FEED) {
      lines++;
      continue;
    }
    gram = (gram << 7) | letter;
    while (at < end) {
      letter = load<u8>(letters + load<u8>(at++));
      if (letter == LINE_FEED) {
        lines++;
        break;
      }
      gram = ((gram << 7) | letter) & GRAM_MASK;
      const place = seen + <usize>(gram >> 5 << 2);
      const word = load<u32>(place);
      store<u32>(out, (gram << TAG_BITS) | tag);
      out += <usize>(((word >> (gram & 31)) & 1) ^ 1) << 2;
      store<u32>(place, word | (<u32>1 << (gram & 31)));
    }
  }
  store<u32>(gatherer, <u32>out, 8);
  store<u32>(gatherer, lines, 16);
  return <u32>(out - first) >> 2;
}

export function forgetGrams(seen: usize, entries: usize, count: u32): void {
  const end = entries + (<usize>count << 2);
  for (let at = entries; at < end; at += 4) store<u32>(seen + <usize>(load<u32>(at) >> TAG_BITS >> 5 << 2), 0);
}

export function sortGrams(entries: usize, count: u32, scratch: usize): void {
  const bytes = <usize>count << 2;
  const low = scratch + bytes;
  const high = low + (<usize>LOW_DIGITS << 2);
  memory.fill(low, 0, (LOW_DIGITS + HIGH_DIGITS) << 2);
  for (let at = entries; at < entries + bytes; at += 4) {
    const gram = load<u32>(at) >> TAG_BITS;
    count1(low + <usize>((gram & (LOW_DIGITS - 1)) << 2));
    count1(high + <usize>(gram >> 11 << 2));
  }
  toPlaces(low, LOW_DIGITS, scratch);
  toPlaces(high, HIGH_DIGITS, entries);
  for (let at = entries; at < entries + bytes; at += 4) {
    const entry = load<u32>(at);
    place(low + <usize>(((entry >> TAG_BITS) & (LOW_DIGITS - 1)) << 2), entry);
  }
  for (let at = scratch; at < scratch + bytes; at += 4) {
    const entry = load<u32>(at);
    place(high + <usize>(entry >> 22 << 2), entry);
  }
}

// @ts-ignore: decorator
@inline
function count1(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}

// @ts-ignore: decorator
@inline
function place(next: usize, entry: u32): void {
  const at = load<u32>(next);
  store<u32>(<usize>at, entry);
  store<u32>(next, at + 4);
}

/** Turns counts into addresses. */
function toPlaces(counts: usize, digits: u32, first: usize): void {
  let next = <u32>first;
  for (let at = counts; at < counts + (<usize>digits << 2); at += 4) {
    const count = load<u32>(at);
    store<u32>(at, next);
    next += count << 2;
  }
}

export function takeGram(entries: usize, end: usize, base: u32, out: usize): u32 {
  const gram = load<u32>(entries) >> TAG_BITS;
  const first = out;
  for (let at = entries; at < end; at += 4) {
    const entry = load<u32>(at);
    if (entry >> TAG_BITS != gram) break;
    store<u32>(out, base + (entry & TAG_MASK));
    out += 4;
  }
  return <u32>(out - first) >> 2;
}

export function encodeChunks(chunks: usize, count: u32, total: u32, out: usize): u32 {
  const bitmapBytes = (total + 7) >> 3;
  const end = chunks + (<usize>count << 2);
  const limit = <u64>bitmapBytes << 3;
  let bits: u64 = 0;
  let acc: u64 = 0;
  let filled: u32 = 0;
  let write = out;
  let next: u32 = 0;
  for (let from = chunks; from < end; from += <usize>GROUP << 2) {
    const to = min(end, from + (<usize>GROUP << 2));
    const inGroup = <u32>(to - from) >> 2;
    const sum = load<u32>(to - 4) + 1 - next - inGroup;
    const k = riceWidth(sum, inGroup);
    if (filled >= 32) {
      store<u32>(write, <u32>acc);
      write += 4;
      acc >>= 32;
      filled -= 32;
    }
    acc |= <u64>k << filled;
    filled += WIDTH_BITS;
    bits += WIDTH_BITS;
    for (let at = from; at < to; at += 4) {
      const chunk = load<u32>(at);
      const gap = chunk - next;
      next = chunk + 1;
      if (filled >= 32) {
        store<u32>(write, <u32>acc);
        write += 4;
        acc >>= 32;
        filled -= 32;
      }
      const ones = gap >> k;
      if (ones >= LONG_GAP) {
        acc |= ((<u64>1 << LONG_GAP) - 1) << filled;
        filled += LONG_GAP;
        bits += LONG_GAP + 32;
        if (filled >= 32) {
          store<u32>(write, <u32>acc);
          write += 4;
          acc >>= 32;
          filled -= 32;
        }
        acc |= <u64>gap << filled;
        filled += 32;
        continue;
      }
      // At most 24 + 31 bits behind less than 32: done in two.
      acc |= ((<u64>1 << ones) - 1) << filled;
      filled += ones + 1;
      if (filled >= 32) {
        store<u32>(write, <u32>acc);
        write += 4;
        acc >>= 32;
        filled -= 32;
      }
      acc |= <u64>(gap & ((<u32>1 << k) - 1)) << filled;
      filled += k;
      bits += ones + 1 + k;
    }
    if (bits > limit) {
      writeBitmap(chunks, end, bitmapBytes, out);
      return 0;
    }
  }
  store<u64>(write, acc);
  return <u32>((bits + 7) >> 3);
}

function writeBitmap(chunks: usize, end: usize, bytes: u32, out: usize): void {
  memory.fill(out, 0, bytes);
  for (let at = chunks; at < end; at += 4) setBit(out, load<u32>(at));
}

// @ts-ignore: decorator
@inline
function setBit(bits: usize, chunk: u32): void {
  const byte = bits + <usize>(chunk >> 3);
  store<u8>(byte, load<u8>(byte) | (<u8>1 << <u8>(chunk & 7)));
}

// @ts-ignore: decorator
@inline
function riceWidth(sum: u32, count: u32): u32 {
  const scaled = <u32>((<u64>sum * 45) / (<u64>count << 6));
  return scaled < 1 ? 0 : 31 - clz<u32>(scaled);
}

export function decodeChunks(list: usize, count: u32, out: usize): void {
  let bit: u64 = 0;
  let next: u32 = 0;
  for (let from: u32 = 0; from < count; from += GROUP) {
    const k = <u32>(bitsAt(list, bit) & 31);
    const mask = (<u64>1 << k) - 1;
    bit += WIDTH_BITS;
    const end = out + (<usize>min(GROUP, count - from) << 2);
    for (; out < end; out += 4) {
      const word = bitsAt(list, bit);
      const ones = <u32>ctz<u64>(~word);
      if (ones < LONG_GAP) {
        next += (ones << k) | <u32>((word >> (ones + 1)) & mask);
        bit += ones + 1 + k;
      } else {
        next += <u32>bitsAt(list, bit + LONG_GAP);
        bit += LONG_GAP + 32;
      }
      store<u32>(out, next++);
    }
  }
}

/** At least 57 bits from this one on. */
// @ts-ignore: decorator
@inline
function bitsAt(list: usize, bit: u64): u64 {
  return load<u64>(list + <usize>(bit >> 3)) >> (bit & 7);
}

export function bitmapChunks(bitmap: usize, total: u32, out: usize): u32 {
  const first = out;
  for (let from: u32 = 0; from < total; from += 64) {
    let word = load<u64>(bitmap + <usize>(from >> 3));
    const left = total - from;
    if (left < 64) word &= (<u64>1 << left) - 1;
    while (word != 0) {
      store<u32>(out, from + <u32>ctz<u64>(word));
      out += 4;
      word &= word - 1;
    }
  }
  return <u32>(out - first) >> 2;
}

export function mapChunks(chunks: usize, count: u32, map: usize, out: usize): u32 {
  const first = out;
  const end = chunks + (<usize>count << 2);
  let last: u32 = DROPPED;
  for (let at = chunks; at < end; at += 4) {
    const mapped = load<u32>(map + (<usize>load<u32>(at) << 2));
    if (mapped == DROPPED || mapped == last) continue;
    store<u32>(out, mapped);
    out += 4;
    last = mapped;
  }
  return <u32>(out - first) >> 2;
}
