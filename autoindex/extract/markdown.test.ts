import { describe, expect, it } from "vitest";
import { outlineOf } from "../testing/outline.js";
import { processorMs } from "../testing/processor-time.js";

async function sections(text: string): Promise<string[]> {
  const { declarations } = await outlineOf("a.md", text);
  return declarations.map(({ kind, qualifiedName, start, end }) => {
    return `${kind === "window" ? "window" : qualifiedName}: ${text.slice(start, end).replaceAll("\n", "|")}`;
  });
}

describe("Markdown sections", () => {
  it("are named by their headings, nested by depth", async () => {
    expect(await sections("# One\na\n## Two ##\nb\n# Three\nc\n")).toEqual([
      "One: # One|a",
      "One.Two: ## Two ##|b",
      "Three: # Three|c",
    ]);
  });

  it("take underlined headings, but not a list, a table or a rule", async () => {
    expect(await sections("Title\n=====\ntext\n\nSub\n---\n- item\n---\n\n---\n")).toEqual([
      "Title: Title|=====|text",
      "Title.Sub: Sub|---|- item|---||---",
    ]);
  });

  it("leave fenced code alone, also when it holds other fences", async () => {
    expect(await sections("# A\n````\n# not\n```\n# nor this\n````\n# B\n")).toEqual([
      "A: # A|````|# not|```|# nor this|````",
      "B: # B",
    ]);
  });

  it("leave front matter as text", async () => {
    expect(await sections("---\ntitle: x\n# no heading\n---\n# A\n")).toEqual([
      "window: ---|title: x|# no heading|---",
      "A: # A",
    ]);
  });

  it("keep a list of `- Key: value` lines in one section, in milliseconds", async () => {
    const list = Array.from({ length: 2000 }, (_, index) => `- Key ${index}: {a: b, or \`c\`}: "d", isn't *e*?`).join(
      "\n",
    );
    await outlineOf("warm.md", "# Loads the grammar\n");
    let declarations: Awaited<ReturnType<typeof outlineOf>>["declarations"] = [];
    const spent = await processorMs(async () => {
      ({ declarations } = await outlineOf("notes.md", `# Notes\n\n${list}\n`));
    });
    expect(spent).toBeLessThan(500);
    expect(declarations.map(({ kind }) => kind)).toEqual(["section"]);
  });

  it("do not take hash signs without a space for headings", async () => {
    expect(await sections("#hashtag\n#!shebang\n####### seven\n")).toEqual([
      "window: #hashtag|#!shebang|####### seven",
    ]);
  });
});
