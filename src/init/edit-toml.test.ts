import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { setTomlTable } from "./edit-toml.js";

const entry = { command: "pinakes", args: ["mcp", "--data", 'a"b'] };
const set = (text: string | undefined) =>
  setTomlTable({ file: "config.toml", text, path: ["mcp_servers", "pinakes"], entry });

describe("a table set in TOML", () => {
  it("makes a file where there is none", () => {
    expect(set(undefined)).toBe('[mcp_servers.pinakes]\ncommand = "pinakes"\nargs = [ "mcp", "--data", "a\\"b" ]\n');
  });

  it("is put behind what is there, of which every byte stays", () => {
    const text = '# mine\nmodel = "x" # why\n\n[mcp_servers.other]\ncommand = "y"\nat = 1979-05-27T07:32:00Z\n';
    const after = set(text);
    expect(after.startsWith(`${text}\n[mcp_servers.pinakes]\n`)).toBe(true);
    expect(parse(after)).toMatchObject({ model: "x", mcp_servers: { other: { command: "y" }, pinakes: entry } });
  });

  it("changes nothing the second time, whatever the line ends", () => {
    for (const text of [undefined, 'a = 1\r\n[mcp_servers.other]\r\ncommand = "y"\r\n', "a = 1"]) {
      const once = set(text);
      expect(set(once)).toBe(once);
    }
  });

  it("is brought up to date in place: other keys, comments and tables below stay", () => {
    const text = `[mcp_servers.pinakes] # the search
args = [ # of old
  "a",
  "b" ]
startup_timeout_sec = 20 # slow disk
command = "old"

[mcp_servers.pinakes.env]
A = "1"
`;
    const after = set(text);
    for (const kept of ["# the search", "startup_timeout_sec = 20 # slow disk", '[mcp_servers.pinakes.env]\nA = "1"\n'])
      expect(after).toContain(kept);
    expect(parse(after)).toEqual({
      mcp_servers: { pinakes: { ...entry, startup_timeout_sec: 20, env: { A: "1" } } },
    });
  });

  it("is refused in what is no TOML, with the place", () => {
    expect(() => set("a = 1\nb = = 2\n")).toThrow(/config\.toml: it is no valid TOML \(.* at line 2, column \d+\)/);
  });

  it.each([
    'mcp_servers = { other = { command = "y" } }\n',
    'mcp_servers.pinakes.command = "old"\n',
    "[mcp_servers]\npinakes = 1\n",
  ])("is refused where it cannot be added safely: %j", (text) => {
    expect(() => set(text)).toThrow(/add by hand:\n\[mcp_servers\.pinakes\]\ncommand = "pinakes"/);
  });
});
