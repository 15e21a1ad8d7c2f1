/** The node's pipelines: kept in the engine's metadata as they were given, compiled when they are first used. */
import type { EngineFace } from "../../engine/index.js";
import { ApiError, illegalArgument } from "../errors.js";
import { wildcard } from "../indices/wildcard.js";
import { parseText } from "../json/body.js";
import { printJson } from "../json/print.js";
import { isObject, type JsonObject } from "../json/value.js";
import { compilePipeline } from "./compile.js";
import type { Pipeline, Step } from "./processor.js";
import { addCounts, type IngestCounts, newCounts, printCounts } from "./stats.js";

/** Keys of pipelines in the metadata. */
export const PIPELINE_PREFIX = "ingest/pipelines/";

interface Compiled {
  /** What it was made of: another configuration makes another pipeline. */
  readonly text: string;
  readonly pipeline: Pipeline;
}

/** The pipelines of one node. */
export class Pipelines {
  readonly #compiled = new Map<string, Compiled>();
  /** Documents that went through pipelines. */
  readonly totals = newCounts();

  constructor(
    private readonly engine: EngineFace,
    readonly now: () => number,
  ) {}

  /** Names, sorted. */
  ids(): string[] {
    return this.engine.metadata.keys(PIPELINE_PREFIX).map((key) => key.slice(PIPELINE_PREFIX.length));
  }

  /** A pipeline as it was given, in JSON. */
  config(id: string): string | undefined {
    return this.engine.metadata.get(PIPELINE_PREFIX + id) as string | undefined;
  }

  /** A pipeline that can run; undefined: there is none. */
  get(id: string): Pipeline | undefined {
    const text = this.config(id);
    if (text === undefined) {
      this.#compiled.delete(id);
      return undefined;
    }
    const known = this.#compiled.get(id);
    if (known?.text === text) return known.pipeline;
    const pipeline = this.compile(id, parseText(text) as JsonObject);
    this.#compiled.set(id, { text, pipeline });
    return pipeline;
  }

  /** Compiles a configuration. Throws ApiError 400. */
  compile(id: string, config: JsonObject): Pipeline {
    return compilePipeline(id, config, this.now);
  }

  /** Checks and keeps a pipeline, durable when it resolves. Throws ApiError 400. */
  async put(id: string, config: JsonObject, ifVersion: number | undefined): Promise<void> {
    const kept = ifVersion === undefined ? config : this.#nextVersion(id, config, ifVersion);
    this.compile(id, kept);
    await this.engine.metadata.put({ [PIPELINE_PREFIX + id]: printJson(kept) });
  }

  /** Takes away what a name or pattern means. Throws ApiError 404 where a name means nothing. */
  async delete(pattern: string): Promise<void> {
    const ids = this.matching([pattern]);
    if (ids.length === 0 && pattern !== "*") {
      throw new ApiError(404, "resource_not_found_exception", `pipeline [${pattern}] is missing`);
    }
    await this.engine.metadata.put(Object.fromEntries(ids.map((id) => [PIPELINE_PREFIX + id, undefined])));
  }

  /** Names that any of the names or patterns mean, sorted. */
  matching(patterns: readonly string[]): string[] {
    const tests = patterns.map(wildcard);
    return this.ids().filter((id) => tests.some((matches) => matches(id)));
  }

  /** What `_nodes/stats` shows. */
  stats(): Record<string, unknown> {
    const pipelines = this.ids().map((id) => [id, this.#pipelineStats(id)]);
    return { total: printCounts(this.totals), pipelines: Object.fromEntries(pipelines) };
  }

  /** What `_cluster/stats` shows: by type of processor. */
  clusterStats(): Record<string, unknown> {
    const types: Record<string, IngestCounts> = {};
    const ids = this.ids();
    for (const step of ids.flatMap((id) => this.#compiled.get(id)?.pipeline.steps ?? this.#stepsOf(id))) {
      types[step.type] ??= newCounts();
      addCounts(types[step.type], step.counts);
    }
    const shown = Object.entries(types).map(([type, counts]) => [type, printCounts(counts)]);
    return { number_of_pipelines: ids.length, processor_stats: Object.fromEntries(shown) };
  }

  #pipelineStats(id: string): Record<string, unknown> {
    const pipeline = this.#compiled.get(id)?.pipeline;
    return {
      ...printCounts(pipeline?.counts ?? newCounts()),
      processors: (pipeline?.steps ?? this.#stepsOf(id)).map(({ type, tag, counts }) => ({
        [tag === undefined ? type : `${type}:${tag}`]: { type, stats: printCounts(counts) },
      })),
    };
  }

  /** Of a pipeline that has not run since the node started. */
  #stepsOf(id: string): readonly Step[] {
    try {
      return this.get(id)?.steps ?? [];
    } catch {
      // Restored from a node that knew more processors: it fails by name when it is used.
      return [];
    }
  }

  #nextVersion(id: string, config: JsonObject, wanted: number): JsonObject {
    const text = this.config(id);
    const current = text === undefined ? undefined : parseText(text);
    const required = `version conflict, required version [${wanted}] for pipeline [${id}]`;
    if (!isObject(current)) throw illegalArgument(`${required} but no pipeline was found`);
    if (current.version !== wanted) {
      throw illegalArgument(`${required} but current version is [${String(current.version ?? null)}]`);
    }
    if (config.version === undefined || config.version === null) return { ...config, version: wanted + 1 };
    if (config.version !== wanted) return config;
    throw illegalArgument(`cannot update pipeline [${id}] with the same version [${wanted}]`);
  }
}
