/** `community_id`: the hash of a network flow, by the Community ID specification, version 1. */
import { createHash } from "node:crypto";
import { illegalArgument } from "../../errors.js";
import { setField } from "../document/ingest-document.js";
import { type FieldPath, parsePath } from "../document/path.js";
import { numberOf, textOf, type Value } from "../document/values.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { addressBytes } from "./addresses.js";

/** IANA's numbers. */
const TRANSPORTS: Readonly<Record<string, number>> = {
  eigrp: 88,
  gre: 47,
  icmp: 1,
  icmpv6: 58,
  igmp: 2,
  "ipv6-icmp": 58,
  ospf: 89,
  pim: 103,
  sctp: 132,
  tcp: 6,
  udp: 17,
};
const NUMBERS: ReadonlySet<number> = new Set(Object.values(TRANSPORTS));
const WITH_PORTS: ReadonlySet<number> = new Set([6, 17, 132]);
const ICMP = 1;
const ICMP_V6 = 58;
/** Types of ICMP that answer each other: request and reply are one flow. */
const ICMP_PAIRS = [
  [8, 0],
  [13, 14],
  [15, 16],
  [17, 18],
  [10, 9],
] as const; // prettier-ignore
const ICMP_V6_PAIRS = [
  [128, 129],
  [133, 134],
  [135, 136],
  [130, 131],
  [139, 140],
  [144, 145],
] as const; // prettier-ignore
const LAST_PORT = 65_535;

/** Fields by what they hold, and where they are unless said. */
const FIELDS = {
  source_ip: "source.ip",
  source_port: "source.port",
  destination_ip: "destination.ip",
  destination_port: "destination.port",
  iana_number: "network.iana_number",
  transport: "network.transport",
  icmp_type: "icmp.type",
  icmp_code: "icmp.code",
} as const;
type FieldName = keyof typeof FIELDS;

interface Flow {
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly protocol: number;
  /** Ports, or types of ICMP; absent where the protocol has none. */
  readonly ends: readonly [number, number] | undefined;
  /** The order of its ends says which way it went. */
  readonly oneWay: boolean;
}

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function communityId(options: Options): Run {
  const names = Object.keys(FIELDS) as FieldName[];
  const paths = Object.fromEntries(
    names.map((name) => [name, parsePath(options.optionalString(name) ?? FIELDS[name])]),
  ) as Record<FieldName, FieldPath>;
  const target = options.optionalString("target_field") ?? "network.community_id";
  const seed = options.integer("seed", 0);
  if (seed < 0 || seed > LAST_PORT) throw options.error("seed", "must be a value between 0 and 65535");
  const ignoreMissing = options.boolean("ignore_missing", true);
  return (document) => {
    const flow = flowOf((name) => document.lookUp(paths[name]) ?? null);
    if (flow !== undefined) setField(document, target, hashOf(flow, seed));
    else if (!ignoreMissing) throw illegalArgument("unable to construct flow from document");
  };
}

function flowOf(field: (name: FieldName) => Value): Flow | undefined {
  const [source, destination] = [field("source_ip"), field("destination_ip")];
  const transport = field("iana_number") ?? field("transport");
  if (source === null || destination === null || transport === null) return undefined;
  const protocol = protocolOf(transport);
  const addresses = { source: addressBytes(textOf(source)), destination: addressBytes(textOf(destination)), protocol };
  if (WITH_PORTS.has(protocol)) {
    const ends = [port(field("source_port"), "source"), port(field("destination_port"), "destination")] as const;
    return { ...addresses, ends, oneWay: false };
  }
  if (protocol !== ICMP && protocol !== ICMP_V6) return { ...addresses, ends: undefined, oneWay: false };
  const [type, code] = [integer(field("icmp_type"), "icmp type"), integer(field("icmp_code"), "icmp code")];
  const answer = counterpart(type, protocol === ICMP ? ICMP_PAIRS : ICMP_V6_PAIRS);
  return { ...addresses, ends: [type, answer ?? code], oneWay: answer === undefined };
}

function protocolOf(transport: Value): number {
  const number = numberOf(transport) ?? (/^\d+$/.test(textOf(transport)) ? Number(textOf(transport)) : undefined);
  const found = number ?? TRANSPORTS[textOf(transport).toLowerCase()];
  if (found !== undefined && NUMBERS.has(found)) return found;
  throw illegalArgument(`could not convert string [${textOf(transport)}] to transport protocol`);
}

function integer(value: Value, what: string): number {
  if (value === null) return 0;
  const number = numberOf(value) ?? (/^[-+]?\d+$/.test(textOf(value)) ? Number(textOf(value)) : Number.NaN);
  if (Number.isNaN(number)) throw illegalArgument(`unable to parse ${what} [${textOf(value)}]`);
  return Math.trunc(number);
}

function port(value: Value, side: "source" | "destination"): number {
  const number = integer(value, `${side} port`);
  if (number >= 1 && number <= LAST_PORT) return number;
  throw illegalArgument(`invalid ${side} port [${value === null ? "null" : textOf(value)}]`);
}

function counterpart(type: number, pairs: readonly (readonly [number, number])[]): number | undefined {
  for (const [request, reply] of pairs) {
    if (type === request) return reply;
    if (type === reply) return request;
  }
  return undefined;
}

function hashOf({ source, destination, protocol, ends, oneWay }: Flow, seed: number): string {
  const order = Buffer.compare(source, destination);
  const kept = oneWay || order < 0 || (order === 0 && (ends === undefined || ends[0] < ends[1]));
  const [first, second] = kept ? [source, destination] : [destination, source];
  const numbers = Buffer.alloc(ends === undefined ? 2 : 6);
  numbers.writeUInt16BE(protocol << 8);
  if (ends !== undefined) {
    numbers.writeUInt16BE((kept ? ends[0] : ends[1]) & LAST_PORT, 2);
    numbers.writeUInt16BE((kept ? ends[1] : ends[0]) & LAST_PORT, 4);
  }
  const seedBytes = Buffer.alloc(2);
  seedBytes.writeUInt16BE(seed);
  const hash = createHash("sha1").update(seedBytes).update(first).update(second).update(numbers);
  return `1:${hash.digest("base64")}`;
}
