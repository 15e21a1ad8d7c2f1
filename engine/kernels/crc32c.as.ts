// Kernel of crc32c.ts. Differs: eight bytes a step, one table look-up each (slicing-by-8), all independent.
//
//   crc32c  address, length, crc (0 to begin)

/** CRC_TABLES_ADDRESS of memory.ts; table k begins k KiB further. */
const TABLES: usize = 32768;

// @ts-ignore: decorator
@inline
function entry(table: usize, byte: u32): u32 {
  return load<u32>(TABLES + (table << 10) + (<usize>(byte & 0xff) << 2));
}

export function crc32c(address: usize, length: u32, crc: u32): u32 {
  let value = ~crc;
  let at = address;
  const end = address + length;
  while (at + 8 <= end) {
    const word = load<u64>(at) ^ <u64>value;
    const low = <u32>word;
    const high = <u32>(word >> 32);
    value =
      entry(7, low) ^ entry(6, low >> 8) ^ entry(5, low >> 16) ^ entry(4, low >> 24) ^
      entry(3, high) ^ entry(2, high >> 8) ^ entry(1, high >> 16) ^ entry(0, high >> 24);
    at += 8;
  }
  while (at < end) value = (value >> 8) ^ entry(0, value ^ <u32>load<u8>(at++));
  return ~value;
}
