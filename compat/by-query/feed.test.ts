import { describe, expect, test } from "vitest";
import { type DocumentSource, type FoundDocument, PageFeed } from "./feed.js";

/** A source of so many documents, called by one at a time. */
function sourceOf(count: number): DocumentSource {
  let next = 0;
  let busy = false;
  return {
    total: count,
    next: async (size) => {
      expect(busy).toBe(false);
      busy = true;
      await new Promise((resolve) => setImmediate(resolve));
      busy = false;
      const documents = Array.from({ length: Math.min(size, count - next) }, (_, at) => documentOf(next + at));
      next += documents.length;
      return { documents, release: () => undefined };
    },
    close: async () => undefined,
  };
}

function documentOf(number: number): FoundDocument {
  return { index: "i", id: String(number), version: 1, seqNo: number, primaryTerm: 1 };
}

async function drain(feed: PageFeed, takers: number): Promise<string[]> {
  const taken = await Promise.all(
    Array.from({ length: takers }, async () => {
      const ids: string[] = [];
      for (let page = await feed.next(); page !== undefined; page = await feed.next()) {
        ids.push(...page.documents.map(({ id }) => id));
      }
      return ids;
    }),
  );
  return taken.flat().sort((a, b) => Number(a) - Number(b));
}

describe("pages", () => {
  test.each([
    [10, 3, 100, 1, 10],
    [10, 3, 7, 2, 7],
    [9, 3, 100, 4, 9],
    [0, 3, 100, 2, 0],
  ])("of %i documents by %i, at most %i, by %i takers", async (count, size, most, takers, expected) => {
    const feed = new PageFeed(sourceOf(count), size, most);
    expect(await drain(feed, takers)).toEqual(Array.from({ length: expected }, (_, at) => String(at)));
    expect([feed.total, feed.ended]).toEqual([expected, true]);
  });

  test("end when somebody stops", async () => {
    const feed = new PageFeed(sourceOf(10), 3, 100);
    await feed.next();
    feed.stop();
    expect(await feed.next()).toBeUndefined();
  });

  test("fail for one taker alone", async () => {
    let calls = 0;
    const source = sourceOf(5);
    const failing = {
      ...source,
      next: (size: number) => (calls++ === 0 ? Promise.reject(new Error("x")) : source.next(size)),
    };
    const feed = new PageFeed(failing, 5, 5);
    const [first, second] = await Promise.allSettled([feed.next(), feed.next()]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
  });
});
