import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { EngineError } from "../../engine/index.js";
import { fakeEngine } from "../testing/fake-engine.js";
import { type TestServer, testServer } from "../testing/http.js";
import { type TestNode, testNode } from "../testing/node.js";

interface TaskShown {
  id: number;
  action: string;
  headers: Record<string, string>;
  cancellable: boolean;
  cancelled?: boolean;
  description?: string;
  children?: TaskShown[];
}

/** A server whose searches wait until they are cancelled; `searching` resolves when one has begun. */
async function waitingServer(): Promise<{ server: TestServer; searching: Promise<void> }> {
  const engine = fakeEngine();
  let begun: () => void = () => undefined;
  const searching = new Promise<void>((resolve) => {
    begun = resolve;
  });
  engine.search = (_targets, request) =>
    new Promise((_resolve, reject) => {
      request.signal?.addEventListener("abort", () => reject(new EngineError("cancelled", "the search was cancelled")));
      begun();
    });
  const server = await testServer(engine);
  await server.call("PUT", "/i");
  return { server, searching };
}

describe("a search that runs", () => {
  let server: TestServer;
  let searching: Promise<void>;
  beforeAll(async () => {
    ({ server, searching } = await waitingServer());
  });
  afterAll(() => server.close());

  test("is listed with what it does and who asked, and ends when it is cancelled", async () => {
    const body = { query: { match_all: {} } };
    const answer = server.call("POST", "/i/_search", body, { "x-opaque-id": "mine" });
    await searching;
    const path = "/_tasks?actions=indices:data/read/*&group_by=none";
    const { tasks } = (await server.call("GET", `${path}&detailed`)).json as never as { tasks: TaskShown[] };
    expect(tasks).toMatchObject([
      {
        action: "indices:data/read/search",
        type: "transport",
        cancellable: true,
        cancelled: false,
        headers: { "X-Opaque-Id": "mine" },
        description: `indices[i], search_type[QUERY_THEN_FETCH], source[${JSON.stringify(body)}]`,
      },
    ]);
    const plain = (await server.call("GET", path)).json as never as { tasks: TaskShown[] };
    expect(plain.tasks[0].description).toBeUndefined();
    const nodes = Object.keys((await server.call("GET", "/_nodes")).json.nodes);
    const id = `${nodes[0]}:${tasks[0].id}`;
    expect((await server.call("GET", `/_tasks/${id}`)).json).toMatchObject({
      completed: false,
      task: { id: tasks[0].id },
    });
    const late = await server.call("GET", `/_tasks/${id}?wait_for_completion=true&timeout=1ms`);
    expect([late.status, late.json.error]).toMatchObject([500, { type: "timeout_exception" }]);
    expect((await server.call("GET", "/_cat/tasks?h=action,x_opaque_id&actions=*search")).text).toBe(
      "indices:data/read/search mine\n",
    );
    const hot = (await server.call("GET", "/_nodes/hot_threads?interval=20ms&ignore_idle_threads=false&threads=1000"))
      .text;
    expect(hot).toMatch(/^ {7}indices:data\/read\/search for .*: indices\[i\]/m);
    const cancelled = (await server.call("POST", `/_tasks/${id}/_cancel`)).json as never as {
      nodes: Record<string, { tasks: Record<string, TaskShown> }>;
    };
    expect(cancelled.nodes[nodes[0]].tasks[id]).toMatchObject({ cancelled: true });
    const { status, json } = await answer;
    expect([status, json.error]).toMatchObject([400, { type: "task_cancelled_exception" }]);
    expect((await server.call("GET", path)).json).toEqual({ tasks: [] });
  });

  test("itself is among what it lists, by node, by parent and in one list", async () => {
    const own = { action: "cluster:monitor/tasks/lists", cancellable: false };
    const [[node, byNode]] = Object.entries((await server.call("GET", "/_tasks")).json.nodes as Record<string, object>);
    expect(Object.values((byNode as { tasks: object }).tasks)).toMatchObject([own]);
    const { tasks } = (await server.call("GET", "/_tasks?group_by=parents")).json as never as { tasks: object };
    expect(Object.keys(tasks)[0]).toMatch(new RegExp(`^${node}:\\d+$`));
  });

  test("is not there: what is said of it", async () => {
    const [node] = Object.keys((await server.call("GET", "/_nodes")).json.nodes);
    const reason = async (path: string, method = "GET") => {
      const { status, json } = await server.call(method, path);
      return [status, (json.error as { reason: string }).reason];
    };
    expect(await reason("/_tasks/foo:1")).toEqual([
      404,
      "task [foo:1] belongs to the node [foo] which isn't part of the cluster and there is no record of the task",
    ]);
    expect(await reason(`/_tasks/${node}:99999`)).toEqual([
      404,
      `task [${node}:99999] isn't running and hasn't stored its results`,
    ]);
    expect(await reason("/_tasks/foo")).toEqual([400, "malformed task id foo"]);
    expect(await reason(`/_tasks/${node}:x`)).toEqual([400, `malformed task id ${node}:x`]);
    expect((await server.call("POST", `/_tasks/${node}:99999/_cancel`)).json).toMatchObject({
      node_failures: [{ node_id: node, caused_by: { reason: `task [${node}:99999] is not found` } }],
      nodes: {},
    });
    expect((await server.call("POST", "/_tasks/_cancel?actions=nothing")).json).toEqual({ nodes: {} });
    expect((await server.call("GET", "/_tasks?nodes=nobody")).json).toEqual({ nodes: {} });
  });
});

