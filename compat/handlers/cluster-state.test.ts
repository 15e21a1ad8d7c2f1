import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
let nodeId: string;
beforeAll(async () => {
  node = await testNode({ identity: "os2", nodeAttributes: { rack: "r1" } });
  await node.call("PUT", "/one", { settings: { number_of_shards: 2, number_of_replicas: 1 }, aliases: { first: {} } });
  await node.call("PUT", "/two", { settings: { number_of_replicas: 0 } });
  nodeId = Object.keys((await node.call("GET", "/_nodes")).json.nodes)[0];
});
afterAll(() => node.close());

describe("the cluster's state", () => {
  test.each([
    ["blocks", ["blocks"]],
    ["nodes", ["nodes"]],
    ["version", ["version", "state_uuid"]],
    ["master_node", ["master_node"]],
    ["cluster_manager_node", ["cluster_manager_node"]],
    ["routing_table,routing_nodes", ["routing_table", "routing_nodes"]],
  ])("of the metric %s has %j and no other part", async (metric, parts) => {
    const { json } = await node.call("GET", `/_cluster/state/${metric}`);
    expect(Object.keys(json)).toEqual(["cluster_name", "cluster_uuid", ...parts]);
  });

  test("lists every copy of every shard: primaries here, replicas nowhere", async () => {
    const { json } = await node.call("GET", "/_cluster/state/routing_table/one");
    const shards = (json as never as { routing_table: { indices: Record<string, { shards: object }> } }).routing_table
      .indices;
    expect(Object.keys(shards)).toEqual(["one"]);
    expect(shards.one.shards).toMatchObject({
      0: [
        { state: "STARTED", primary: true, node: nodeId, shard: 0, index: "one" },
        { state: "UNASSIGNED", primary: false, node: null, unassigned_info: { reason: "INDEX_CREATED" } },
      ],
      1: [{ state: "STARTED" }, { state: "UNASSIGNED" }],
    });
  });

  test("has the indices' metadata, with the routing shards that Elasticsearch would give them", async () => {
    await node.call("PUT", "/three", { settings: { number_of_shards: 3, number_of_routing_shards: null } });
    const { json } = await node.call("GET", "/_cluster/state/metadata");
    expect(json).toMatchObject({
      metadata: {
        cluster_coordination: { voting_config_exclusions: [] },
        indices: {
          one: { state: "open", aliases: ["first"], routing_num_shards: 1024, primary_terms: { 0: 1, 1: 1 } },
          two: { routing_num_shards: 1024 },
          three: { routing_num_shards: 768 },
        },
      },
    });
  });

  test("has a version that grows with each change, and another uuid then", async () => {
    const before = (await node.call("GET", "/_cluster/state/version")).json;
    expect((await node.call("GET", "/_cluster/state/version")).json).toEqual(before);
    await node.call("PUT", "/one/_alias/second");
    const after = (await node.call("GET", "/_cluster/state/version")).json;
    expect(Number(after.version)).toBeGreaterThan(Number(before.version));
    expect(after.state_uuid).not.toBe(before.state_uuid);
  });

  test("of a metric or an index that is not there is refused", async () => {
    expect((await node.call("GET", "/_cluster/state/customs")).json.error).toMatchObject({
      reason: expect.stringContaining("metric [customs]"),
    });
    expect((await node.call("GET", "/_cluster/state/metadata/none")).json.metadata).toMatchObject({ indices: {} });
    expect((await node.call("GET", "/_cluster/state/metadata/none?ignore_unavailable=false")).status).toBe(404);
  });
});

describe("rerouting", () => {
  const reroute = (command: object, query = "?explain=true") =>
    node.call("POST", `/_cluster/reroute${query}`, { commands: [command] });

  test.each([
    [{ cancel: { index: "one", shard: 9, node: "_local" } }, "cancel", "can't cancel 9, failed to find it on node"],
    [{ cancel: { index: "one", shard: 0, node: "_local" } }, "cancel", "shard is primary and started"],
    [
      { move: { index: "one", shard: 0, from_node: "_local", to_node: "_local" } },
      "move",
      "already allocated to this node",
    ],
    [
      { allocate_replica: { index: "one", shard: 0, node: "_local" } },
      "allocate_replica",
      "already allocated to this node",
    ],
    [
      { allocate_stale_primary: { index: "one", shard: 0, node: "_local", accept_data_loss: true } },
      "allocate_stale_primary",
      "primary [one][0] is already assigned",
    ],
  ])("%j is explained", async (command, name, reason) => {
    const { json } = await reroute(command);
    expect(json).toMatchObject({
      acknowledged: true,
      explanations: [{ command: name, decisions: [{ decision: "NO", explanation: expect.stringContaining(reason) }] }],
    });
    expect((await reroute(command, "?dry_run=true")).status).toBe(400);
  });

  test.each([
    [{ cancel: { index: "one", shard: 0, node: "other" } }, 400],
    [{ cancel: { index: "none", shard: 0, node: "_local" } }, 404],
    [{ cancel: { index: "one", shard: 0, node: "_local", allow_primary: true } }, 400],
    [{ fly: {} }, 400],
  ])("%j is refused with %i", async (command, status) => {
    expect((await reroute(command)).status).toBe(status);
  });

  test("answers with the state but for the metadata, or with what of it is asked for", async () => {
    const whole = (await node.call("POST", "/_cluster/reroute")).json;
    expect(whole.state).toMatchObject({ master_node: nodeId, cluster_manager_node: nodeId });
    expect(whole.state).not.toHaveProperty("metadata");
    const { state } = (await node.call("POST", "/_cluster/reroute?metric=metadata")).json;
    expect(Object.keys(state)).toEqual(["cluster_uuid", "metadata"]);
  });
});

