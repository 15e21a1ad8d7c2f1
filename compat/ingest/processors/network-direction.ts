/** `network_direction`: inbound, outbound, internal or external, by the networks that are internal. */
import { illegalArgument } from "../../errors.js";
import { listAt, setField } from "../document/ingest-document.js";
import { parsePath } from "../document/path.js";
import { compileTemplate } from "../document/template.js";
import { textOf, type Value } from "../document/values.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { addressBytes, networkTest } from "./addresses.js";

type AddressTest = (address: Uint8Array) => boolean;

function anyOf(...networks: string[]): AddressTest {
  const tests = networks.map(networkTest);
  return (address) => tests.some((test) => test(address));
}

const loopback = anyOf("127.0.0.0/8", "::1/128");
const linkLocal = anyOf("169.254.0.0/16", "fe80::/10");
const multicast = anyOf("224.0.0.0/4", "ff00::/8");
const unspecified = anyOf("0.0.0.0/32", "::/128");
const broadcast = anyOf("255.255.255.255/32");
const privately = anyOf("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fd00::/8");

/** `ffx1::` and `ffx2::`, whatever the flags x. */
function multicastScope(scope: number): AddressTest {
  return (address) => address.length === 16 && address[0] === 0xff && (address[1] & 0x0f) === scope;
}
const interfaceLocal = multicastScope(1);
const linkLocalV4 = anyOf("224.0.0.0/24");
const linkLocalV6 = multicastScope(2);
const linkLocalMulticast: AddressTest = (address) => linkLocalV4(address) || linkLocalV6(address);
const unicast: AddressTest = (address) =>
  ![broadcast, unspecified, loopback, multicast, linkLocal].some((test) => test(address));

/** Networks that have names. */
const NAMED: Readonly<Record<string, AddressTest>> = {
  global_unicast: unicast,
  interface_local_multicast: interfaceLocal,
  link_local_multicast: linkLocalMulticast,
  link_local_unicast: linkLocal,
  loopback,
  multicast,
  private: privately,
  public: (address) =>
    ![privately, loopback, unspecified, linkLocal, linkLocalMulticast, interfaceLocal, broadcast].some((test) =>
      test(address),
    ),
  unicast,
  unspecified,
};

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function networkDirection(options: Options): Run {
  const source = parsePath(options.optionalString("source_ip") ?? "source.ip");
  const destination = parsePath(options.optionalString("destination_ip") ?? "destination.ip");
  const target = options.optionalString("target_field") ?? "network.direction";
  const ignoreMissing = options.boolean("ignore_missing", true);
  const networks = options.optionalStrings("internal_networks")?.map(compileTemplate);
  const networksField = options.optionalString("internal_networks_field");
  if (networks === undefined && networksField === undefined) {
    throw options.error("internal_networks", "or [internal_networks_field] must be specified");
  }
  if (networks !== undefined && networksField !== undefined) {
    throw options.error("internal_networks", "and [internal_networks_field] cannot both be used in the same processor");
  }
  const listed = networksField === undefined ? undefined : parsePath(networksField);
  return (document) => {
    const [from, to] = [source, destination].map((path) => document.lookUp(path) ?? null);
    const names: Value[] | undefined =
      listed === undefined
        ? networks?.map((template) => template.render(document))
        : ignoreMissing && !document.has(listed)
          ? undefined
          : listAt(document, listed);
    if (from === null || to === null || names === undefined) {
      if (ignoreMissing) return;
      throw illegalArgument("unable to calculate network direction from document");
    }
    const tests = names.map((name) => testOf(textOf(name)));
    const internal = [from, to].map((value) => {
      const address = addressBytes(textOf(value));
      return tests.some((test) => test(address));
    });
    setField(document, target, direction(internal[0], internal[1]));
  };
}

function testOf(network: string): AddressTest {
  return Object.hasOwn(NAMED, network) ? NAMED[network] : networkTest(network);
}

function direction(fromInside: boolean, toInside: boolean): string {
  if (fromInside) return toInside ? "internal" : "outbound";
  return toInside ? "inbound" : "external";
}
