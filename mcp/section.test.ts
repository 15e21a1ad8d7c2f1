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

test("what is left is counted by what the items are about, where several are about one", () => {
  const subjects = items.map((_, at) => String(Math.floor(at / 2)));
  const left = new Map<number, string>();
  for (let tokens = 80; tokens < 400; tokens += 10) {
    const page = new Page(tokens);
    const way = { whole: (at: number) => `symbol({"from":${at}})`, brief: (at: number) => `"from":${at}` };
    addItems(page, { title: "callers", items, subjects }, 0, way);
    const [, foot, from] = /\n {2}(.*); next: .*"from":(\d+)/.exec(page.text()) ?? [];
    if (from !== undefined) left.set(Number(from), foot!);
  }
  expect(left.size).toBeGreaterThan(3);
  for (const [from, foot] of left) {
    const lines = items.length - from;
    const others = new Set(subjects.slice(from).filter((one) => !subjects.slice(0, from).includes(one))).size;
    const said = others === lines ? `${lines} more` : `${others} more on ${lines} ${lines === 1 ? "line" : "lines"}`;
    expect(foot, `from ${from}`).toBe(said);
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
