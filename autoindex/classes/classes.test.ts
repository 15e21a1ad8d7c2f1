import { describe, expect, it } from "vitest";
import { FILE_CLASSES } from "../../code/index.js";
import { detectLanguage } from "../languages/index.js";
import { classify } from "../sniff/file-class.js";
import { folderWith } from "../testing/folder.js";
import { processorMs } from "../testing/processor-time.js";
import { attributesOf } from "./attributes.js";
import { saysGenerated } from "./markers.js";
import { PATH_RULES } from "./path-rules.js";

const classOf = (path: string, text = "") => {
  const language = detectLanguage(path, text).name;
  return classify({ path, language, text, isRecords: false, isMinified: false });
};

/** Paths as they are in public repositories, by class. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  source: [
    "kernel/sched/core.c",
    "drivers/net/ethernet/intel/e1000/e1000_main.c",
    "include/linux/sched.h",
    "tools/perf/builtin-record.c",
    "fs/ext4/inode.c",
    "src/node_buffer.cc",
    "lib/internal/test_runner.js",
    "lib/fs.js",
    "src/compiler/checker.ts",
    "packages/react-reconciler/src/ReactFiberHooks.js",
    "src/libcore/option.rs",
    "library/std/src/io/mod.rs",
    "compiler/rustc_middle/src/ty/mod.rs",
    "net/http/server.go",
    "cmd/go/internal/load/pkg.go",
    "pkg/kubelet/kubelet.go",
    "django/db/models/query.py",
    "Lib/asyncio/events.py",
    "numpy/core/fromnumeric.py",
    "spring-core/src/main/java/org/springframework/util/StringUtils.java",
    "server/src/main/java/org/elasticsearch/index/engine/Engine.java",
    "src/main/java/com/example/contest/Latest.java",
    "lucene/core/src/java/org/apache/lucene/index/IndexWriter.java",
    "activerecord/lib/active_record/base.rb",
    "lib/rspec/core/formatters.rb",
    "src/Symfony/Component/HttpKernel/Kernel.php",
    "Sources/NIOCore/Channel.swift",
    "src/System.Private.CoreLib/src/System/String.cs",
    "compiler/src/dotty/tools/dotc/Compiler.scala",
    "okhttp/src/main/kotlin/okhttp3/OkHttpClient.kt",
    "src/Data/Aeson/Types.hs",
    "lib/elixir/lib/enum.ex",
    "src/lua/lapi.c",
    "scripts/build.sh",
    "build/scripts/release.py",
    "target/arm/translate.c",
    "out.py",
    "docs/conf.py",
    "doc/examples/server.c",
    "src/attestation.ts",
    "src/inspector/specification.ts",
    "src/protest.py",
    "index.html",
    "styles/main.css",
    "db/migrate/20200101000000_create_users.rb",
    "schema.sql",
    "api/service.proto",
    "obj/mesh.c",
    "src/dist.ts",
    "contrib/pgcrypto/crypt-md5.c",
    "src/deps/resolve.go",
    "deps/solver.py",
    "src/main/java/com/example/shop/vendor/VendorService.java",
    "app/models/vendor/account.rb",
    "app/Http/Controllers/External/Hook.php",
    "packages/core/src/index.ts",
  ],
  test: [
    "tools/testing/selftests/bpf/test_progs.c",
    "lib/kunit/test.c",
    "net/http/server_test.go",
    "net/http/testdata/file",
    "pkg/kubelet/kubelet_test.go",
    "test/parallel/test-fs-read.js",
    "packages/react-dom/src/__tests__/ReactDOM-test.js",
    "src/App.test.tsx",
    "src/app/app.component.spec.ts",
    "cypress/integration/login.js",
    "e2e/home.e2e-spec.ts",
    "src/utils/date.test.mjs",
    "tests/ui/issues/issue-1234.rs",
    "library/alloc/tests/vec.rs",
    "src/parser/tests.rs",
    "tests/admin_views/tests.py",
    "Lib/test/test_asyncio/test_events.py",
    "numpy/core/tests/test_numeric.py",
    "conftest.py",
    "pkg/conftest.py",
    "app/models_test.py",
    "spring-core/src/test/java/org/springframework/util/StringUtilsTests.java",
    "src/it/java/com/example/LoginIT.java",
    "server/src/internalClusterTest/java/org/elasticsearch/ClusterIT.java",
    "app/src/androidTest/java/com/example/MainActivityTest.kt",
    "shared/src/commonTest/kotlin/PlatformTests.kt",
    "activerecord/test/cases/base_test.rb",
    "spec/models/user_spec.rb",
    "spec/spec_helper.rb",
    "src/Symfony/Component/HttpKernel/Tests/KernelTest.php",
    "Zend/tests/bug12345.phpt",
    "Tests/NIOCoreTests/ChannelTests.swift",
    "src/Foo.Tests/BarTests.cs",
    "test/unit/WidgetSpec.hs",
    "core/src/test/scala/FutureSuite.scala",
    "lib/elixir/test/elixir/enum_test.exs",
    "lib/stdlib/test/lists_SUITE.erl",
    "base/gtest_unittest.cc",
    "absl/strings/str_cat_test.cc",
    "test/Sema/warn-unused.cpp",
    "t/t0001-init.sh",
    "t/basic.t",
    "test/helper.bats",
    "spec/lua/parser_spec.lua",
    "tests/testthat/test-filter.R",
    "test/runtests.jl",
    "widget_test.dart",
    "features/login.feature",
    "contracts/Token.t.sol",
    "src/__mocks__/fs.js",
    "src/fixtures/user.json",
    "test/golden/a.txt",
    "crates/core/tests/util.rs",
    "client-tests/run.py",
  ],
  vendored: [
    "node_modules/lodash/index.js",
    "vendor/github.com/pkg/errors/errors.go",
    "third_party/abseil-cpp/absl/base/config.h",
    "3rdparty/zlib/zlib.h",
    "external/bsd/dist/tool.c",
    "Pods/Alamofire/Source/Alamofire.swift",
    "Carthage/Checkouts/x/a.swift",
    "venv/lib/python3.10/site-packages/requests/api.py",
    "bower_components/jquery/dist/jquery.js",
    "public/js/jquery-3.6.0.js",
    "gradlew",
    "mvnw.cmd",
    ".yarn/releases/yarn-3.2.0.cjs",
    "vendor/assets/javascripts/x.test.js",
    "Godeps/_workspace/src/x/y.go",
    "src/third-party/README.md",
    "deps/jemalloc/src/arena.c",
    "deps/v8/src/api/api.cc",
    "subprojects/zlib/inflate.c",
    "packages/Newtonsoft.Json.13.0.1/lib/net45/x.js",
    "build/_deps/fmt-src/include/fmt/core.h",
    "vcpkg_installed/x64-linux/include/zlib.h",
    "flow-typed/npm/jest_v29.js",
    "ext/sqlite3.c",
    "src/extern/json.hpp",
    "pip/_vendor/requests/api.py",
    ".pnp.cjs",
  ],
  generated: [
    "package-lock.json",
    "web/yarn.lock",
    "pnpm-lock.yaml",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    "mix.lock",
    "pubspec.lock",
    "Package.resolved",
    "flake.lock",
    "static/app.min.js",
    "static/app.min.css",
    "lib/index.js.map",
    "api/v1/service.pb.go",
    "api/v1/service.pb.gw.go",
    "proto/message_pb2.py",
    "proto/message_pb2_grpc.py",
    "proto/message.pb.cc",
    "lib/models/user.g.dart",
    "lib/models/user.freezed.dart",
    "Form1.Designer.cs",
    "src/schema.generated.ts",
    "pkg/apis/core/zz_generated.deepcopy.go",
    "db/query.sql.go",
    "src/__generated__/Query.graphql.ts",
    "src/__snapshots__/App.test.tsx.snap",
    "parser/y.tab.c",
    "App.xcodeproj/project.pbxproj",
    "client/routes.gen.ts",
  ],
  build: [
    "dist/index.js",
    "packages/core/dist/index.d.ts",
    "src/__pycache__/a.cpython-310.pyc",
    ".next/static/chunks/main.js",
    "build/lib/pkg/module.py",
    "build/static/js/main.js",
    "build/index.html",
    "app/build/intermediates/manifest.xml",
    "target/classes/application.properties",
    "target/debug/build/out.d",
    "bin/Debug/net6.0/app.deps.json",
    "obj/Release/App.AssemblyInfo.cs",
    "cmake-build-debug/CMakeCache.txt",
    "coverage/lcov-report/index.html",
    "htmlcov/index.html",
    "foo.egg-info/SOURCES.txt",
    "out/main.js",
    "_site/index.html",
  ],
  config: [
    "package.json",
    "tsconfig.json",
    ".eslintrc.js",
    ".prettierrc",
    ".editorconfig",
    ".gitignore",
    ".github/workflows/ci.yml",
    "webpack.config.js",
    "vite.config.ts",
    "Dockerfile",
    "docker-compose.yml",
    "Makefile",
    "drivers/net/Kconfig",
    "arch/arm64/configs/some_defconfig",
    "CMakeLists.txt",
    "meson.build",
    "Cargo.toml",
    "build.rs",
    "pyproject.toml",
    "setup.py",
    "requirements-dev.txt",
    "tox.ini",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "settings.gradle.kts",
    "build.sbt",
    "Gemfile",
    "Rakefile",
    "App.csproj",
    "App.sln",
    "BUILD.bazel",
    "WORKSPACE",
    "main.tf",
    "variables.tfvars",
    "nginx/nginx.conf",
    "Package.swift",
    "configure.ac",
    "mix.exs",
    "Jenkinsfile",
    "CODEOWNERS",
    "default.nix",
  ],
  docs: [
    "README.md",
    "README",
    "LICENSE",
    "LICENSE-MIT",
    "COPYING",
    "CHANGELOG.md",
    "CONTRIBUTING.rst",
    "Documentation/admin-guide/index.rst",
    "docs/guide/intro.mdx",
    "doc/man/git.1",
    "docs/index.html",
    "docs/logo.svg",
    "MAINTAINERS",
    "AUTHORS",
    "manual/intro.tex",
    "doc/src/api.adoc",
    "notes.org",
    "docs/usage.txt",
  ],
  data: ["data/iris.csv", "data/log.jsonl", "geo/world.geojson", "db.sqlite3", "samples/reads.fastq", "table.tsv"],
};

describe("the class of a path", () => {
  const rows = Object.entries(PATHS).flatMap(([expected, paths]) => paths.map((path) => [path, expected] as const));

  it("is told for paths of all classes", () => {
    expect(rows.length).toBeGreaterThanOrEqual(220);
    expect(new Set(rows.map(([path]) => path)).size).toBe(rows.length);
    expect(Object.keys(PATHS).sort()).toEqual([...FILE_CLASSES].sort());
  });

  it.each(rows)("of %s is %s", (path, expected) => {
    expect(classOf(path)).toBe(expected);
  });

  it("is that of a source when its first line names its program", () => {
    expect(classOf("bin/rails", "#!/usr/bin/env ruby\nputs 1\n")).toBe("source");
  });

  it("costs no time for names made to cost it", async () => {
    const names = ["a".repeat(200), "_test".repeat(50), `${"test_".repeat(40)}.py`];
    const spent = await processorMs(() => {
      for (const name of names) classOf(`${name}/${name}.x`);
    });
    expect(spent).toBeLessThan(500);
  });
});

describe("the rules", () => {
  it("name each thing once in a row, and no pattern has two stars in a row", () => {
    for (const { names = [], folders = [] } of PATH_RULES) {
      for (const list of [names, folders]) {
        expect(new Set(list).size).toBe(list.length);
        expect(list.filter((one) => one.includes("**"))).toEqual([]);
      }
    }
  });
});

describe("a text that says that it is generated", () => {
  it.each([
    "// Code generated by protoc-gen-go. DO NOT EDIT.\n",
    "/**\n * @generated SignedSource<<abc>>\n */",
    "# This file is automatically generated by tool; do not edit\n",
    "/* Generated by Cython 0.29 */\n/* THIS FILE WAS AUTOMATICALLY GENERATED */\n",
    "// <auto-generated>\n//     This code was generated by a tool.\n",
    "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n",
    "/* A Bison parser, made by GNU Bison 3.8.  */\n",
    "# Generated by Django 4.2 on 2024-01-01\n",
    "// DO NOT EDIT. This file is generated from foo.yaml\n",
    "// Autogenerated by hack/update-codegen.sh\n",
    "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# This file is @generated by prost-build.\n",
    "/*\n * Copyright 2020\n *\n * This class is auto generated by OpenAPI Generator.\n * Do not edit the class manually.\n */\n",
    "package a;\n\nimport java.util.List;\n\n/**\n * NOTE: This class is auto generated by the generator. Do not edit.\n */\n",
    "<?php\n\n// This file has been auto-generated by the Symfony Dependency Injection Component\n",
    "<!-- Generated by javadoc (17) on Mon Jan 01 -->\n<!-- This file is automatically generated. -->\n",
    '{\n  "_comment": "This file is generated by make. Do not edit.",\n  "a": 1\n}\n',
    "/* -*- c -*-\n * Generated automatically from the Unicode and charset tables.\n */\n",
    '"""Generated by protoc.\n\nDo not edit.\n"""\n',
    "-- Code generated by\n-- sqlc. DO NOT\n-- EDIT.\n",
    "// Generated from Expr.g4 by ANTLR 4.9.2\n",
    "(* This file was generated by Coq. *)\n",
  ])("%j", (text) => {
    expect(saysGenerated(text)).toBe(true);
    expect(classOf("src/a.ts", text)).toBe("generated");
  });

  it.each([
    "class Column\n  def initialize(generated)\n    @generated = generated\n",
    'echo "// This file was generated by make; do not edit" > out.ts\n',
    'if contents.include?("This file was generated by Bundler")\n',
    'const HEADER = "// Code generated by x. DO NOT EDIT.";\n',
    "// Adds the `@generated` mark to what it writes.\nexport function mark() {}\n",
    "// Ids are automatically generated by the database.\n",
    "// Tells whether this file was generated by a tool.\n",
    '# Looks for "Code generated by .* DO NOT EDIT" in the head.\ndef looks(): pass\n',
    "package a\n\nfunc f() {}\n\n// Code generated by x. DO NOT EDIT.\n",
    '#define HEADER "/* Code generated by x. DO NOT EDIT. */"\n',
    "/** Writes the header of generated files. */\nexport function header() {}\n",
    "// The ids are generated by the database.\n",
    "def do_not_edit(): pass\n",
    `${"x\n".repeat(2000)}// Code generated by x. DO NOT EDIT.`,
    "import { generated } from 'x';\n",
  ])("is not %j", (text) => {
    expect(saysGenerated(text)).toBe(false);
  });
});

