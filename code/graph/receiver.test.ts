import { expect, test } from "vitest";
import { goReceiver, receiverOf } from "./receiver.js";

/** The receiver of the name behind `|`. */
function receiver(marked: string, own?: string): string {
  const column = marked.indexOf("|");
  const found = receiverOf(marked.replace("|", ""), column, own);
  if (found.kind === "module") return `module ${found.module}`;
  return found.kind === "name" ? `name ${found.name}` : found.kind;
}

test.each([
  ["  return |run();", "none"],
  ["this.|run()", "self"],
  ["  self.|run()", "self"],
  ["Self::|run()", "self"],
  ["store.|run()", "name store"],
  ["a.b?.|run()", "name a.b"],
  ["crate::a::|run()", "name crate.a"],
  ["node->|run()", "name node"],
  ["make().|run()", "other"],
  ['require("fs").|run()', "module fs"],
  [`x = (await ${"import"}('./a.js')).|run()`, "module ./a.js"],
  ['my.require("fs").|run()', "other"],
  ['require("fs").promises.|run()', "other"],
  ["list[0].|run()", "other"],
  ['"text".|run()', "other"],
  ["  .|then(x)", "other"],
  ["a + |run()", "none"],
  ["this.store.|run()", "name this.store"],
])("%s", (marked, expected) => {
  expect(receiver(marked)).toBe(expected);
});

test("a Go method's own value is the object itself", () => {
  expect(goReceiver("func (s *Server) Start(x int) error")).toBe("s");
  expect(goReceiver("func Start()")).toBeUndefined();
  expect(receiver("s.|run()", "s")).toBe("self");
});
