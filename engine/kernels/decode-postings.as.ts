// Kernel of decode-postings.ts. Differs: vectors; one is added while unpacking.
//
//   decodePostings   data, base, count, withFreqs, docs, freqs (or 0). Returns the bytes read.
//   decodePositions  address, count, out. Returns the bytes read.
import { prefixSum128, unpack128, unpackPlus } from "./pack.as";
import { readVarint, varintBytes } from "./varint.as";

const BLOCK: u32 = 128;

export function decodePostings(data: usize, base: u32, count: u32, withFreqs: u32, docs: usize, freqs: usize): u32 {
  return count == BLOCK ? fullBlock(data, base, withFreqs, docs, freqs) : lastBlock(data, base, count, withFreqs, docs, freqs);
}

// @ts-ignore: decorator
@inline
function fullBlock(data: usize, base: u32, withFreqs: u32, docs: usize, freqs: usize): u32 {
  const docWidth = <i32>load<u8>(data);
  const freqWidth = withFreqs ? <i32>load<u8>(data, 1) : 0;
  const packed = data + 1 + <usize>withFreqs;
  const one = i32x4.splat(1);
  unpackPlus(packed, docWidth, docs, one);
  prefixSum128(docs, base);
  if (freqs != 0) unpackPlus(packed + (<usize>docWidth << 4), freqWidth, freqs, one);
  return <u32>(packed - data) + 16 * (docWidth + freqWidth);
}

// @ts-ignore: decorator
@inline
function lastBlock(data: usize, base: u32, count: u32, withFreqs: u32, docs: usize, freqs: usize): u32 {
  let p = data;
  let doc = base;
  for (let i: usize = 0; i < <usize>count; i++) {
    const head = readVarint(p);
    p += varintBytes(head);
    let freq: u32 = 1;
    if (withFreqs) {
      doc += 1 + (head >> 1);
      if ((head & 1) == 0) {
        const more = readVarint(p);
        p += varintBytes(more);
        freq = more + 2;
      }
    } else {
      doc += 1 + head;
    }
    store<u32>(docs + (i << 2), doc);
    if (freqs != 0) store<u32>(freqs + (i << 2), freq);
  }
  return <u32>(p - data);
}

export function decodePositions(address: usize, count: u32, out: usize): u32 {
  if (count == BLOCK) {
    const width = <i32>load<u8>(address);
    unpack128(address + 1, width, out);
    return 1 + 16 * width;
  }
  let p = address;
  for (let i: usize = 0; i < <usize>count; i++) {
    const value = readVarint(p);
    p += varintBytes(value);
    store<u32>(out + (i << 2), value);
  }
  return <u32>(p - address);
}
