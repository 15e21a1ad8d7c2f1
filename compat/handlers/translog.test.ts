/** The settings of the log and its statistics. Messages and defaults as OpenSearch 2.19 gave them, but for our own threshold. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

const REFUSED: readonly (readonly [setting: string, value: string, reason: string])[] = [
  [
    "sync_interval",
    "50ms",
    "failed to parse value [50ms] for setting [index.translog.sync_interval], must be >= [100ms]",
  ],
  ["sync_interval", "-1", "failed to parse value [-1] for setting [index.translog.sync_interval], must be >= [100ms]"],
  ["sync_interval", "0", "failed to parse value [0] for setting [index.translog.sync_interval], must be >= [100ms]"],
  [
    "sync_interval",
    "100",
    "failed to parse setting [index.translog.sync_interval] with value [100] as a time value: unit is missing or unrecognized",
  ],
  [
    "flush_threshold_size",
    "55b",
    "failed to parse value [55b] for setting [index.translog.flush_threshold_size], must be >= [56b]",
  ],
  [
    "flush_threshold_size",
    "-1",
    "failed to parse value [-1] for setting [index.translog.flush_threshold_size], must be >= [56b]",
  ],
  [
    "flush_threshold_size",
    "10%",
    "failed to parse setting [index.translog.flush_threshold_size] with value [10%] as a size in bytes: unit is missing or unrecognized",
  ],
  ["durability", "foo", "No enum constant org.elasticsearch.index.translog.Translog.Durability.FOO"],
];

describe("a setting of the log", () => {
  test.each(REFUSED)("%s is refused with the value %s, at creation and later", async (setting, value, reason) => {
    const body = { settings: { [`index.translog.${setting}`]: value } };
    const error = { type: "illegal_argument_exception", reason };
    const created = await node.call("PUT", "/refused", body);
    expect([created.status, created.json.error]).toMatchObject([400, error]);
    await node.call("PUT", "/there");
    const changed = await node.call("PUT", "/there/_settings", { [`index.translog.${setting}`]: value });
    expect([changed.status, changed.json.error]).toMatchObject([400, error]);
  });

  test("reaches the engine, changes on a live index, and goes back to its default with null", async () => {
    await node.call("PUT", "/a", { settings: { translog: { durability: "ASYNC", sync_interval: "7s" } } });
    const definition = () => node.engine.index("a")?.definition;
    expect(definition()).toMatchObject({ durability: "async", syncIntervalMs: 7000, flushThresholdBytes: undefined });
    const change = {
      "index.translog.durability": "request",
      "index.translog.sync_interval": "100ms",
      "index.translog.flush_threshold_size": "3mb",
    };
    expect((await node.call("PUT", "/a/_settings", change)).json).toEqual({ acknowledged: true });
    expect(definition()).toMatchObject({ durability: "request", syncIntervalMs: 100, flushThresholdBytes: 3 << 20 });
    const shown = (await node.call("GET", "/a/_settings?flat_settings=true")).json as never as Shown;
    expect(shown.a.settings).toMatchObject(change);
    await node.call("PUT", "/a/_settings", { "index.translog.sync_interval": null });
    expect(definition()?.syncIntervalMs).toBeUndefined();
  });

  test("is shown with its default where it is not set", async () => {
    await node.call("PUT", "/b", { settings: { "index.translog.sync_interval": "9s" } });
    const shown = (await node.call("GET", "/b/_settings?flat_settings=true&include_defaults=true"))
      .json as never as Shown;
    expect(shown.b.settings["index.translog.sync_interval"]).toBe("9s");
    expect(shown.b.defaults).toMatchObject({
      "index.translog.durability": "REQUEST",
      "index.translog.flush_threshold_size": "96mb",
    });
    expect(shown.b.defaults).not.toHaveProperty("index.translog.sync_interval");
  });
});

type Shown = Record<string, { settings: Record<string, string>; defaults: Record<string, string> }>;

interface Translog {
  operations: number;
  size_in_bytes: number;
  uncommitted_operations: number;
  uncommitted_size_in_bytes: number;
  earliest_last_modified_age: number;
}

describe("the statistics of the log", () => {
  const translog = async (): Promise<Translog> => {
    const answer = (await node.call("GET", "/s/_stats/translog")).json as never as {
      indices: { s: { primaries: { translog: Translog } } };
    };
    return answer.indices.s.primaries.translog;
  };

  test("count operations, and those that segments on the disk lack", async () => {
    await node.call("PUT", "/s");
    for (const id of ["1", "2", "3"]) await node.call("PUT", `/s/_doc/${id}`, { a: id });
    await node.call("DELETE", "/s/_doc/1");
    const before = await translog();
    expect(before).toMatchObject({ operations: 4, uncommitted_operations: 4 });
    expect(before.uncommitted_size_in_bytes).toBeGreaterThan(4 * 24);
    expect(before.size_in_bytes).toBeGreaterThanOrEqual(before.uncommitted_size_in_bytes);
    expect(before.earliest_last_modified_age).toBeLessThan(60_000);
    await node.call("POST", "/s/_flush");
    expect(await translog()).toEqual({
      operations: 0,
      size_in_bytes: 0,
      uncommitted_operations: 0,
      uncommitted_size_in_bytes: 0,
      earliest_last_modified_age: 0,
    });
  });
});
