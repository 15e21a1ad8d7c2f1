// Varints of varint.ts. A read gives the value alone, its size follows from the value: `p += varintBytes(v)`.

// @ts-ignore: decorator
@inline
export function writeVarint(out: usize, value: u32): usize {
  while (value > 127) {
    store<u8>(out++, <u8>(value | 128));
    value >>= 7;
  }
  store<u8>(out, <u8>value);
  return out + 1;
}

// @ts-ignore: decorator
@inline
export function readVarint(at: usize): u32 {
  const byte = <u32>load<u8>(at);
  return byte < 128 ? byte : readLong(at);
}

function readLong(at: usize): u32 {
  let value: u32 = 0;
  let shift: u32 = 0;
  while (true) {
    const byte = <u32>load<u8>(at++);
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
    shift += 7;
  }
}

/** Bytes that the varint of a value takes. */
// @ts-ignore: decorator
@inline
export function varintBytes(value: u32): usize {
  return value < 128 ? 1 : <usize>(38 - <u32>clz(value)) / 7;
}
