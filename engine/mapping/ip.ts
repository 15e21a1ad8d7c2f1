import { EngineError } from "../errors.js";

/**
 * Addresses as Lucene's InetAddressPoint orders them: 16 bytes, IPv4 mapped into ::ffff:0:0/96.
 */
const IPV4_PREFIX = 12;

/**
 * Reads an IPv4 or IPv6 address into 16 bytes; null when it is neither. The zone of an IPv6 address (`%eth0`) is left
 * out, as Elasticsearch's InetAddresses does.
 */
export function parseIp(text: string): Uint8Array | null {
  if (!text.includes(":")) return parseIpv4(text);
  const zone = text.indexOf("%");
  if (zone === text.length - 1 || (zone >= 0 && text.includes("."))) return null;
  return parseIpv6(zone < 0 ? text : text.slice(0, zone));
}

function parseIpv4(text: string): Uint8Array | null {
  const bytes = new Uint8Array(16);
  bytes[10] = 0xff;
  bytes[11] = 0xff;
  return readDottedQuad(text, bytes, IPV4_PREFIX) ? bytes : null;
}

function readDottedQuad(text: string, into: Uint8Array, at: number): boolean {
  const parts = text.split(".");
  if (parts.length !== 4) return false;
  for (let i = 0; i < 4; i++) {
    // A leading zero could mean octal: refused, as Elasticsearch's InetAddresses does.
    if (!/^(?:0|[1-9]\d{0,2})$/.test(parts[i]) || Number(parts[i]) > 255) return false;
    into[at + i] = Number(parts[i]);
  }
  return true;
}

const DOT = 0x2e;

/**
 * A shortcut for IPv4 addresses as bytes [start, end): writes the 16 bytes of one into `into`; false when it is none
 * (or written in another way, which parseIp may still know).
 */
export function parseIpv4Bytes(bytes: Uint8Array, start: number, end: number, into: Uint8Array): boolean {
  let at = start;
  for (let part = 0; part < 4; part++) {
    const first = at;
    let value = 0;
    while (at < end && bytes[at] >= 0x30 && bytes[at] <= 0x39) value = value * 10 + (bytes[at++] - 0x30);
    const digits = at - first;
    if (digits === 0 || digits > 3 || value > 255 || (digits > 1 && bytes[first] === 0x30)) return false;
    if (part < 3 ? at >= end || bytes[at++] !== DOT : at !== end) return false;
    into[IPV4_PREFIX + part] = value;
  }
  into.fill(0, 0, 10);
  into[10] = 0xff;
  into[11] = 0xff;
  return true;
}

function parseIpv6(text: string): Uint8Array | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const head = readGroups(halves[0], halves.length === 1);
  const tail = halves.length === 2 ? readGroups(halves[1], true) : [];
  if (head === null || tail === null) return null;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return null;
  const bytes = new Uint8Array(16);
  bytes.set(head, 0);
  bytes.set(tail, 16 - tail.length);
  return bytes;
}

/** Bytes of `a:b:c`, whose last part may be a dotted quad when `last`. */
function readGroups(text: string, last: boolean): number[] | null {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    if (last && i === groups.length - 1 && group.includes(".")) {
      const quad = new Uint8Array(4);
      if (!readDottedQuad(group, quad, 0)) return null;
      bytes.push(...quad);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return null;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return bytes.length <= 16 ? bytes : null;
}

/** Whether 16 bytes are an IPv4 address mapped into IPv6. */
function isIpv4(bytes: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return false;
  return bytes[10] === 0xff && bytes[11] === 0xff;
}

/** Prints 16 bytes as RFC 5952 says: dotted quad for mapped IPv4, else groups with the longest run of zeros folded. */
export function printIp(bytes: Uint8Array): string {
  if (isIpv4(bytes)) return bytes.subarray(IPV4_PREFIX, 16).join(".");
  const groups: number[] = [];
  for (let i = 0; i < 16; i += 2) groups.push((bytes[i] << 8) | bytes[i + 1]);
  const run = longestZeroRun(groups);
  const hex = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(":");
  return run.length < 2 ? hex(0, 8) : `${hex(0, run.start)}::${hex(run.start + run.length, 8)}`;
}

function longestZeroRun(groups: number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (start + length < groups.length && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** First and last address of `address/bits`. Throws invalid_value. */
export function parseCidr(text: string): { first: Uint8Array; last: Uint8Array } {
  const slash = text.lastIndexOf("/");
  const address = parseIp(text.slice(0, slash));
  const bits = /^\d{1,3}$/.test(text.slice(slash + 1)) ? Number(text.slice(slash + 1)) : -1;
  if (address === null) throw invalidIp(text.slice(0, slash));
  const ipv4 = !text.includes(":");
  const width = ipv4 ? 32 : 128;
  if (bits < 0 || bits > width) {
    throw new EngineError("invalid_value", `Invalid prefix length [${text.slice(slash + 1)}] in [${text}]`, {
      value: text,
    });
  }
  const kept = ipv4 ? bits + 96 : bits;
  const first = address.slice();
  const last = address.slice();
  for (let bit = kept; bit < 128; bit++) {
    first[bit >> 3] &= ~(0x80 >> (bit & 7));
    last[bit >> 3] |= 0x80 >> (bit & 7);
  }
  return { first, last };
}

/** The error for something that is not an address, in Elasticsearch's words. */
export function invalidIp(text: string): EngineError {
  return new EngineError("invalid_value", `'${text}' is not an IP string literal.`, { value: text });
}
