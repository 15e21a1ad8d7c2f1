import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { programCommand, quoted, scriptCommand } from "./invocation.js";

function installed(name = "clone"): { script: string; bin: string } {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "pinakes-program-")));
  const script = path.join(root, name, "pinakes.js");
  const bin = path.join(root, "bin");
  mkdirSync(path.dirname(script));
  mkdirSync(bin);
  writeFileSync(script, "");
  chmodSync(script, 0o755);
  return { script, bin };
}

describe("the command to type", () => {
  it("is npx pinakes under npx, whatever the script", () => {
    expect(programCommand({ script: "/x/pinakes.js", env: { npm_command: "exec" } })).toBe("npx pinakes");
  });

  it("is pinakes where the search path leads to this script, as npm link makes it", () => {
    const { script, bin } = installed();
    const link = path.join(bin, "pinakes");
    symlinkSync(script, link);
    const env = { PATH: `/nowhere${path.delimiter}${bin}`, npm_command: "run-script" };
    expect(programCommand({ script: link, env })).toBe("pinakes");
    expect(programCommand({ script, env })).toBe("pinakes");
  });

  it("is node and the script's absolute path elsewhere, also where another pinakes is on the search path", () => {
    const { script, bin } = installed();
    expect(programCommand({ script, env: { PATH: bin } })).toBe(`node ${script}`);
    symlinkSync(installed().script, path.join(bin, "pinakes"));
    expect(programCommand({ script, env: { PATH: bin } })).toBe(`node ${script}`);
    const spaced = installed("a b").script;
    expect(scriptCommand(spaced)).toBe(`node '${spaced}'`);
  });
});

it.each([
  ["plain-1.x", "plain-1.x"],
  ["two words", "'two words'"],
  ["it's", "'it'\\''s'"],
  ["", "''"],
])("%j is %s for a shell", (text, word) => {
  expect(quoted(text)).toBe(word);
});
