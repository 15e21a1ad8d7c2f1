/** Data streams as answers show them. */
import type { EngineFace, Index } from "../../engine/index.js";
import { worst } from "../cluster/state.js";
import type { Identity } from "../identities.js";
import { Exact } from "../json/print.js";
import { indexTemplateOf } from "../templates/matching.js";
import type { Templates } from "../templates/template.js";
import { backingIndices, type DataStream } from "./kept.js";

/** What an answer needs beside the stream. */
export interface PrintContext {
  readonly engine: EngineFace;
  readonly identity: Identity;
  readonly templates: Templates;
}

/** What nothing but the user looks after. */
const UNMANAGED = "Unmanaged";

/** One of `GET /_data_stream`. */
export function printDataStream(name: string, stream: DataStream, context: PrintContext): Record<string, unknown> {
  const { engine, identity, templates } = context;
  const indices = backingIndices(engine, stream);
  const isElastic = identity.distribution === undefined;
  const template = indexTemplateOf(templates, name, false)?.name;
  return {
    name,
    timestamp_field: { name: stream.timestampField },
    indices: indices.map((index) => printBacking(index, isElastic)),
    generation: stream.generation,
    ...(stream.meta === undefined || !isElastic ? {} : { _meta: new Exact(stream.meta) }),
    status: worst(indices).toUpperCase(),
    ...(template === undefined ? {} : { template }),
    ...(isElastic ? elasticOnly(stream) : {}),
  };
}

function printBacking({ name, definition }: Index, isElastic: boolean): Record<string, unknown> {
  const own = { index_name: name, index_uuid: definition.uuid };
  return isElastic ? { ...own, prefer_ilm: true, managed_by: UNMANAGED } : own;
}

function elasticOnly({ hidden, allowCustomRouting }: DataStream): Record<string, unknown> {
  return {
    next_generation_managed_by: UNMANAGED,
    prefer_ilm: true,
    hidden,
    system: false,
    allow_custom_routing: allowCustomRouting,
    replicated: false,
    rollover_on_write: false,
    settings: {},
  };
}
