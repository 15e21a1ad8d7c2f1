import { expect, test } from "vitest";
import { goModuleName, goPackageIs } from "./go-packages.js";
import { chooseModule, moduleCandidates } from "./modules.js";

/** What a module is, of files that are there: `exact path`. */
function found(module: string, importer: string, language: string, files: string[]): string[] {
  const candidates = moduleCandidates(module, { path: importer, language });
  return chooseModule(candidates, files).map(({ path, certainty }) => `${certainty} ${path}`);
}

test.each<[string, string, string, string[], string[]]>([
  // JavaScript's ending stands for TypeScript's; a folder for its index.
  ["./a.js", "src/x.ts", "typescript", ["src/a.ts", "src/a/index.ts"], ["exact src/a.ts"]],
  ["./a", "src/x.ts", "typescript", ["src/a/index.tsx"], ["exact src/a/index.tsx"]],
  ["../a.js", "src/in/x.ts", "typescript", ["src/a.js", "src/a.ts"], ["exact src/a.js"]],
  ["..", "src/in/x.ts", "typescript", ["src/index.ts"], ["exact src/index.ts"]],
  ["../../out", "src/x.ts", "typescript", ["out.ts"], []],
  ["@/lib/a", "web/x.ts", "typescript", ["web/src/lib/a.ts"], ["heuristic web/src/lib/a.ts"]],
  ["react", "src/x.ts", "typescript", ["src/react.ts"], []],
  // Python.
  [".b", "pkg/a.py", "python", ["pkg/b.py", "b.py"], ["exact pkg/b.py"]],
  ["..b", "pkg/in/a.py", "python", ["pkg/b/__init__.py"], ["exact pkg/b/__init__.py"]],
  [".", "pkg/a.py", "python", ["pkg/__init__.py"], ["exact pkg/__init__.py"]],
  ["....b", "pkg/a.py", "python", ["b.py"], []],
  ["pkg.b", "src/pkg/in/a.py", "python", ["src/pkg/b.py", "old/pkg/b.py"], ["exact src/pkg/b.py"]],
  ["pkg.b", "tests/a.py", "python", ["src/pkg/b.py"], ["exact src/pkg/b.py"]],
  ["pkg.b", "tests/a.py", "python", ["x/pkg/b.py", "y/pkg/b.py"], ["heuristic x/pkg/b.py", "heuristic y/pkg/b.py"]],
  ["json", "pkg/a.py", "python", ["pkg/json.py"], ["heuristic pkg/json.py"]],
  // Java: a package's path is its folder.
  ["a.b.C", "x/Y.java", "java", ["src/main/java/a/b/C.java"], ["exact src/main/java/a/b/C.java"]],
  ["a.b.C", "x/Y.java", "java", ["m/a/b/C.java", "n/a/b/C.java"], ["heuristic m/a/b/C.java", "heuristic n/a/b/C.java"]],
  // Rust.
  ["crate::a::b", "core/src/x.rs", "rust", ["core/src/a/b.rs", "src/a/b.rs"], ["exact core/src/a/b.rs"]],
  ["super::b", "src/a/c.rs", "rust", ["src/a/b.rs", "src/b.rs"], ["exact src/a/b.rs"]],
  ["super::b", "src/a/mod.rs", "rust", ["src/b.rs"], ["exact src/b.rs"]],
  ["self::b", "src/lib.rs", "rust", ["src/b/mod.rs"], ["exact src/b/mod.rs"]],
  // C and Ruby.
  ["util.h", "src/a.c", "c", ["src/util.h", "include/util.h"], ["exact src/util.h"]],
  ["x/util.h", "src/a.c", "c", ["include/x/util.h"], ["heuristic include/x/util.h"]],
  ["./b", "lib/a.rb", "ruby", ["lib/b.rb"], ["exact lib/b.rb"]],
  ["app/b", "bin/a.rb", "ruby", ["lib/app/b.rb"], ["heuristic lib/app/b.rb"]],
])("%s in %s (%s)", (module, importer, language, files, expected) => {
  expect(found(module, importer, language, files)).toEqual(expected);
});

test("a Go import is the folder that its module's go.mod leads to", () => {
  const modules = [
    { name: "a.com/x", folder: "" },
    { name: "a.com/x/tools", folder: "tools" },
  ];
  expect(goPackageIs("a.com/x/store", "store", modules)).toBe("exact");
  expect(goPackageIs("a.com/x/tools/store", "tools/store", modules)).toBe("exact");
  expect(goPackageIs("a.com/x/tools/store", "store", modules)).toBeUndefined();
  expect(goPackageIs("b.com/store", "store", modules)).toBeUndefined();
  // Without a go.mod only the end of the path can be compared.
  expect(goPackageIs("b.com/x/store", "x/store", [])).toBe("heuristic");
  expect(goModuleName("// c\nmodule a.com/x\n\ngo 1.22\n")).toBe("a.com/x");
  expect(goModuleName("go 1.22\n")).toBeUndefined();
});
