/** Contract: the version of a deleted document goes on, and an old external version can't bring it back, restart or not. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Index } from "../engine-types.js";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "../testing/engine-fixture.js";
import type { WriteOperation } from "../write.js";

const MAPPING = { properties: { n: { type: "long" } } } as const;

let now: number;
let fixture: EngineFixture;

beforeEach(async () => {
  now = 1_000_000;
  fixture = await engineFixture({ clock: { now: () => now, random: Math.random } });
});
afterEach(() => fixture.remove());

const index = () => fixture.engine.index("x") as Index;
const external = (id: string, value: number): WriteOperation => {
  return { kind: "index", id, source: Buffer.from("{}"), version: { value, type: "external" } };
};

async function deleted(gcDeletesMs?: number): Promise<void> {
  await fixture.engine.createIndex("x", definitionOf(MAPPING, gcDeletesMs === undefined ? {} : { gcDeletesMs }));
  good(await index().write([indexOf("a", { n: 1 }), external("b", 7), { kind: "delete", id: "a" }]));
  good(await index().write([{ kind: "delete", id: "b", version: { value: 8, type: "external" } }]));
}

it("a flush and a restart forget no recent delete", async () => {
  await deleted();
  await index().flush();
  await fixture.reopen();
  const [b, a] = await index().write([external("b", 8), indexOf("a", { n: 2 })]);
  expect(b).toMatchObject({ ok: false, error: { code: "version_conflict" } });
  expect(a).toMatchObject({ ok: true, result: "created", version: 3 });
});

it("a document that was written again after the commit stays written", async () => {
  await deleted();
  await index().flush();
  good(await index().write([indexOf("a", { n: 2 })]));
  await fixture.reopen();
  expect(index().get("a")).toMatchObject({ version: 3 });
});

it("after a minute versions begin anew, after a restart too", async () => {
  await deleted();
  await index().flush();
  now += 60_001;
  expect(good(await index().write([external("b", 2)]))[0]).toMatchObject({ version: 2 });
  await fixture.reopen();
  expect(good(await index().write([indexOf("a", { n: 2 })]))[0]).toMatchObject({ version: 1 });
});

it("the while is the index's setting, as it is now", async () => {
  await deleted(5000);
  now += 4000;
  expect((await index().write([external("b", 8)]))[0]).toMatchObject({ ok: false });
  await index().updateSettings({ gcDeletesMs: 1000 });
  expect((await index().write([external("b", 8)]))[0]).toMatchObject({ ok: true, version: 8 });
});
