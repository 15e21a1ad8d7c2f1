import { expect, test } from "vitest";
import { callText } from "./call-text.js";
import { Page } from "./page.js";
import { addItems } from "./section.js";

const items = Array.from({ length: 23 }, (_, at) => `src/file${at}.ts:${at * 7}: function step${at}()`);

/** A page of the items from one on, and the item that its call goes on with. */
function pageFrom(from: number, maxTokens: number): { shown: string[]; next: number | undefined } {
  const page = new Page(maxTokens);
  // As the tool symbol writes it: what is so anyway is not said.
  const call = (at: number) =>
    callText("symbol", { name: "step9", ...(at > 0 ? { from: at } : {}), max_tokens: maxTokens });
  const brief = (at: number) => `the same symbol with "from":${at}`;
  addItems(page, { title: "called by: 23 in 23 files, over 4 steps", items }, from, { whole: call, brief });
  const lines = page.text().split("\n");
  const next = lines.map((line) => /next: symbol\((.*)\)$/.exec(line)?.[1]).find((found) => found !== undefined);
  const shown = lines.filter((line) => line.startsWith("  src/"));
  return { shown, next: next === undefined ? undefined : ((JSON.parse(next) as { from?: number }).from ?? 0) };
}

test("the calls that go on give every item, once and in order, whatever the budget", () => {
  for (let maxTokens = 100; maxTokens <= 500; maxTokens++) {
    let from = 0;
    for (let pages = 0; from < items.length; pages++) {
      const { shown, next } = pageFrom(from, maxTokens);
      expect(shown.length, `${maxTokens} tokens from ${from}`).toBeGreaterThan(0);
      expect(next ?? items.length, `${maxTokens} tokens from ${from}`).toBe(from + shown.length);
      from = next ?? items.length;
      expect(pages).toBeLessThan(items.length);
    }
  }
});

test("where a whole call has no room, what to change in the one that was made leads on", () => {
  const page = new Page(70);
  const way = {
    whole: (at: number) => "x".repeat(90 + at),
    brief: (at: number) => `the same symbol with "from":${at}`,
  };
  addItems(page, { title: "called by", items }, 0, way);
  expect(page.text()).toMatch(/^called by\n {2}src\/file0.*\n {2}22 more; next: the same symbol with "from":1\n$/);
  const small = new Page(45);
  addItems(small, { title: "called by", items }, 0, way);
  expect(small.text()).toBe("called by\n  23 more\n");
});
