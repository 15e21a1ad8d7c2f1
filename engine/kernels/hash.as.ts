// Kernel of hash.ts. Differs: eight bytes are loaded at once, the last ones masked; needs 8 readable bytes behind a term.
//
//   hashBytes   address, length of the bytes
//   hashTokens  text, tokens (entries of 16 bytes: start, length, position, hash), count

/** The first `length` bytes at `address` as a number, bytes beyond them zero. */
// @ts-ignore: decorator
@inline
export function loadUpTo8(address: usize, length: i32): u64 {
  const word = load<u64>(address);
  return length >= 8 ? word : word & ((<u64>1 << (length << 3)) - 1);
}

export function hashBytes(address: usize, length: i32): u32 {
  let hash: u32 = <u32>length * 0x9e3779b1;
  while (length > 0) {
    const word = loadUpTo8(address, length);
    hash = rotl<u32>((hash ^ <u32>word) * 0x85ebca6b, 15);
    hash = (hash ^ <u32>(word >> 32)) * 0xc2b2ae35;
    hash ^= hash >> 15;
    address += 8;
    length -= 8;
  }
  hash = (hash ^ (hash >> 13)) * 0x27d4eb2f;
  return hash ^ (hash >> 16);
}

/** The same where nearly all have eight bytes or less: no call for those. */
// @ts-ignore: decorator
@inline
export function hashShort(address: usize, length: i32): u32 {
  if (length <= 0 || length > 8) return hashBytes(address, length);
  const word = loadUpTo8(address, length);
  let hash: u32 = <u32>length * 0x9e3779b1;
  hash = rotl<u32>((hash ^ <u32>word) * 0x85ebca6b, 15);
  hash = (hash ^ <u32>(word >> 32)) * 0xc2b2ae35;
  hash ^= hash >> 15;
  hash = (hash ^ (hash >> 13)) * 0x27d4eb2f;
  return hash ^ (hash >> 16);
}

export function hashTokens(text: usize, tokens: usize, count: u32): void {
  const end = tokens + (<usize>count << 4);
  for (let entry = tokens; entry < end; entry += 16) {
    store<u32>(entry, hashShort(text + load<u32>(entry), load<i32>(entry, 4)), 12);
  }
}
