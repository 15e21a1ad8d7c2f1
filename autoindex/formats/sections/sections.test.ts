import { describe, expect, it } from "vitest";
import { Positions } from "../../extract/positions.js";
import { processorMs } from "../../testing/processor-time.js";
import { SECTION_READERS } from "./index.js";

/** Qualified names with the lines of each section. */
async function read(language: string, text: string): Promise<string[]> {
  const positions = new Positions(text);
  const sections = await SECTION_READERS[language]!(positions, () => {});
  return sections.map(
    ({ qualifiedName, start, end }) => `${qualifiedName} ${positions.lineAt(start)}-${positions.lineAt(end - 1)}`,
  );
}

describe("reStructuredText", () => {
  it.each<[what: string, text: string, sections: string[]]>([
    [
      "titles by the row below",
      "Guide\n=====\n\nwords\n\nFirst part\n----------\n\nmore\n",
      ["Guide 1-4", "Guide.First part 6-9"],
    ],
    ["a row above and below", "=====\nGuide\n=====\n\nPart\n====\n\nx\n", ["Guide 1-3", "Guide.Part 5-8"]],
    ["marks in any order", "One\n~~~\n\nTwo\n^^^\n\nThree\n~~~~~\n", ["One 1-2", "One.Two 4-5", "Three 7-8"]],
    [
      "no title: a table, a rule, a row that is too short",
      "=== ===\na   b\n=== ===\n\nwords\n\n----\n\nlong title\n---\n",
      [],
    ],
  ])("%s", async (_, text, sections) => {
    expect(await read("restructuredtext", text)).toEqual(sections);
  });
});

describe("AsciiDoc", () => {
  it("has titles outside listings, tables and comments", async () => {
    const text = "= Guide\n\nwords\n\n== Part\n\n----\n== code\n----\n\n////\n== gone\n////\n=== Inner\nx\n";
    expect(await read("asciidoc", text)).toEqual(["Guide 1-3", "Guide.Part 5-13", "Guide.Part.Inner 14-15"]);
  });
});

describe("Org", () => {
  it("has headlines without their state, priority and tags", async () => {
    const text = "#+TITLE: x\n* TODO [#A] Buy nails :shop:now:\nwords\n** Where\nmore\n*bold* is none\n* End\n";
    expect(await read("org", text)).toEqual(["Buy nails 2-3", "Buy nails.Where 4-6", "End 7-7"]);
  });
});

describe("HTML", () => {
  const page =
    "<!doctype html>\n<title>The &amp; page</title>\n<script>var hidden = 1;</script>\n<p>Intro\n<h1>Caf&eacute;</h1>\n<p>Sm&ouml;rg&aring;s\n<h2>Inner</h2>\n<table><tr><td>1<td>2</table>\n<h1>End</h1>\n";

  it("has a section a heading; its range is the source's", async () => {
    expect(await read("html", page)).toEqual(["The & page 1-4", "Café 5-6", "Café.Inner 7-8", "End 9-9"]);
  });

  it("has the words as they are read beside the source", async () => {
    const [intro, first, inner] = await SECTION_READERS.html!(new Positions(page), () => {});
    expect(intro!.docstring).toBe("Intro");
    expect(first!.docstring).toBe("Café\nSmörgås");
    expect(inner!.docstring).toBe("Inner\n1 2");
  });

  it("is read in linear time, however deep", async () => {
    expect(await processorMs(() => read("html", "<div><p>".repeat(100_000)))).toBeLessThan(5000);
  });
});
