import { expect, test } from "vitest";
import { moduleHome } from "./foreign-modules.js";
import { knownPackages, NO_PACKAGES } from "./packages.js";

const sorted = (names: ReadonlySet<string>) => [...names].sort();

test("a package.json needs what is not of a workspace; a broken one says nothing", () => {
  const manifest = {
    name: "@a/shop",
    dependencies: { lodash: "^4", "@a/core": "workspace:*", near: "file:../near", constructor: "1" },
    devDependencies: { vitest: "4" },
  };
  const { own, needed } = knownPackages([JSON.stringify(manifest), "{", "null", "[]", '{"name":5}'], "package.json");
  expect(sorted(own)).toEqual(["@a/shop"]);
  expect(sorted(needed)).toEqual(["constructor", "lodash", "vitest"]);
});

test("a Cargo.toml needs what has no path, in tables of all kinds", () => {
  const manifest = [
    "[package]",
    'name = "my-shop" # the shop',
    "[dependencies]",
    'serde = "1"',
    'serde-json = { version = "1" }',
    'inner = { path = "../inner" }',
    "[target.'cfg(unix)'.dev-dependencies]",
    "libc.workspace = true",
    "[dependencies.tokio]",
    'version = "1"',
    "[build-dependencies.near]",
    'path = "../near"',
    "[features]",
    "default = []",
  ].join("\n");
  const { own, needed } = knownPackages([manifest], "Cargo.toml");
  expect(sorted(own)).toEqual(["inner", "my_shop", "near"]);
  expect(sorted(needed).filter((name) => !own.has(name))).toEqual(["libc", "serde", "serde_json", "tokio"]);
});

test.each([
  ["typescript", "node:fs", "language"],
  ["typescript", "fs/promises", "language"],
  ["typescript", "util/helpers", "here or unknown"],
  ["typescript", "lodash/fp", "elsewhere"],
  ["typescript", "@a/core/x", "here or unknown"],
  ["typescript", "never-heard-of", "here or unknown"],
  ["typescript", "./lodash", "here or unknown"],
  ["typescript", "@/lodash", "here or unknown"],
  ["rust", "std::fs", "language"],
  ["rust", "lodash::x", "elsewhere"],
  ["rust", "crate::std", "here or unknown"],
  ["java", "java.util", "language"],
  ["java", "javafoo.util", "elsewhere"],
  ["python", "os.path", "elsewhere"],
  ["python", ".os", "here or unknown"],
  ["ruby", "json", "here or unknown"],
])("%s: %s is of %s", (language, module, home) => {
  const packages = { own: new Set(["@a/core"]), needed: new Set(["lodash", "@a/core"]) };
  expect(moduleHome({ language, module, name: "", isFound: false, packages })).toBe(home);
});

test("the sources of a standard library are their own", () => {
  const question = { module: "java.util", name: "List", packages: NO_PACKAGES };
  expect(moduleHome({ ...question, language: "java", isFound: true })).toBe("here or unknown");
  const packages = { own: new Set(["std"]), needed: new Set<string>() };
  expect(moduleHome({ ...question, module: "std::fs", language: "rust", isFound: false, packages })).toBe(
    "here or unknown",
  );
});

test("what is found is here, whatever the manifests do not say", () => {
  expect(moduleHome({ language: "python", module: "os", name: "", isFound: true, packages: NO_PACKAGES })).toBe(
    "here or unknown",
  );
});
