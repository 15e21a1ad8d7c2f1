// Kernel of json-text.ts. Differs: 16 bytes at a time are compared, and copied whole.
//
//   plainText     address
//   unescapeText  source, end; target (end - source bytes and 16 more)
//
// Reads up to 15 bytes behind the string, writes up to 15 bytes behind its meaning.

const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
const LETTER_U: u32 = 0x75;

// What a letter behind a backslash stands for; 0: nothing, or \u.
// @ts-ignore: decorator
@inline
function escaped(letter: u32): u32 {
  switch (letter) {
    case 0x6e: // n
      return 10;
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // slash
      return letter;
    case 0x74: // t
      return 9;
    case 0x72: // r
      return 13;
    case 0x62: // b
      return 8;
    case 0x66: // f
      return 12;
    default:
      return 0;
  }
}

export function plainText(address: usize): u32 {
  let at = address;
  let escapes: u32 = 0;
  for (;;) {
    const v = v128.load(at);
    // Below a space (unsigned) or, seen as a signed byte, negative: control characters and bytes beyond ASCII.
    const special = v128.or(
      i8x16.lt_s(v, i8x16.splat(0x20)),
      v128.or(i8x16.eq(v, i8x16.splat(0x22)), i8x16.eq(v, i8x16.splat(0x5c))),
    );
    const mask = <u32>i8x16.bitmask(special);
    if (mask == 0) {
      at += 16;
      continue;
    }
    at += <usize>ctz(mask);
    if (load<u8>(at) != BACKSLASH || escaped(load<u8>(at, 1)) == 0) break;
    escapes = 1;
    at += 2;
  }
  return 2 * <u32>(at - address) + escapes;
}

export function unescapeText(source: usize, end: usize, target: usize): u32 {
  let at = source;
  let to = target;
  while (at < end) {
    const v = v128.load(at);
    v128.store(to, v);
    const mask = <u32>i8x16.bitmask(i8x16.eq(v, i8x16.splat(0x5c)));
    const plain = min<usize>(mask == 0 ? 16 : <usize>ctz(mask), end - at);
    at += plain;
    to += plain;
    if (plain == 16 || at >= end) continue;
    const letter = <u32>load<u8>(at, 1);
    at += 2;
    if (letter != LETTER_U) {
      store<u8>(to++, escaped(letter));
      continue;
    }
    let unit = readHex(at);
    at += 4;
    if (unit >= 0xd800 && unit <= 0xdbff && at < end && load<u8>(at) == BACKSLASH && load<u8>(at, 1) == LETTER_U) {
      const low = readHex(at + 2);
      if (low >= 0xdc00 && low <= 0xdfff) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      }
    }
    to = writeCodePoint(to, unit >= 0xd800 && unit <= 0xdfff ? 0xfffd : unit);
  }
  return <u32>(to - target);
}

function readHex(at: usize): u32 {
  return (hexDigit(at) << 12) | (hexDigit(at + 1) << 8) | (hexDigit(at + 2) << 4) | hexDigit(at + 3);
}

// @ts-ignore: decorator
@inline
function hexDigit(at: usize): u32 {
  const byte = <u32>load<u8>(at);
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
}

function writeCodePoint(to: usize, codePoint: u32): usize {
  if (codePoint < 0x80) {
    store<u8>(to, codePoint);
    return to + 1;
  }
  if (codePoint < 0x800) {
    store<u8>(to, 0xc0 | (codePoint >> 6));
    store<u8>(to, 0x80 | (codePoint & 0x3f), 1);
    return to + 2;
  }
  if (codePoint < 0x10000) {
    store<u8>(to, 0xe0 | (codePoint >> 12));
    store<u8>(to, 0x80 | ((codePoint >> 6) & 0x3f), 1);
    store<u8>(to, 0x80 | (codePoint & 0x3f), 2);
    return to + 3;
  }
  store<u8>(to, 0xf0 | (codePoint >> 18));
  store<u8>(to, 0x80 | ((codePoint >> 12) & 0x3f), 1);
  store<u8>(to, 0x80 | ((codePoint >> 6) & 0x3f), 2);
  store<u8>(to, 0x80 | (codePoint & 0x3f), 3);
  return to + 4;
}