describe(".gitattributes", () => {
  it("say what a file is and what it is not, the deepest file last", () => {
    const root = folderWith({
      ".gitattributes":
        "# comment\n*.gen linguist-generated\nlib/** linguist-vendored=true\ndocs/*.ts linguist-documentation\nvendor/** -linguist-vendored\n",
      "lib/own/.gitattributes": "* linguist-vendored=false\n",
    });
    const of = (path: string) => {
      const attributes = attributesOf(root, path);
      return classify({ path, language: "typescript", text: "", isRecords: false, isMinified: false, attributes });
    };
    expect(of("a/b.gen")).toBe("generated");
    expect(of("lib/x/y.ts")).toBe("vendored");
    expect(of("lib/own/y.ts")).toBe("source");
    expect(of("docs/a.ts")).toBe("docs");
    expect(of("vendor/mine.ts")).toBe("source");
    expect(of("vendor/mine.test.ts")).toBe("test");
  });

  it("of names that every object of the language has say nothing", () => {
    const names = "constructor toString=true __proto__ -hasOwnProperty valueOf=generated";
    const root = folderWith({ ".gitattributes": `*.ts ${names}\nconstructor/** linguist-vendored\n` });
    expect(attributesOf(root, "a.ts")).toEqual({ is: undefined, isNot: new Set() });
    expect(attributesOf(root, "constructor/a.ts")).toMatchObject({ is: "vendored" });
    expect(attributesOf(root, "toString/__proto__")).toEqual({ is: undefined, isNot: new Set() });
  });
});
