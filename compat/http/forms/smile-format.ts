/**
 * The Smile format, version 1 (github.com/FasterXML/smile-format-specification), as far as documents need it.
 *
 *   header   3a 29 0a and flags: 1 names may be referred to, 2 short texts may be, 4 raw binary may occur
 *   values   01-1f    short text seen before, by number + 1         20-23  empty text, null, false, true
 *            24 25    whole number, zigzag VInt                     26     big whole number: VInt length, 7-bit bytes
 *            28 29    float in 5 bytes of 7 bits, double in 10      2a     big decimal: zigzag VInt scale, then as 26
 *            40-5f    1-32 bytes of ASCII                           60-7f  33-64 bytes of ASCII
 *            80-9f    2-33 bytes of UTF-8                           a0-bf  34-65 bytes of UTF-8
 *            c0-df    -16 to 15, zigzag                             e0 e4  long ASCII, UTF-8, up to fc
 *            e8       bytes: VInt length, 7-bit bytes               ec-ef  text seen before, 10 bits
 *            f8 f9    begin and end of an array                     fa     begin of an object
 *   names    20       empty    30-33  name seen before, 10 bits     34     long, up to fc
 *            40-7f    name seen before                              80-bf  1-64 bytes of ASCII
 *            c0-f7    2-57 bytes of UTF-8                           fb     end of the object
 *   ff       end of a document; in a bulk body between documents
 *
 * A VInt is big-endian, 7 bits a byte; its last byte has bit 7 set and 6 bits of the number.
 */
export const SMILE_HEADER: readonly number[] = [0x3a, 0x29, 0x0a];
export const FLAG_SHARED_NAMES = 1;
export const FLAG_SHARED_TEXTS = 2;

export const Token = {
  empty: 0x20,
  null: 0x21,
  false: 0x22,
  true: 0x23,
  int: 0x24,
  long: 0x25,
  bigInteger: 0x26,
  float: 0x28,
  double: 0x29,
  bigDecimal: 0x2a,
  longName: 0x34,
  longAscii: 0xe0,
  longText: 0xe4,
  binary: 0xe8,
  arrayStart: 0xf8,
  arrayEnd: 0xf9,
  objectStart: 0xfa,
  objectEnd: 0xfb,
  textEnd: 0xfc,
  rawBinary: 0xfd,
  end: 0xff,
} as const;

/** Texts and names that may be referred to: so many, then the list begins anew. */
export const MAX_SHARED = 1_024;
/** Longer ones are not kept, in bytes. */
export const MAX_SHARED_BYTES = 64;
