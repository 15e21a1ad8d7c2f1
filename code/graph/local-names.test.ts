import { expect, test } from "vitest";
import { mayBindLocally } from "./local-names.js";

test.each([
  "(run) { return run(); }",
  "(a: A, run: (x: number) => void) {",
  "const run = 1;",
  "let [a, run] = pair;",
  "const { run } = this;",
  "for (const run of all) run();",
  "for run in all:\n  run()",
  "run := make()",
  "run, err := make()\nrun = x",
  "(int run) {",
  "Runner run = new Runner();",
  "items.map((run) => run())",
  "items.map(run => run())",
  "|a, run| run()",
  "lambda run: run()",
  "with open(x) as run:",
  "let mut run = 1;",
  "({ run }: any) { run(); }",
  "([run]) { run(); }",
  "(...run: any) { run(); }",
  "void (*run)(void) = 0; run();",
])("%s binds", (code) => {
  expect(mayBindLocally(code, "run")).toBe(true);
});

test.each([
  "(run Runner) error {",
  "(a A, run func(int) error) {",
  "() (run func()) { run() }",
  "(\n\ta A,\n\trun Runner,\n) {",
  "= func(a int, run *Runner) {",
  "() { var run Runner }",
  "() { for _, run := range all { run() } }",
])("%s binds in Go", (code) => {
  expect(mayBindLocally(code, "run", "behind names")).toBe(true);
});

test.each(["(a A) { return run(a) }", "(a A) { b, c := run(a, run); return run }"])("%s does not in Go", (code) => {
  expect(mayBindLocally(code, "run", "behind names")).toBe(false);
});

test.each([
  "() { return run(); }",
  "(): void { other.run = 1; }",
  "(a) { if (run(a) === run(b)) return run; }",
  "() { send(run, 1); return { run: 1 }; }",
  "() { await run(); throw run(); }",
  "() { rerun = 1; run2 = 2; }",
  "() { return x == run || run(y); }",
])("%s does not", (code) => {
  expect(mayBindLocally(code, "run")).toBe(false);
});
