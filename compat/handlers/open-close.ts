/** Opening and closing of indices, and their blocks. */
import type { Index } from "../../engine/index.js";
import { hasActiveShards } from "../bulk/active-shards.js";
import { illegalArgument, validationFailed } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { BLOCKS, unblocked } from "../indices/blocks.js";
import { onIndex } from "../indices/gone.js";
import { indicesOf, type NameOptions, nameOptions, STRICT } from "../indices/names.js";
import { checkDestructive } from "./indices.js";

function chosen(request: ApiRequest, otherwise: NameOptions): Index[] {
  const expression = request.captured.index;
  checkDestructive(request, expression);
  const options = nameOptions(request.parameters, otherwise);
  return unblocked(indicesOf(request.node.engine, expression, options), "metadata_write");
}

/** `POST /index/_open`. Wildcards match closed indices only, as there. */
export function openIndices(request: ApiRequest): Promise<Reply> | Reply {
  const indices = chosen(request, { ...STRICT, open: false, closed: true });
  const names = indices.map(({ name }) => name);
  request.task.describe(() => `open indices [${names.join(", ")}]`);
  return inBackground(request, async () => {
    await Promise.all(names.map((name) => request.node.engine.openIndex(name)));
    return json({ acknowledged: true, shards_acknowledged: haveActiveShards(request, indices) });
  });
}

/** `POST /index/_close` */
export function closeIndices(request: ApiRequest): Promise<Reply> | Reply {
  const indices = chosen(request, STRICT);
  const names = indices.map(({ name }) => name);
  return inBackground(request, async () => {
    await Promise.all(names.map((name) => request.node.engine.closeIndex(name)));
    return json({
      acknowledged: true,
      shards_acknowledged: names.length > 0 && haveActiveShards(request, indices),
      indices: Object.fromEntries(names.map((name) => [name, { closed: true }])),
    });
  });
}

/** Does the work, or answers with the task that does it. */
export function inBackground(request: ApiRequest, work: () => Promise<Reply>): Promise<Reply> | Reply {
  const waits = request.parameters.boolean("wait_for_completion", true);
  return waits ? work() : request.node.tasks.runOn(request, work);
}

function haveActiveShards(request: ApiRequest, indices: readonly Index[]): boolean {
  return indices.every((index) => hasActiveShards(request.parameters, index));
}

/** `PUT /index/_block/write` */
export async function addBlock(request: ApiRequest): Promise<Reply> {
  const name = blockName(request);
  const indices = await changeBlock(request, name, "true");
  return json({
    acknowledged: true,
    shards_acknowledged: true,
    indices: indices.map((index) => ({ name: index.name, blocked: true })),
  });
}

/** `DELETE /index/_block/write` */
export async function removeBlock(request: ApiRequest): Promise<Reply> {
  const name = blockName(request);
  const indices = await changeBlock(request, name, undefined);
  return json({ acknowledged: true, indices: indices.map((index) => ({ name: index.name, unblocked: true })) });
}

function blockName({ captured }: ApiRequest): string {
  const name = captured.block.toLowerCase();
  if (name === "read_only_allow_delete") {
    throw validationFailed("read_only_allow_delete block is for internal use only");
  }
  if (BLOCKS.some((block) => block.name === name)) return name;
  throw illegalArgument(`No block found with name ${captured.block}`);
}

/** Blocks can be changed whatever blocks there are. */
async function changeBlock(request: ApiRequest, name: string, value: "true" | undefined): Promise<Index[]> {
  const { engine } = request.node;
  const options = nameOptions(request.parameters, STRICT);
  const indices = indicesOf(engine, request.captured.index, options);
  for (const index of indices) {
    const { [`blocks.${name}`]: _before, ...others } = index.definition.settings;
    const settings = value === undefined ? others : { ...others, [`blocks.${name}`]: value };
    await onIndex(engine, index, (one) => one.updateSettings({ settings }));
  }
  return indices;
}
