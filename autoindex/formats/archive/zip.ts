import { crc32, inflateRawSync } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { decode } from "../../sniff/decode.js";
import type { Deadline } from "../limits.js";
import type { MemberContent } from "./content.js";

/** Names read from one central directory. */
const MAX_ENTRIES = 100_000;
const STORED = 0;
const DEFLATED = 8;
const UTF8_NAME = 0x800;

/** A file that the central directory names. */
export interface ZipMember {
  /** As it is written there, with `/`; may be anything. */
  name: string;
  isFolder: boolean;
  /** Bytes that it claims to unpack to. */
  size: number;
  /** Unpacks it, unless it is larger than `limit` bytes; what it claims is not believed. */
  read(limit: number): Promise<MemberContent>;
}

/** The files of a zip, and what was wrong with its list of them. */
export interface ZipListing {
  members: ZipMember[];
  damage: string | undefined;
}

/** Reads a zip's central directory; a damaged one gives what could be read. */
export async function listZip(bytes: Buffer, deadline: Deadline): Promise<ZipListing> {
  const members: ZipMember[] = [];
  try {
    const zip = await fromBufferPromise(bytes, {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    for await (const entry of zip.eachEntry()) {
      deadline.check();
      members.push(memberOf(bytes, zip, entry));
      if (members.length >= MAX_ENTRIES) return { members, damage: `more than ${MAX_ENTRIES} members` };
    }
    return { members, damage: undefined };
  } catch (error) {
    return { members, damage: messageOf(error) };
  }
}

function memberOf(bytes: Buffer, zip: ZipFile, entry: Entry): ZipMember {
  const name = nameOf(entry);
  return {
    name,
    isFolder: name.endsWith("/"),
    size: entry.uncompressedSize,
    read: (limit) => readEntry({ bytes, zip, entry }, limit),
  };
}

/** UTF-8 where the entry says so or it fits, else as the letters speak for: many programs write the system's encoding. */
function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw;
  if ((entry.generalPurposeBitFlag & UTF8_NAME) !== 0) return raw.toString("utf8");
  const decoded = decode(raw);
  return decoded.kind === "text" ? decoded.text : raw.toString("latin1");
}

interface Place {
  bytes: Buffer;
  zip: ZipFile;
  entry: Entry;
}

async function readEntry({ bytes, zip, entry }: Place, limit: number): Promise<MemberContent> {
  if (entry.isEncrypted()) return { kind: "left out", reason: "encrypted" };
  const { compressionMethod: method, compressedSize, uncompressedSize } = entry;
  if (method !== STORED && method !== DEFLATED) return { kind: "left out", reason: `packed by method ${method}` };
  if (uncompressedSize > limit) return { kind: "left out", reason: "too large" };
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const packed = bytes.subarray(fileDataStart, fileDataStart + compressedSize);
    const content = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, limit) });
    if (content.length !== uncompressedSize || crc32(content) !== entry.crc32) {
      return { kind: "left out", reason: "damaged" };
    }
    return { kind: "bytes", bytes: content };
  } catch (error) {
    const isTooLarge = error instanceof RangeError || (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    return { kind: "left out", reason: isTooLarge ? "too large" : "damaged" };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
