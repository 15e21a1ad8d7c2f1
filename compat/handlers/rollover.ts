/** `_rollover`: a new index takes over where one has grown old or large. */
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { hasActiveShards } from "../bulk/active-shards.js";
import { inTurn } from "../cluster/in-turn.js";
import { freeGeneration, streamTemplate } from "../data-streams/create.js";
import { dataStreamRecords } from "../data-streams/kept.js";
import { illegalArgument } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { AliasChanges } from "../indices/aliases.js";
import { checkFree, makeIndex } from "../indices/create.js";
import { readAliases } from "../indices/read-alias.js";
import { conditionsShape, evaluate, isDue, readConditions } from "../rollover/conditions.js";
import { nextName } from "../rollover/names.js";
import { type RolloverSource, rolloverSource } from "../rollover/source.js";
import { templatesSeen } from "../templates/built-in.js";
import { type IndexPlan, planBackingIndex, planIndex } from "../templates/plan-index.js";

export const ROLLOVER_SHAPE = shape("rollover", "object", {
  conditions: "object",
  settings: "object",
  mappings: "object",
  aliases: "object",
});
type Body = BodyOf<typeof ROLLOVER_SHAPE>;

/** The index that will be made, and the records that make it the one to write to. */
interface Step {
  readonly plan: IndexPlan;
  readonly records: Readonly<Record<string, unknown>>;
}

/** `POST /alias/_rollover` and `POST /alias/_rollover/new-index` */
export function rollover(request: ApiRequest, body: Body): Promise<Reply> {
  const { captured, identity, node, parameters } = request;
  const conditions = readConditions(readShape(body.conditions ?? {}, conditionsShape(identity)));
  const dryRun = parameters.boolean("dry_run", false);
  return inTurn(node.engine, async () => {
    const source = rolloverSource(node.engine, captured.alias, identity);
    const step = source.kind === "alias" ? nextOfAlias(request, body, source) : nextOfStream(request, body, source);
    const met = evaluate(conditions, source.index, node.now());
    const rolls = !dryRun && isDue(conditions, met);
    const index = rolls ? await makeIndex(node.engine, step.plan, step.records) : undefined;
    return json({
      acknowledged: rolls,
      shards_acknowledged: index !== undefined && hasActiveShards(parameters, index),
      old_index: source.index.name,
      new_index: step.plan.name,
      rolled_over: rolls,
      dry_run: dryRun,
      conditions: met,
    });
  });
}

type AliasSource = Extract<RolloverSource, { kind: "alias" }>;

/** The alias moves on: from its only index, or by the mark of its write index. */
function nextOfAlias(request: ApiRequest, body: Body, { name, entry, index }: AliasSource): Step {
  const { engine } = request.node;
  const target = request.captured.new_index ?? nextName(index.name);
  checkFree(engine, target);
  const asked = { name: target, settings: body.settings, mappings: body.mappings };
  const plan = planIndex(templatesSeen(request), asked);
  if (Object.hasOwn(plan.aliases, name)) {
    throw illegalArgument(
      `Rollover alias [${name}] can point to multiple indices, found duplicated alias [[${Object.keys(plan.aliases).join(", ")}]] in index template for [${target}]`,
    );
  }
  const aliases = { ...plan.aliases, ...readAliases(body.aliases ?? {}) };
  const changes = new AliasChanges(engine);
  if (entry.is_write_index === true) changes.add(name, index.name, { ...entry, is_write_index: false });
  else changes.remove(name, index.name);
  changes.add(name, target, entry);
  return { plan: { ...plan, aliases }, records: changes.records() };
}

type StreamSource = Extract<RolloverSource, { kind: "data stream" }>;

/** The stream gets its next generation, by what its template says now. */
function nextOfStream(request: ApiRequest, body: Body, { name, stream }: StreamSource): Step {
  const { engine } = request.node;
  if (request.captured.new_index !== undefined) {
    throw illegalArgument("new index name may not be specified when rolling over a data stream");
  }
  if (body.settings !== undefined || body.mappings !== undefined || body.aliases !== undefined) {
    throw illegalArgument("aliases, mappings, and index settings may not be specified when rolling over a data stream");
  }
  const templates = templatesSeen(request);
  const { index, generation } = freeGeneration(request, name, stream.generation + 1);
  const plan = planBackingIndex(templates, streamTemplate(name, templates), { name: index });
  const indices = [...stream.indices, index];
  return { plan, records: dataStreamRecords(engine, name, { ...stream, indices, generation }) };
}
