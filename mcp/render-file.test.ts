import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileHit, parseQuery } from "../code/index.js";
import { linesOfFile } from "./file-lines.js";
import { searchOf } from "./find-hits.js";
import { renderFile } from "./render-file.js";
import { CodeFolder } from "./testing/code-folder.js";
import { FakeNode } from "./testing/fake-node.js";
import { InProcessClient } from "./testing/in-process-client.js";
import { gitBlobId } from "./working-file.js";
import { Workspace } from "./workspace.js";

const TEXT = "one\n  two();\nthree\n  two();\nfive\n";

let folder: CodeFolder;
let client: InProcessClient;
beforeEach(() => {
  const node = new FakeNode();
  client = new InProcessClient(node);
  folder = new CodeFolder(node, "lib");
  folder.add("src/a.ts", TEXT);
  folder.finish();
});
afterEach(() => {
  client.close();
  folder.dispose();
});

/** The file as a search for `two` finds it, with one line of context. */
function hit(more: Partial<FileHit> = {}): FileHit {
  const match = (line: number) => ({ line, byte: 0, text: "  two();", ranges: [[2, 5]] as const, cutBytes: 0 });
  const context = (line: number, text: string) => ({ line, byte: 0, text, ranges: [], cutBytes: 0 });
  const lines = [context(1, "one"), match(2), context(3, "three"), match(4), context(5, "five")];
  const file = { id: "1", score: 1, repo: "lib", path: "src/a.ts", language: "typescript", class: "source" } as const;
  const blob = gitBlobId(Buffer.from(TEXT));
  return { type: "file", ...file, blob, lines: { total: 2, lines }, sort: [], ...more };
}

async function render(of: FileHit, note = "", seen: string[] = []) {
  const workspace = await Workspace.open({ client });
  const search = await searchOf(workspace, { query: parseQuery("/two/"), words: "all" });
  return renderFile({ ...(await linesOfFile(workspace, search, of)), note }, new Set(seen));
}

describe("a file with matching lines", () => {
  it("is its path with a count, a line, its matching lines, or those with the lines around them", async () => {
    const { location, signature, lines, body } = await render(hit());
    expect(location).toBe("src/a.ts (2 lines match)\n");
    expect(signature).toBe("src/a.ts (2 lines match, 1 shown)\n2:   two();\n");
    expect(lines).toBe("src/a.ts (2 lines match)\n2:   two();\n4:   two();\n");
    expect(body).toBe("src/a.ts (2 lines match)\n1: one\n2:   two();\n3: three\n4:   two();\n5: five\n");
  });

  it("says its class and the note, and leaves out lines shown already", async () => {
    const { lines, keys } = await render(hit({ class: "test" }), "[1][2]");
    expect(lines).toMatch(/^src\/a\.ts \(2 lines match; test; \[1\]\[2\]\)\n/);
    expect((await render(hit(), "", [...(keys.signature ?? [])])).lines).toBe(
      "src/a.ts (2 lines match, 1 shown)\n4:   two();\n",
    );
  });

  it("shows lines of a file that changed as they are now, and says when it has none any more", async () => {
    folder.write("src/a.ts", "new\none\n  two();\nthree\n");
    expect((await render(hit())).lines).toBe("src/a.ts (1 line matches; changed since it was indexed)\n3:   two();\n");
    folder.write("src/a.ts", "new\n");
    expect((await render(hit())).lines).toContain("gone: the file has changed and no longer has such a line");
    folder.delete("src/a.ts");
    expect((await render(hit())).lines).toContain("gone: there is no src/a.ts any more");
  });

  it("cuts a long line around its match, whole from the disk where the index has its beginning only", async () => {
    const line = `${"x".repeat(5_000)}two()${"y".repeat(5_000)}`;
    folder.add("src/long.js", `${line}\n`);
    const cut = { line: 1, byte: 0, text: "x".repeat(1_000), ranges: [[5_000, 5_003]] as const, cutBytes: 9_005 };
    const blob = gitBlobId(Buffer.from(`${line}\n`));
    const { signature } = await render(hit({ path: "src/long.js", blob, lines: { total: 1, lines: [cut] } }));
    expect(signature).toMatch(
      /^src\/long\.js \(1 line matches\)\n1: \(\+\d+ bytes\) \.\.\. x+two\(\)y+ \.\.\. \(\+\d+ bytes\)\n$/,
    );
    expect(Buffer.byteLength(signature)).toBeLessThan(320);
  });
});