describe("voting exclusions", () => {
  test("of nodes that are not there are kept until they are removed, over a restart of the server too", async () => {
    await node.call("POST", "/_cluster/voting_config_exclusions?node_ids=n1,n2");
    await node.call("POST", "/_cluster/voting_config_exclusions?node_names=other");
    const exclusions = async () => {
      const { json } = await node.call("GET", "/_cluster/state/metadata");
      return (json as never as { metadata: { cluster_coordination: { voting_config_exclusions: unknown } } }).metadata
        .cluster_coordination.voting_config_exclusions;
    };
    expect(await exclusions()).toEqual([
      { node_id: "n1", node_name: "_absent_" },
      { node_id: "n2", node_name: "_absent_" },
      { node_id: "_absent_", node_name: "other" },
    ]);
    expect((await node.call("DELETE", "/_cluster/voting_config_exclusions")).status).toBe(200);
    expect(await exclusions()).toEqual([]);
  });

  test("of the only node, of none, or by both names and ids are refused", async () => {
    for (const query of ["?node_ids=_local", "", "?node_ids=a&node_names=b"]) {
      expect((await node.call("POST", `/_cluster/voting_config_exclusions${query}`)).status).toBe(400);
    }
  });
});

describe("what a cluster of one has none of", () => {
  test("is answered empty", async () => {
    expect((await node.call("GET", "/_cluster/pending_tasks")).json).toEqual({ tasks: [] });
    expect((await node.call("GET", "/_remote/info")).json).toEqual({});
    expect((await node.call("GET", "/_dangling")).json).toMatchObject({ dangling_indices: [] });
    expect((await node.call("POST", "/_dangling/uuid?accept_data_loss=true")).status).toBe(400);
  });
});

describe("the node", () => {
  test("says its attributes, nested or flat", async () => {
    const settings = async (query: string) =>
      (await node.call("GET", `/_nodes/settings${query}`)).json as never as {
        nodes: Record<string, { attributes: object; settings: object }>;
      };
    const nested = (await settings("")).nodes[nodeId];
    expect(nested).toMatchObject({ attributes: { rack: "r1" }, settings: { node: { attr: { rack: "r1" } } } });
    const flat = (await settings("?flat_settings=true")).nodes[nodeId];
    expect(flat.settings).toMatchObject({ "node.attr.rack": "r1", "client.type": "node" });
    const defaults = (await node.call("GET", "/_cluster/settings?include_defaults=true&flat_settings=true")).json;
    expect(defaults).toMatchObject({ defaults: { "node.attr.rack": "r1" } });
  });

  test("counts what it is asked", async () => {
    const counted = async () => {
      const { json } = await node.call("GET", "/_nodes/usage/rest_actions");
      const { nodes } = json as never as { nodes: Record<string, { rest_actions: Record<string, number> }> };
      return nodes[nodeId].rest_actions["cluster.pending_tasks"] ?? 0;
    };
    const before = await counted();
    await node.call("GET", "/_cluster/pending_tasks");
    expect(await counted()).toBe(before + 1);
    expect((await node.call("GET", "/_nodes/usage/aggregations")).status).toBe(400);
  });

  test("reads its keystore, which has no password", async () => {
    const reloaded = (await node.call("POST", "/_nodes/reload_secure_settings")).json;
    expect(reloaded).toMatchObject({ _nodes: { total: 1 } });
    const wrong = await node.call("POST", "/_nodes/_local/reload_secure_settings", { secure_settings_password: "x" });
    expect(wrong.json.nodes[nodeId]).toMatchObject({ reload_exception: { type: "security_exception" } });
  });
});
