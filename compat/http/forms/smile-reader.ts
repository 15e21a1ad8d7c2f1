/** Smile (smile-format.ts) to JSON text. */
import { printDouble, printFloat } from "../../json/print.js";
import { ByteSource, numberText } from "./byte-source.js";
import {
  FLAG_SHARED_NAMES,
  FLAG_SHARED_TEXTS,
  MAX_SHARED,
  MAX_SHARED_BYTES,
  SMILE_HEADER,
  Token,
} from "./smile-format.js";

/** JSON text of one document. Throws ApiError 400. */
export function readSmile(bytes: Buffer): string {
  const documents = readSmileDocuments(bytes);
  if (documents.length !== 1) throw new ByteSource(bytes, "Smile").wrong(`${documents.length} values instead of one`);
  return documents[0];
}

/** JSON texts of documents one after the other, as a bulk body has them. Throws ApiError 400. */
export function readSmileDocuments(bytes: Buffer): string[] {
  const source = new ByteSource(bytes, "Smile");
  const texts: string[] = [];
  let reader: SmileReader | undefined;
  while (!source.done) {
    if (source.peek() === SMILE_HEADER[0]) reader = new SmileReader(source);
    if (reader === undefined) throw source.wrong("it does not begin with the header");
    texts.push(reader.value());
    while (source.peek() === Token.end) source.byte();
  }
  return texts;
}

/** What has been seen and may be referred to. */
class Shared {
  readonly #texts: string[] = [];

  constructor(private readonly kept: boolean) {}

  add(text: string, bytes: number): string {
    if (!this.kept || bytes > MAX_SHARED_BYTES) return text;
    if (this.#texts.length === MAX_SHARED) this.#texts.length = 0;
    this.#texts.push(text);
    return text;
  }

  get(source: ByteSource, at: number): string {
    const text = this.#texts[at];
    if (text === undefined) throw source.wrong(`a reference to text ${at}, which there is not`);
    return text;
  }
}

/** Reads the values behind one header. */
class SmileReader {
  readonly #names: Shared;
  readonly #texts: Shared;

  constructor(private readonly source: ByteSource) {
    for (const expected of SMILE_HEADER) if (source.byte() !== expected) throw source.wrong("no Smile header");
    const flags = source.byte();
    if (flags >>> 4 !== 0) throw source.wrong(`version ${flags >>> 4} is not known`);
    this.#names = new Shared((flags & FLAG_SHARED_NAMES) !== 0);
    this.#texts = new Shared((flags & FLAG_SHARED_TEXTS) !== 0);
  }

  value(): string {
    const { source } = this;
    const token = source.byte();
    if (token >= 0x01 && token <= 0x1f) return this.#texts.get(source, token - 1);
    if (token >= 0x40 && token <= 0x7f) return this.#shortText(token - 0x3f);
    if (token >= 0x80 && token <= 0xbf) return this.#shortText(token - 0x7e);
    if (token >= 0xc0 && token <= 0xdf) return String(unzigzag(BigInt(token & 0x1f)));
    if (token >= 0xec && token <= 0xef) return this.#texts.get(source, ((token & 3) << 8) | source.byte());
    return this.#marked(token);
  }

  #marked(token: number): string {
    const { source } = this;
    switch (token) {
      case Token.empty:
        return '""';
      case Token.null:
        return "null";
      case Token.false:
        return "false";
      case Token.true:
        return "true";
      case Token.int:
      case Token.long:
        return String(unzigzag(vint(source)));
      case Token.bigInteger:
        return String(bigInteger(source));
      case Token.float:
        return numberText(source, floatOf(sevenBits(source, 5)), printFloat);
      case Token.double:
        return numberText(source, doubleOf(sevenBits(source, 10)), printDouble);
      case Token.bigDecimal:
        return decimal(unzigzag(vint(source)), bigInteger(source));
      case Token.longAscii:
      case Token.longText:
        return source.text(source.until(Token.textEnd));
      case Token.binary:
        return JSON.stringify(packedBytes(source).toString("base64"));
      case Token.arrayStart:
        return source.within(() => this.#array());
      case Token.objectStart:
        return source.within(() => this.#object());
      default:
        throw source.wrong(`0x${token.toString(16)} begins no value`);
    }
  }

  #shortText(length: number): string {
    return this.#texts.add(this.source.text(this.source.take(length)), length);
  }

