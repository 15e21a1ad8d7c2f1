import { expect, it } from "vitest";
import { isSettings } from "./settings.js";

it.each([
  ["tsconfig.json", true],
  ["packages/a/tsconfig.build.json", true],
  ["package-lock.json", true],
  [".eslintrc.json", true],
  [".pre-commit-config.yaml", true],
  ["compose.dev.yml", true],
  ["my.code-workspace", true],
  ["orders.json", false],
  ["tasks.json", false],
  ["tsconfig.json/orders.json", false],
  ["data/package.jsonl", false],
])("%s is settings by its name: %s", (path, is) => {
  expect(isSettings(path)).toBe(is);
});
