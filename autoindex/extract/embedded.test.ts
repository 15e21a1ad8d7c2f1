import { describe, expect, it } from "vitest";
import { declared } from "../testing/outline.js";
import { processorMs } from "../testing/processor-time.js";
import { embeddedTexts } from "./embedded.js";

describe("texts of other languages", () => {
  it("keep their places, all else is blank", () => {
    const text = '<p>größe</p>\n<script lang="ts">\nconst a: number = 1;\n</script>\n<script>\nlet b;\n</script>\n';
    const found = embeddedTexts("html", text);
    expect(found.map(({ language }) => language)).toEqual(["typescript", "javascript"]);
    for (const embedded of found) expect(embedded.text).toHaveLength(text.length);
    expect(found[0]!.text.trim()).toBe("const a: number = 1;");
    expect(found[0]!.text.indexOf("const a")).toBe(text.indexOf("const a"));
  });

  it("of templates are read together", () => {
    const [ruby] = embeddedTexts("erb", "<% if a %>\n<b><%= f(1) %></b>\n<%# no %>\n<% end %>\n");
    expect(ruby!.text.replace(/\s+/g, " ").trim()).toBe("if a ; f(1) ; end ;");
  });

  it("declare what they declare", async () => {
    expect(await declared("a.html", '<div id="x"></div>\n<script>\nfunction f() {}\n</script>\n')).toEqual([
      "property x 1-1",
      "function f 3-3",
    ]);
  });

  it("cost no more than the length of the text, closed or not", async () => {
    for (const text of [
      "<script>".repeat(50_000),
      "<script ".repeat(50_000),
      "<% ".repeat(100_000),
      "<%=%>".repeat(50_000),
    ]) {
      for (const host of ["html", "erb"]) {
        const spent = await processorMs(() => embeddedTexts(host, text));
        expect(spent, text.slice(0, 10)).toBeLessThan(3000);
      }
    }
  });
});
