import { crc32, deflateSync } from "node:zlib";

/** A PNG of one grey, `width` x `height` pixels. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A GIF's header and end. */
export function gif(width: number, height: number): Buffer {
  const bytes = Buffer.from("GIF89a\0\0\0\0\0\0\0;", "latin1");
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

/** The first block of a lossy WebP. */
export function webp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(32, 4);
  bytes.write("WEBPVP8 ", 8, "latin1");
  bytes.writeUInt32LE(20, 16);
  bytes.set([0x10, 0, 0, 0x9d, 0x01, 0x2a], 20);
  bytes.writeUInt16LE(width, 26);
  bytes.writeUInt16LE(height, 28);
  return bytes;
}

/** What a camera writes into a picture. */
export interface Shot {
  /** Each of the three has four characters at least: shorter texts would lie elsewhere. */
  make: string;
  model: string;
  /** `2021:06:05 10:20:30`. */
  taken: string;
}

/** A JPEG's beginning with its EXIF block and dimensions; there is no picture. */
export function jpeg(width: number, height: number, shot: Shot): Buffer {
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff(shot)]);
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([Buffer.of(0xff, 0xd8), segment(0xe1, exif), segment(0xc0, frame), Buffer.of(0xff, 0xd9)]);
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

const MAKE = 0x10f;
const MODEL = 0x110;
const EXIF_BLOCK = 0x8769;
const DATE_TAKEN = 0x9003;

/** Two directories of TIFF 6.0: camera, then the block with the time. Texts lie after both. */
function tiff({ make, model, taken }: Shot): Buffer {
  const texts = [make, model, taken].map((text) => Buffer.from(`${text}\0`, "latin1"));
  const exifAt = 8 + 2 + 3 * 12 + 4;
  let textAt = exifAt + 2 + 12 + 4;
  const entries = texts.map((text) => {
    const entry = { length: text.length, at: textAt };
    textAt += text.length;
    return entry;
  });
  const head = Buffer.from("49492a0008000000", "hex");
  const first = directory([
    [MAKE, 2, entries[0]!.length, entries[0]!.at],
    [MODEL, 2, entries[1]!.length, entries[1]!.at],
    [EXIF_BLOCK, 4, 1, exifAt],
  ]);
  return Buffer.concat([head, first, directory([[DATE_TAKEN, 2, entries[2]!.length, entries[2]!.at]]), ...texts]);
}

function directory(rows: [tag: number, type: number, count: number, value: number][]): Buffer {
  const bytes = Buffer.alloc(2 + rows.length * 12 + 4);
  bytes.writeUInt16LE(rows.length, 0);
  for (const [index, [tag, type, count, value]] of rows.entries()) {
    const at = 2 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  return bytes;
}