describe("a task that runs on after its request", () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await testNode();
    await node.call("PUT", "/i", { mappings: { properties: { n: { type: "long" } } } });
    const lines = Array.from({ length: 5_000 }, (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`);
    await node.call("POST", "/i/_bulk?refresh=true", lines.join(""));
  });
  afterAll(() => node.close());

  test("is answered at once, and its result is kept", async () => {
    const { task } = (await node.call("POST", "/i/_update_by_query?wait_for_completion=false&refresh=true", {})).json;
    const done = await node.call("GET", `/_tasks/${task}?wait_for_completion=true`);
    expect(done.json).toMatchObject({
      completed: true,
      task: {
        action: "indices:data/write/update/byquery",
        description: "update-by-query [i]",
        status: { total: 5_000, updated: 5_000, batches: 5 },
      },
      response: { total: 5_000, updated: 5_000, failures: [] },
    });
    expect((await node.call("GET", `/_tasks/${task}`)).json).toMatchObject({ completed: true });
  });

  test("is cancelled between two of its batches: what was written stays written", async () => {
    const { searching, goOn } = heldSecondSearch();
    const { task } = (
      await node.call("POST", "/i/_delete_by_query?wait_for_completion=false", { query: { match_all: {} } })
    ).json;
    await searching;
    await node.call("POST", `/_tasks/${task}/_cancel`);
    goOn();
    const { response } = (await node.call("GET", `/_tasks/${task}?wait_for_completion=true`)).json as never as {
      response: { deleted: number; canceled: string };
    };
    expect(response).toMatchObject({ canceled: "by user request", deleted: 1_000 });
    await node.call("POST", "/i/_refresh");
    expect((await node.call("GET", "/i/_count")).json.count).toBe(4_000);
  });

  /** The second search from now on, the one for the second batch, waits until it is let go on. */
  function heldSecondSearch(): { searching: Promise<void>; goOn: () => void } {
    let goOn = () => {};
    const released = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { engine } = node;
    const search = engine.search.bind(engine);
    const searching = new Promise<void>((resolve) => {
      let searches = 0;
      const spy = vi.spyOn(engine, "search").mockImplementation(async (...asked) => {
        if (++searches === 2) {
          resolve();
          await released;
        }
        return search(...asked);
      });
      onTestFinished(() => void spy.mockRestore());
    });
    return { searching, goOn };
  }

  test("keeps its error when it fails", async () => {
    const { task } = (
      await node.call("POST", "/i/_delete_by_query?wait_for_completion=false", { query: { term: { n: "no number" } } })
    ).json;
    expect((await node.call("GET", `/_tasks/${task}?wait_for_completion=true`)).json).toMatchObject({
      completed: true,
      error: { type: "search_phase_execution_exception" },
    });
  });

  test("a force merge can be one", async () => {
    const { task } = (await node.call("POST", "/i/_forcemerge?max_num_segments=1&wait_for_completion=false")).json;
    expect((await node.call("GET", `/_tasks/${task}?wait_for_completion=true`)).json).toMatchObject({
      task: {
        action: "indices:admin/forcemerge",
        description: "Force-merge indices [i], maxSegments[1], onlyExpungeDeletes[false], flush[true]",
      },
      response: { _shards: { successful: 1 } },
    });
  });
});
