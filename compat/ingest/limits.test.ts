import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/value.js";
import { compilePipeline } from "./compile.js";
import { IngestDocument } from "./document/ingest-document.js";
import { parseValue, printValue, type ValueObject } from "./document/values.js";
import { estimatedBytes, MAX_STEPS } from "./limits.js";
import { newRun, ProcessorFailure, runPipeline } from "./run.js";

const LIMIT = 100_000;

interface Given {
  readonly onFailure?: JsonObject[];
  readonly limit?: number;
}

/** What becomes of a document that may have `limit` bytes. */
function run(processors: JsonObject[], source: string, { onFailure, limit = LIMIT }: Given = {}) {
  const config: JsonObject = { processors };
  if (onFailure !== undefined) config.on_failure = onFailure;
  const pipeline = compilePipeline("p", config, () => 0);
  const document = new IngestDocument(parseValue(source) as ValueObject, { _index: "i" }, "2024-05-01", limit);
  const state = newRun(() => undefined);
  const error = (() => {
    try {
      runPipeline(pipeline, document, state);
      return undefined;
    } catch (thrown) {
      if (thrown instanceof ProcessorFailure) return thrown.error;
      throw thrown;
    }
  })();
  return { error, document, steps: MAX_STEPS - state.steps.left };
}

const TOO_LARGE = "the pipelines of this document would make it larger than [100000] bytes";

describe("a document in its pipelines is held small", () => {
  test("when it is set into itself again and again, as m.a0 ... m.a27 from m", () => {
    const processors = Array.from({ length: 28 }, (_, n) => ({ set: { field: `m.a${n}`, copy_from: "m" } }));
    const { error, document } = run(processors, '{"m":{"x":1}}');
    expect([error?.status, error?.message]).toEqual([400, TOO_LARGE]);
    expect(estimatedBytes(document.source, Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(LIMIT);
  });

  test("when gsub puts 100000 characters between all characters of 20 kB", () => {
    const gsub = { field: "t", pattern: "", replacement: "b".repeat(100_000) };
    const { error } = run([{ gsub }], JSON.stringify({ t: "a".repeat(20_000) }));
    expect([error?.status, error?.message]).toEqual([400, TOO_LARGE]);
  });

  test.each<[string, JsonObject[], string]>([
    ["append", Array(20).fill({ append: { field: "t", value: "{{t}}" } }), '{"t":["xxxxxxxxxxxxxxxx"]}'],
    ["a template", Array(20).fill({ set: { field: "t", value: "{{t}}{{t}}" } }), '{"t":"xx"}'],
    ["join", [{ join: { field: "t", separator: "-".repeat(60_000) } }], '{"t":["a","b","c"]}'],
    ["split", [{ split: { field: "t", separator: "" } }], JSON.stringify({ t: "x".repeat(30_000) })],
    ["gsub in a list", [{ gsub: { field: "t", pattern: "a", replacement: "b".repeat(60_000) } }], '{"t":["a","a"]}'],
    ["json", Array(2).fill({ json: { field: "t", add_to_root: true } }), `{"t":"{\\"k\\":[${"0,".repeat(9_000)}0]}"}`],
  ])("when %s makes it grow", (_, processors, source) => {
    const { error } = run(processors, source);
    expect([error?.status, error?.message]).toEqual([400, TOO_LARGE]);
  });

  test("when it is set under itself again and again, as m.a from m, until no one could read it", () => {
    const processors = Array(1_200).fill({ set: { field: "m.a", copy_from: "m" } });
    const { error, steps } = run(processors, '{"m":{"x":1}}', { limit: 10 * LIMIT });
    expect(error?.message).toBe("Document nesting depth (1001) exceeds the maximum allowed (1000)");
    expect(steps).toBe(999);
  });

  test("but much may be written over and over into a small one", () => {
    const processors = Array(300).fill({ set: { field: "copy", copy_from: "t" } });
    const { error, document } = run(processors, JSON.stringify({ t: "x".repeat(1_000) }));
    expect([error, printValue(document.source).length]).toEqual([undefined, 2_018]);
  });
});

test("three nested foreach over 300 numbers end when the steps of a document are spent, whatever is to be ignored", () => {
  const leaf = { set: { field: "x", value: 1, ignore_failure: true } };
  const nested = (processor: JsonObject): JsonObject => ({
    foreach: { field: "n", processor, ignore_failure: true },
  });
  const handler = [{ set: { field: "handled", value: true } }];
  const source = JSON.stringify({ n: Array.from({ length: 300 }, (_, n) => n) });
  const { error, document, steps } = run([nested(nested(nested(leaf)))], source, { onFailure: handler });
  expect(error?.status).toBe(400);
  expect(error?.message).toContain("run more than [100000] processors");
  expect([steps, document.source.handled]).toEqual([MAX_STEPS + 1, undefined]);
});