  #array(): string {
    const texts: string[] = [];
    while (this.source.peek() !== Token.arrayEnd) texts.push(this.value());
    this.source.byte();
    return `[${texts.join(",")}]`;
  }

  #object(): string {
    const texts: string[] = [];
    for (let token = this.source.byte(); token !== Token.objectEnd; token = this.source.byte()) {
      const name = this.#name(token);
      texts.push(`${name}:${this.value()}`);
    }
    return `{${texts.join(",")}}`;
  }

  #name(token: number): string {
    const { source } = this;
    if (token === Token.empty) return '""';
    if (token >= 0x30 && token <= 0x33) return this.#names.get(source, ((token & 3) << 8) | source.byte());
    if (token === Token.longName) return source.text(source.until(Token.textEnd));
    if (token >= 0x40 && token <= 0x7f) return this.#names.get(source, token - 0x40);
    if (token >= 0x80 && token <= 0xbf) return this.#shortName(token - 0x7f);
    if (token >= 0xc0 && token <= 0xf7) return this.#shortName(token - 0xbe);
    throw source.wrong(`0x${token.toString(16)} begins no name`);
  }

  #shortName(length: number): string {
    return this.#names.add(this.source.text(this.source.take(length)), length);
  }
}

/** Longest VInt: 64 bits. */
const MAX_VINT_BYTES = 10;

function vint(source: ByteSource): bigint {
  let value = 0n;
  for (let count = 0; count < MAX_VINT_BYTES; count++) {
    const byte = source.byte();
    if ((byte & 0x80) !== 0) return (value << 6n) | BigInt(byte & 0x3f);
    value = (value << 7n) | BigInt(byte);
  }
  throw source.wrong("a number that does not end");
}

function unzigzag(value: bigint): bigint {
  return (value & 1n) === 0n ? value >> 1n : -(value >> 1n) - 1n;
}

/** Bytes of 7 bits as one number. */
function sevenBits(source: ByteSource, bytes: number): bigint {
  let value = 0n;
  for (const byte of source.take(bytes)) value = (value << 7n) | BigInt(byte & 0x7f);
  return value;
}

function floatOf(bits: bigint): number {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Number(bits & 0xffffffffn));
  return bytes.readFloatBE();
}

function doubleOf(bits: bigint): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(bits & 0xffffffffffffffffn);
  return bytes.readDoubleBE();
}

/** A length, then so many bytes as 7-bit ones: 8 for 7; a last byte holds what is left of a shorter group, at its right. */
function packedBytes(source: ByteSource): Buffer {
  const length = vint(source);
  if (length > BigInt(source.left)) throw source.wrong("a length beyond the end");
  const out = Buffer.alloc(Number(length));
  for (let at = 0; at < out.length; at += 7) {
    const count = Math.min(7, out.length - at);
    let group = 0n;
    for (let i = 0; i < count; i++) group = (group << 7n) | BigInt(source.byte() & 0x7f);
    group = (group << BigInt(count)) | BigInt(source.byte() & ((1 << count) - 1));
    for (let i = count - 1; i >= 0; i--) {
      out[at + i] = Number(group & 0xffn);
      group >>= 8n;
    }
  }
  return out;
}

/** Two's complement, most significant byte first. */
function bigInteger(source: ByteSource): bigint {
  const bytes = packedBytes(source);
  if (bytes.length === 0) return 0n;
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString("hex")}`));
}

function decimal(scale: bigint, unscaled: bigint): string {
  return scale === 0n ? `${unscaled}.0` : `${unscaled}E${-scale}`;
}
