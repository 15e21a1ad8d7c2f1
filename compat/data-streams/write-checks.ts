/** What may be written to a data stream by its name, and to the indices behind it: documents are only added. */
import type { EngineFace, WriteOperation } from "../../engine/index.js";
import { illegalArgument } from "../errors.js";
import { rawAliasOf } from "../indices/aliases.js";
import { dataStreamOf, parentOf } from "./kept.js";

/** Throws ApiError 400 for an operation that is not taken. */
export type WriteCheck = (operation: WriteOperation) => void;

/** The check of operations by this name; undefined where everything may be written. */
export function writeCheck(engine: EngineFace, name: string): WriteCheck | undefined {
  const stream = streamBehind(engine, name);
  if (stream !== undefined) return (operation) => checkAppend(engine, stream, operation);
  const parent = parentOf(engine, name);
  return parent === undefined ? undefined : (operation) => checkBacking(parent, operation);
}

/** The data stream that a name or an alias of that name means. */
export function streamBehind(engine: EngineFace, name: string): string | undefined {
  if (dataStreamOf(engine, name) !== undefined) return name;
  const [first] = Object.keys(rawAliasOf(engine, name) ?? {});
  return first !== undefined && dataStreamOf(engine, first) !== undefined ? first : undefined;
}

function checkAppend(engine: EngineFace, stream: string, operation: WriteOperation): void {
  if (operation.kind !== "create") {
    throw illegalArgument("only write ops with an op_type of create are allowed in data streams");
  }
  if (operation.routing === undefined || dataStreamOf(engine, stream)?.allowCustomRouting === true) return;
  throw illegalArgument(
    `index request targeting data stream [${stream}] specifies a custom routing but the [allow_custom_routing] setting is not enabled in the data stream's template.`,
  );
}

/** Documents behind a data stream may be changed and deleted where they are; new ones come by the stream's name. */
function checkBacking(stream: string, operation: WriteOperation): void {
  const rest = `targeting backing indices is disallowed, target corresponding data stream [${stream}] instead`;
  if (operation.kind === "create") throw illegalArgument(`index request with op_type=create ${rest}`);
  if (operation.kind === "index" && operation.ifSeqNo === undefined) {
    throw illegalArgument(`index request with op_type=index and no if_primary_term and if_seq_no set ${rest}`);
  }
}
