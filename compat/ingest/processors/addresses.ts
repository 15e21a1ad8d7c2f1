/** IP addresses as processors of network traffic read them. */
import { parseIp } from "../../../engine/index.js";
import { illegalArgument } from "../../errors.js";

const IPV4_PREFIX = 12;

/** An address's bytes: 4 of IPv4, 16 of IPv6. Throws ApiError 400. */
export function addressBytes(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === null) throw illegalArgument(`'${text}' is not an IP string literal.`);
  const mapped = bytes[10] === 0xff && bytes[11] === 0xff && bytes.subarray(0, 10).every((byte) => byte === 0);
  return mapped ? bytes.slice(IPV4_PREFIX) : bytes;
}

/** A test for addresses of a network `10.0.0.0/8`. Throws ApiError 400. */
export function networkTest(network: string): (address: Uint8Array) => boolean {
  const slash = network.lastIndexOf("/");
  const prefix = addressBytes(slash < 0 ? network : network.slice(0, slash));
  const written = slash < 0 ? String(prefix.length * 8) : network.slice(slash + 1);
  const bits = /^\d{1,3}$/.test(written) ? Number(written) : Number.NaN;
  if (!(bits <= prefix.length * 8)) throw illegalArgument(`invalid IP/mask [${network}]`);
  return (address) => address.length === prefix.length && samePrefix(address, prefix, bits);
}

function samePrefix(one: Uint8Array, other: Uint8Array, bits: number): boolean {
  const whole = bits >> 3;
  for (let at = 0; at < whole; at++) if (one[at] !== other[at]) return false;
  const rest = bits & 7;
  return rest === 0 || (one[whole] ^ other[whole]) >> (8 - rest) === 0;
}
