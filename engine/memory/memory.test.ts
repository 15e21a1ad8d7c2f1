import { describe, expect, it } from "vitest";
import { Breakers } from "./breakers.js";
import { defaultBudget, divideBudget, LEAST_BUDGET } from "./budget.js";
import { parseBytes, printBytes } from "./bytes.js";
import { IndexingPressure } from "./indexing-pressure.js";
import { machineMemory } from "./machine-memory.js";
import { MemoryPressure } from "./pressure.js";
import { usedBytes } from "./process-memory.js";
import { ReaderCaches } from "./reader-caches.js";
import { RequestMemory } from "./request-memory.js";
import { WriteBuffers } from "./write-buffers.js";

const MIB = 2 ** 20;
const NO_LIMITS = { request: -1, fielddata: -1, in_flight_requests: -1, parent: -1 };

describe("sizes", () => {
  it.each([
    ["512m", 512 * MIB],
    ["1.5gb", 1.5 * 1024 * MIB],
    ["100b", 100],
    ["10KB", 10_240],
    ["0", 0],
    ["50", undefined],
    ["abc", undefined],
    ["-1mb", undefined],
  ])("%s", (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  it.each([
    [26_680, "26kb"],
    [10_680, "10.4kb"],
    [0, "0b"],
    [644_245_094, "614.3mb"],
  ])("%d is printed as %s", (bytes, text) => {
    expect(printBytes(bytes)).toBe(text);
  });
});

describe("what the machine allows", () => {
  const files = (found: Record<string, string>) => (path: string) => found[path];

  it("is the least limit of the process's control group and those above it (version 2)", () => {
    const read = files({
      "/proc/self/cgroup": "0::/system.slice/pinakes.service\n",
      "/sys/fs/cgroup/system.slice/pinakes.service/memory.max": "max\n",
      "/sys/fs/cgroup/system.slice/memory.max": "536870912\n",
    });
    expect(machineMemory(read, 8 * 1024 * MIB)).toEqual({ bytes: 512 * MIB, source: "cgroup v2" });
  });

  it("is found in a container, whose group's path is that of the host", () => {
    const read = files({
      "/proc/self/cgroup": "12:cpu:/\n4:memory:/docker/abc\n",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n",
    });
    expect(machineMemory(read, 8 * 1024 * MIB)).toEqual({ bytes: 256 * MIB, source: "cgroup v1" });
  });

  it("is the machine's memory without a group, or with a limit above it", () => {
    const read = files({
      "/proc/self/cgroup": "4:memory:/x\n",
      "/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "9223372036854771712\n",
    });
    expect(machineMemory(read, 1024 * MIB)).toEqual({ bytes: 1024 * MIB, source: "machine" });
    expect(machineMemory(files({}), 1024 * MIB).source).toBe("machine");
  });
});

describe("the budget", () => {
  it("is half of what there is, at most 4 GiB, and never too little to work", () => {
    expect(defaultBudget(2048 * MIB)).toBe(1024 * MIB);
    expect(defaultBudget(64 * 1024 * MIB)).toBe(4096 * MIB);
    expect(defaultBudget(100 * MIB)).toBe(LEAST_BUDGET);
  });

  it("leaves room for the program beside the arena", () => {
    expect(divideBudget(4096 * MIB).arena).toBe(2048 * MIB);
    expect(divideBudget(512 * MIB).arena).toBe(168 * MIB);
    expect(divideBudget(512 * MIB, 64 * MIB)).toMatchObject({ arena: 64 * MIB, memtable: 4 * MIB });
  });

  it("refuses what is too little, saying how much is needed", () => {
    expect(() => divideBudget(10 * MIB)).toThrow("a node needs at least 512mb of memory, not 10mb");
  });

  it("has room in flight for the largest body, so that one that comes alone is let in", () => {
    for (const size of [512, 600, 1024, 4096]) {
      const { httpBody, breakers } = divideBudget(size * MIB);
      expect(httpBody).toBeLessThanOrEqual(breakers.in_flight_requests);
    }
  });
});

describe("a breaker", () => {
  it("refuses what would pass its limit, takes nothing, and counts", () => {
    const breakers = Breakers.create({ ...NO_LIMITS, request: 1000 });
    breakers.charge("request", 900, "<agg [a]>");
    expect(() => breakers.charge("request", 200, "<agg [b]>")).toThrow(
      expect.objectContaining({
        code: "circuit_breaking",
        message:
          "[request] Data too large, data for [<agg [b]>] would be [1100/1kb], which is larger than the limit of [1000/1000b]",
        details: { breaker: "request", bytesWanted: 1100, bytesLimit: 1000, durability: "TRANSIENT" },
      }),
    );
    expect(breakers.stats("request")).toMatchObject({ estimatedBytes: 900, tripped: 1 });
    breakers.release("request", 900);
    breakers.charge("request", 1000, "<agg [c]>");
  });

  it("follows a limit that changes; -1 is none, 0 refuses all", () => {
    const breakers = Breakers.create({ ...NO_LIMITS, request: 10 });
    breakers.setLimit("request", -1);
    breakers.charge("request", MIB, "x");
    breakers.setLimit("request", 0);
    expect(() => breakers.charge("request", 1, "x")).toThrow("[request] Data too large");
  });

  it("weighs by its overhead", () => {
    const breakers = Breakers.create({ ...NO_LIMITS, fielddata: 100 });
    breakers.setOverhead("fielddata", 2);
    breakers.charge("fielddata", 50, "f");
    expect(() => breakers.charge("fielddata", 1, "f")).toThrow("would be [102/102b]");
  });

  it("is the same one in every thread", () => {
    const breakers = Breakers.create({ ...NO_LIMITS, request: 1000 });
    const elsewhere = Breakers.attach(breakers.memory);
    elsewhere.charge("request", 700, "x");
    expect(breakers.used("request")).toBe(700);
    expect(() => breakers.charge("request", 700, "x")).toThrow("[request] Data too large");
    expect(elsewhere.stats("request").tripped).toBe(1);
  });

  it("the parent looks at what the process uses, after asking for relief", () => {
    const breakers = Breakers.create({ ...NO_LIMITS, parent: 1000 });
    let relief = 2000;
    breakers.onOverLimit((wanted) => relief + wanted);
    breakers.measured(990);
    expect(() => breakers.charge("request", 100, "<http_request>")).toThrow(
      "[parent] Data too large, data for [<http_request>] would be [2100/2kb], which is larger than the limit of [1000/1000b], " +
        "real usage: [2000/1.9kb], new bytes reserved: [100/100b], usages [request=100/100b, fielddata=0/0b, in_flight_requests=0/0b]",
    );
    expect(breakers.used("request")).toBe(0);
    relief = 500;
    breakers.measured(990);
    breakers.charge("request", 100, "<http_request>");
  });

  it("the parent counts what was charged since it was measured", () => {
    const breakers = Breakers.create({ ...NO_LIMITS, parent: 1000 });
    breakers.measured(500);
    breakers.charge("in_flight_requests", 400, "x");
    expect(breakers.realUsage).toBe(900);
    expect(() => breakers.charge("request", 200, "x")).toThrow("[parent]");
    breakers.release("in_flight_requests", 400);
    breakers.charge("request", 200, "x");
  });
});

describe("the memory of a request", () => {
  it("is given back whole when the request ends", () => {
    const breakers = Breakers.create({ ...NO_LIMITS, request: MIB });
    const memory = new RequestMemory(breakers, "request");
    memory.charge(100_000, "a");
    memory.charge(200_000, "b");
    memory.release(50_000);
    expect(memory.used).toBe(250_000);
    expect(memory.peak).toBe(300_000);
    expect(breakers.used("request")).toBeGreaterThanOrEqual(250_000);
    memory.close();
    expect(breakers.used("request")).toBe(0);
  });

  it("small charges are taken from the breaker together, but never past its limit", () => {
    const breakers = Breakers.create({ ...NO_LIMITS, request: 20_000 });
    const memory = new RequestMemory(breakers, "request");
    memory.charge(1, "a");
    const reserved = breakers.used("request");
    memory.charge(1000, "b");
    expect(breakers.used("request")).toBe(reserved);
    memory.charge(18_000, "c");
    expect(() => memory.charge(2000, "d")).toThrow("[request] Data too large, data for [d]");
    expect(memory.used).toBe(19_001);
  });
});

describe("writes in flight", () => {
  it("are refused when too much waits, and let in when nothing does, however large", () => {
    const pressure = new IndexingPressure(1000);
    const leave = pressure.enter("coordinating", 5000);
    expect(() => pressure.enter("coordinating", 1)).toThrow(expect.objectContaining({ code: "overloaded" }));
    leave();
    leave();
    const second = pressure.enter("coordinating", 600);
    const third = pressure.enter("coordinating", 400);
    expect(pressure.stats("coordinating")).toEqual({ currentBytes: 1000, totalBytes: 6000, rejections: 1 });
    second();
    third();
    expect(pressure.stats("coordinating").currentBytes).toBe(0);
    expect(pressure.stats("primary")).toEqual({ currentBytes: 0, totalBytes: 0, rejections: 0 });
  });
});

describe("pressure", () => {
  function setUp() {
    const state = { used: 100, garbage: 0, now: 0, collections: 0 };
    const pressure = new MemoryPressure({
      measure: () => state.used,
      collect: () => {
        state.collections++;
        state.used -= state.garbage;
        state.garbage = 0;
      },
      highBytes: 90,
      now: () => state.now,
    });
    const cache = (name: string, bytes: number) => {
      const held = { bytes };
      pressure.add({
        name,
        drain: () => {
          const { bytes: freed } = held;
          held.bytes = 0;
          state.garbage += freed;
          return freed;
        },
      });
      return held;
    };
    return { state, pressure, cache };
  }

  it("does nothing below its mark", () => {
    const { state, pressure } = setUp();
    state.used = 90;
    expect(pressure.check()).toBe(90);
    expect(state.collections).toBe(0);
  });

  it("collects garbage first, and drops no cache when that is enough", () => {
    const { state, pressure, cache } = setUp();
    const queries = cache("queries", 30);
    state.garbage = 20;
    expect(pressure.check()).toBe(80);
    expect(queries.bytes).toBe(30);
  });

  it("drops caches in their order until enough is free", () => {
    const { pressure, cache } = setUp();
    cache("queries", 5);
    const blocks = cache("blocks", 30);
    const readers = cache("readers", 30);
    expect(pressure.check()).toBe(65);
    expect([blocks.bytes, readers.bytes]).toEqual([0, 30]);
    expect(pressure.counts().map(({ name, bytes }) => [name, bytes])).toEqual([
      ["garbage", 35],
      ["queries", 5],
      ["blocks", 30],
      ["readers", 0],
    ]);
  });

  it("looks for room for what is about to be taken", () => {
    const { state, pressure, cache } = setUp();
    state.used = 80;
    cache("queries", 30);
    expect(pressure.relieve(20)).toBe(50);
  });

  it("does not collect again and again in vain", () => {
    const { state, pressure } = setUp();
    for (let at = 0; at < 10_000; at += 100) {
      state.now = at;
      pressure.check();
    }
    expect(state.collections).toBeLessThan(8);
  });

  it("tries for a request that would be refused, in vain before or not", () => {
    const { state, pressure } = setUp();
    for (let at = 0; at < 10_000; at += 100) {
      state.now = at;
      pressure.check();
    }
    state.now = 11_000;
    state.garbage = 60;
    expect(pressure.relieve(10)).toBe(40);
  });
});

describe("what counts as used", () => {
  const memory = { rss: 900 * MIB, heapUsed: 20 * MIB, heapTotal: 30 * MIB, external: 10 * MIB };

  it("is the resident set, but not what the allocator keeps of memory given back", () => {
    expect(usedBytes({ ...memory, rss: 200 * MIB }, 256 * MIB)).toBe(200 * MIB);
    expect(usedBytes(memory, 256 * MIB)).toBe(360 * MIB);
  });
});

describe("write buffers", () => {
  function buffersOf(sizes: number[]) {
    const sealed: number[] = [];
    const buffers = sizes.map((bytes, i) => ({
      bytes,
      async seal() {
        sealed.push(i);
        this.bytes = 0;
      },
    }));
    return { sealed, buffers };
  }

  it("the largest become segments when all together hold too much", async () => {
    const { sealed, buffers } = buffersOf([1 * MIB, 9 * MIB, 4 * MIB]);
    const parts = { buffers: () => buffers, limitBytes: 6 * MIB, warn: () => undefined };
    const all = new WriteBuffers(parts);
    all.writing(100);
    await all.settled();
    expect(sealed).toEqual([]);
    all.writing(MIB);
    await all.settled();
    expect(sealed).toEqual([1]);
    expect(all.bytes).toBe(5 * MIB);
    expect(all.seals).toBe(1);
  });

  it("one that cannot be sealed does not keep the others from it", async () => {
    const { sealed, buffers } = buffersOf([4 * MIB, 3 * MIB]);
    buffers[0].seal = () => Promise.reject(new Error("disk full"));
    const warnings: string[] = [];
    const parts = { buffers: () => buffers, limitBytes: 1, warn: (text: string) => warnings.push(text) };
    const all = new WriteBuffers(parts);
    all.relieve(6 * MIB);
    await all.settled();
    expect(sealed).toEqual([1]);
    expect(warnings).toEqual(["a write buffer could not be sealed for want of memory: Error: disk full"]);
  });
});

describe("what is kept with readers", () => {
  it("is charged, told by index and field, and given back with its reader", () => {
    const breakers = Breakers.create(NO_LIMITS);
    const caches = new ReaderCaches(breakers);
    const a = caches.open("a");
    const b = caches.open("b");
    a.set("ordinals:1", "kept", { bytes: 1000, field: "k" });
    b.set("ordinals:1", "other", { bytes: 500, field: "k" });
    expect(a.get("ordinals:1")).toBe("kept");
    expect(caches.stats("a").byField.k).toBeGreaterThan(1000);
    expect(breakers.used("fielddata")).toBe(caches.stats("a").bytes + caches.stats("b").bytes);
    caches.close(a);
    expect(caches.stats("a")).toEqual({ bytes: 0, evictions: 0, byField: {} });
    expect(breakers.used("fielddata")).toBe(caches.stats("b").bytes);
  });

  it("gives way, least recently used first, when the breaker has no room", () => {
    const breakers = Breakers.create({ ...NO_LIMITS, fielddata: 3000 });
    const caches = new ReaderCaches(breakers);
    const cache = caches.open("a");
    cache.set("first", 1, { bytes: 1000 });
    cache.set("second", 2, { bytes: 1000 });
    cache.get("first");
    cache.set("third", 3, { bytes: 1000 });
    expect([cache.get("first"), cache.get("second"), cache.get("third")]).toEqual([1, undefined, 3]);
    expect(caches.stats("a").evictions).toBe(1);
    expect(breakers.stats("fielddata").tripped).toBe(0);
    expect(() => cache.set("huge", 4, { bytes: 10_000, field: "t" })).toThrow(
      "[fielddata] Data too large, data for [t]",
    );
  });

  it("is dropped for one field or one index when asked", () => {
    const caches = new ReaderCaches(Breakers.create(NO_LIMITS));
    const a = caches.open("a");
    a.set("1", 1, { bytes: 10, field: "x" });
    a.set("2", 2, { bytes: 10, field: "y" });
    caches.clear(new Set(["b"]));
    caches.clear(new Set(["a"]), "x");
    expect([a.get("1"), a.get("2")]).toEqual([undefined, 2]);
    caches.clear();
    expect(caches.bytes).toBe(0);
  });
});
