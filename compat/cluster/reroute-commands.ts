/**
 * Commands of `_cluster/reroute`. With one node no shard can go elsewhere, so each command is read, checked and rejected with
 * the reason that Elasticsearch's deciders would give on a cluster of one; what would lose data is refused by name.
 */
import type { Index } from "../../engine/index.js";
import { type BodyOf, readShape, type Shape, shape } from "../body/shape.js";
import { illegalArgument, indexNotFound, notSupported, parsingError } from "../errors.js";
import type { ApiRequest } from "../http/request.js";
import { replicasOf, shardsOf } from "../indices/settings.js";
import { isObject, type Json } from "../json/value.js";
import { didYouMean } from "../near-names.js";
import { namesNode } from "./node-names.js";

/** A command, what it was told, and why it is not done. */
export interface Explanation {
  readonly command: string;
  readonly parameters: Record<string, unknown>;
  readonly decisions: readonly { decider: string; decision: "NO"; explanation: string }[];
}

interface Command {
  readonly shape: Shape;
  readonly decider: string;
  /** What its rejection is told with, where it is not explained. */
  readonly label: string;
  readonly reject: (request: ApiRequest, given: Given) => { parameters: Record<string, unknown>; why: string };
}

const PLACE = { index: "string", shard: "integer" } as const;
const CANCEL = shape("cancel", "object", { ...PLACE, node: "string", allow_primary: "boolean" });
const MOVE = shape("move", "object", { ...PLACE, from_node: "string", to_node: "string" });
const REPLICA = shape("allocate_replica", "object", { ...PLACE, node: "string" });
const PRIMARY = shape("allocate_primary", "object", { ...PLACE, node: "string", accept_data_loss: "boolean" });

type Given = BodyOf<typeof CANCEL> & BodyOf<typeof MOVE> & BodyOf<typeof PRIMARY>;

const COMMANDS: Readonly<Record<string, Command>> = {
  allocate_empty_primary: allocatesPrimary("allocate_empty_primary"),
  allocate_replica: {
    shape: REPLICA,
    decider: "allocate_replica (allocation command)",
    label: "allocate_replica",
    reject: rejectReplica,
  },
  allocate_stale_primary: allocatesPrimary("allocate_stale_primary"),
  cancel: { shape: CANCEL, decider: "cancel_allocation_command", label: "cancel_allocation", reject: rejectCancel },
  move: { shape: MOVE, decider: "same_shard", label: "move_allocation", reject: rejectMove },
};

function allocatesPrimary(name: string): Command {
  return { shape: PRIMARY, decider: `${name} (allocation command)`, label: name, reject: rejectPrimary };
}

/** Reads a command and says why it is not done. Throws ApiError 400 and 404 for what can't be read or is not there. */
export function rejectCommand(request: ApiRequest, given: Json): Explanation & { readonly label: string } {
  const entries = isObject(given) ? Object.entries(given) : [];
  if (entries.length !== 1) throw parsingError("a command is an object with one key, its name", "commands");
  const [name, body] = entries[0];
  if (!Object.hasOwn(COMMANDS, name)) {
    throw illegalArgument(`unknown allocation_command [${name}]${didYouMean(name, Object.keys(COMMANDS))}`);
  }
  const { shape: form, decider, label, reject } = COMMANDS[name];
  const { parameters, why } = reject(request, readShape(body, form) as Given);
  return { command: name, label, parameters, decisions: [{ decider, decision: "NO", explanation: why }] };
}

interface Place {
  readonly index: Index;
  readonly shard: number;
  /** Whether there is a shard of that number. */
  readonly there: boolean;
}

function placeOf(request: ApiRequest, { index: name, shard }: Given, ...nodes: (string | undefined)[]): Place {
  if (name === undefined) throw illegalArgument("[index] is missing");
  if (shard === undefined) throw illegalArgument("[shard] is missing");
  for (const node of nodes) {
    if (node === undefined) throw illegalArgument("[node] is missing");
    if (!namesNode(request, node)) throw illegalArgument(`failed to resolve [${node}], no matching nodes`);
  }
  const index = request.node.engine.index(name);
  if (index === undefined) throw indexNotFound(name);
  return { index, shard, there: shard >= 0 && shard < shardsOf(index.definition.settings) };
}

function nodeText({ node }: ApiRequest): string {
  return `{${node.name}}{${node.id}}{${node.address()}}`;
}

function rejectCancel(request: ApiRequest, given: Given) {
  const { index, shard, there } = placeOf(request, given, given.node);
  const allow = given.allow_primary ?? false;
  if (there && allow) throw notSupported("[cancel] of a primary");
  const why = there
    ? `can't cancel [${index.name}][${shard}] on node ${nodeText(request)}, shard is primary and started`
    : `can't cancel ${shard}, failed to find it on node ${nodeText(request)}`;
  return { parameters: { index: index.name, shard, node: given.node, allow_primary: allow }, why };
}

function rejectMove(request: ApiRequest, given: Given) {
  const { index, shard, there } = placeOf(request, given, given.from_node, given.to_node);
  const { from_node, to_node } = given;
  const why = there
    ? `can't move ${shard}, from ${nodeText(request)}, to ${nodeText(request)}, since its not allowed, reason: this shard is already allocated to this node`
    : `can't move ${shard}, failed to find it on node ${nodeText(request)}`;
  return { parameters: { index: index.name, shard, from_node, to_node }, why };
}

function rejectReplica(request: ApiRequest, given: Given) {
  const { index, shard, there } = placeOf(request, given, given.node);
  const parameters = { index: index.name, shard, node: given.node };
  if (!there) return { parameters, why: `No shard was found with the specified [${index.name}][${shard}]` };
  const why =
    replicasOf(index.definition.settings) === 0
      ? `all copies of [${index.name}][${shard}] are already assigned. Use the move allocation command instead`
      : `allocating [${index.name}][${shard}] to ${nodeText(request)} is not allowed, reason: [NO(a copy of this shard is already allocated to this node)]`;
  return { parameters, why };
}

function rejectPrimary(request: ApiRequest, given: Given) {
  const { index, shard, there } = placeOf(request, given, given.node);
  const accept = given.accept_data_loss ?? false;
  const parameters = { index: index.name, shard, node: given.node, accept_data_loss: accept };
  if (there && index.damage !== undefined) {
    throw notSupported("giving up a damaged primary by [_cluster/reroute] (stop the node and run pinakes repair)");
  }
  const why = there
    ? `primary [${index.name}][${shard}] is already assigned`
    : `No shard was found with the specified [${index.name}][${shard}]`;
  return { parameters, why };
}
