import type { FileClass } from "../../code/index.js";

/**
 * What a path says of the class of its file, as data. A row fits when all that it gives fits: a folder somewhere above the
 * file, the file's name, what follows the folder. The first row that fits decides, so the order is the meaning: what is
 * not one's own comes before what one has written.
 */
export interface PathRule {
  class: FileClass;
  /** Names of folders, whole and in lower case; `*` stands for any characters. */
  folders?: readonly string[];
  /** Names of files, likewise. */
  names?: readonly string[];
  /** What must stand behind the folder; without it, anything. */
  within?: RegExp;
  /** What must not stand above it, each folder with a slash behind. */
  notBelow?: RegExp;
  /** `top`: the folder must be the indexed one's own. */
  at?: "top";
  /** Capital letters count in `folders` and `names`: `FooTest.java`, not `contest.java`. */
  letters?: "exact";
}

/** Patterns, with spaces and line ends between them. */
function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/**
 * Where build tools and frameworks keep one's own code by its subject: a shop has vendors, and its `app/models/vendor` is
 * nobody else's (Maven's standard layout, folders of Rails and its kin).
 */
const OWN_CODE =
  /(?:^|\/)(?:src\/\w+\/(?:java|kotlin|scala|groovy)|app\/(?:\w+\/)*(?:models|controllers|views|services|components|pages|api|http|jobs|helpers))\//i;

/** Code of others that was copied in, by the folders of package managers and by what such folders are usually called. */
const VENDORED: readonly PathRule[] = [
  {
    class: "vendored",
    folders: words(`
      node_modules bower_components jspm_packages web_modules tns_modules haxe_libraries flow-typed
      _vendor _vendored vendored vendored_packages _vendored_packages .vendor vendor_bundle
      third_party third-party thirdparty 3rdparty 3rd_party 3rd-party third_parties third-parties
      thirdparties third_party_libs external_libs external-libs externallibs external_deps
      site-packages dist-packages pods carthage godeps .yarn .bundle .cargo elm-stuff vcpkg_installed
      cpm_modules conan_libs lib_managed _deps
    `),
  },
  { class: "vendored", folders: words("vendor vendors external externals extern"), notBelow: OWN_CODE },
  // Redis, Node.js, Elixir; further down, `deps` is often one's own code about dependencies.
  { class: "vendored", folders: words("deps"), at: "top", within: /\// },
  // Meson: a project in a folder each; the .wrap files beside say where from.
  { class: "vendored", folders: words("subprojects"), at: "top", within: /\// },
  // NuGet: `packages/Newtonsoft.Json.13.0.1/lib/...`
  { class: "vendored", folders: words("packages"), at: "top", within: /^[\w.-]+\.\d+\.\d+(?:\.\d+)?\// },
  {
    class: "vendored",
    names: words(`
      gradlew gradlew.bat mvnw mvnw.cmd jquery-*.js jquery.js bootstrap.css bootstrap.js .pnp.cjs .pnp.js
      .pnp.loader.mjs sqlite3.c sqlite3ext.h erlang.mk waf
    `),
  },
];

/** What a program wrote from something else that is there. */
const GENERATED: readonly PathRule[] = [
  {
    class: "generated",
    names: words(`
      package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock cargo.lock
      poetry.lock pdm.lock uv.lock pipfile.lock gemfile.lock composer.lock go.sum go.work.sum mix.lock
      pubspec.lock podfile.lock package.resolved packages.lock.json flake.lock paket.lock stack.yaml.lock
      cabal.project.freeze conan.lock .terraform.lock.hcl gradle.lockfile buf.lock chart.lock rebar.lock
      shard.lock berksfile.lock module.bazel.lock
    `),
  },
  {
    class: "generated",
    names: words(`
      *.min.js *.min.mjs *.min.css *.js.map *.css.map *.mjs.map *.ts.map *.map *.snap *.pb.go *.pb.cc
      *.pb.h *.pb.swift *.pbobjc.* *.pb.rb *_pb.rb *_pb.js *_pb.ts *_pb.d.ts *_pb2.py *_pb2.pyi
      *_pb2_grpc.py *.pb.gw.go *_grpc.pb.go *.pb.dart *.pbenum.dart *.pbjson.dart *.g.dart *.freezed.dart
      *.gr.dart *.mocks.dart *.g.cs *.g.i.cs *.designer.cs *.designer.vb *.generated.* *.gen.*
      *_generated.* *-generated.* *_gen.go zz_generated.* *.g4.* *.autogen.* bindata.go y.tab.c y.tab.h
      lex.yy.c *.tab.c *.tab.h parser.out moc_*.cpp ui_*.h qrc_*.cpp *.xcworkspacedata *.pbxproj *.sql.go
      mock_*.go
    `),
  },
  {
    class: "generated",
    folders: words(`
      generated generated-sources __generated__ autogen gen-src __snapshots__ pb-gen generated_*
    `),
  },
];

/** What a build leaves behind. Some of these names are used for sources as well: then what is in them decides. */
const BUILT =
  /\.(js|mjs|cjs|css|map|html?|d\.[cm]?ts|class|jar|o|a|so|dll|exe|pdb|d|cmake|ninja|make|log|wasm|txt|tlog|json)$/i;
const BUILD: readonly PathRule[] = [
  {
    class: "build",
    folders: words(`
      __pycache__ .next .nuxt .output .svelte-kit .parcel-cache .turbo .gradle .dart_tool htmlcov
      .nyc_output .tox .eggs *.egg-info *.dist-info cmake-build-* cmakefiles bazel-* deriveddata _build
      dist-newstyle .stack-work buck-out .angular storybook-static _site
    `),
  },
  { class: "build", folders: words("dist out"), within: BUILT },
  {
    class: "build",
    folders: words("build"),
    within: /^(lib|libs|classes|static|outputs|intermediates|tmp|reports|resources|kotlin)\//,
  },
  {
    class: "build",
    folders: words("build"),
    within: /^[^/]*\.(js|css|map|html|class|o|ninja|log)$|(^|\/)CMakeCache\.txt$/,
  },
  {
    class: "build",
    folders: words("target"),
    within: /^(debug|release|classes|test-classes|doc|surefire-reports|site|package)\//,
  },
  { class: "build", folders: words("obj bin"), within: /^(debug|release|x64|x86|net\d[^/]*)\//i },
  { class: "build", folders: words("coverage"), within: /\.(html|info|js|css|xml|json)$/ },
];

/** Tests by their folder, whatever the language. */
const TEST_FOLDERS: readonly PathRule[] = [
  {
    class: "test",
    folders: words(`
      test tests __tests__ __test__ __mocks__ spec specs testing testsuite testcases testdata test-data
      test_data test-fixtures test_fixtures fixtures __fixtures__ testfixtures e2e cypress unittests
      unit-tests unittest selftests selftest kunit androidtest integrationtest integration-tests
      integration_tests functionaltests testutil testutils testlib *-tests *_tests *.tests *.test *-test
      *_test goldens golden
    `),
  },
  // Kotlin multiplatform and Swift packages: `commonTest`, `FooTests`.
  { class: "test", folders: words("*Test *Tests"), letters: "exact" },
  { class: "test", folders: words("t"), names: words("*.t t[0-9]*.sh test-lib*.sh lib-*.sh") },
];

/** Tests by their names: what each language's tools look for. */
const TEST_NAMES: Readonly<Record<string, readonly string[]>> = {
  bash: words("*.bats *_test.sh test_*.sh test-*.sh"),
  c: words(`
      *_test.c *_test.cc *_test.cpp *_test.cxx *_test.h *-test.c *-test.cc *-test.cpp test_*.c
    `),
  "c++": words(`
      test_*.cc test_*.cpp test-*.c test-*.cc test-*.cpp *_unittest.cc *_unittest.cpp *_tests.cpp
    `),
  clojure: words("*_test.clj *_test.cljc *_test.cljs"),
  dart: words("*_test.dart"),
  elixir: words("*_test.exs *_test.ex"),
  go: words("*_test.go"),
  javascript: words("*.test.*js *.test.jsx *.spec.*js *.spec.jsx *.cy.js *-test.js *_test.js *.e2e.js"),
  julia: words("runtests.jl *_test.jl test_*.jl"),
  lua: words("*_spec.lua *_test.lua test_*.lua"),
  ocaml: words("test_*.ml *_test.ml"),
  others: words(`
      *.feature *.robot *.phpt *.t.sol *.tftest.hcl *_test.rego *_test.cue *_test.zig *_test.nim
    `),
  perl: words("*.t"),
  python: words("test_*.py *_test.py conftest.py tests.py test.py"),
  r: words("test-*.r testthat.r"),
  ruby: words("*_spec.rb *_test.rb test_*.rb spec_helper.rb rails_helper.rb test_helper.rb"),
  rust: words("tests.rs test.rs *_test.rs *_tests.rs test_*.rs"),
  typescript: words("*.test.*ts *.test.tsx *.spec.*ts *.spec.tsx *.cy.ts *.cy.tsx *.e2e.ts *.e2e-spec.ts"),
  vue: words("*.test.vue *.spec.vue *.test-d.ts"),
};
/** Of languages that write names with capitals, where `contest.java` is no test. */
const TEST_CLASS_NAMES: Readonly<Record<string, readonly string[]>> = {
  csharp: words("*Test.cs *Tests.cs *Spec.cs *Specs.cs"),
  erlang: words("*_SUITE.erl *_tests.erl"),
  fsharp: words("*Test.fs *Tests.fs"),
  groovy: words("*Test.groovy *Tests.groovy *Spec.groovy"),
  haskell: words("*Spec.hs *Test.hs *Tests.hs Spec.hs"),
  java: words("*Test.java *Tests.java *TestCase.java *IT.java *ITCase.java Test[A-Z]*.java"),
  kotlin: words("*Test.kt *Tests.kt *Spec.kt *IT.kt"),
  objc: words("*Test.m *Tests.m *Tests.mm *Test.mm"),
  php: words("*Test.php *Tests.php *Cest.php *TestCase.php"),
  scala: words("*Test.scala *Tests.scala *Spec.scala *Suite.scala *Specification.scala"),
  swift: words("*Test.swift *Tests.swift *Spec.swift"),
};

const TESTS: readonly PathRule[] = [
  ...TEST_FOLDERS,
  { class: "test", names: Object.values(TEST_NAMES).flat() },
  { class: "test", names: Object.values(TEST_CLASS_NAMES).flat(), letters: "exact" },
];

const DATA: readonly PathRule[] = [
  {
    class: "data",
    names: words(`
      *.csv *.tsv *.psv *.jsonl *.ndjson *.geojson *.topojson *.parquet *.avro *.arff *.sqlite *.sqlite3
      *.db *.dta *.sav *.rdata *.rds *.npy *.npz *.h5 *.hdf5 *.gpx *.kml *.xlsx *.xls *.ods *.dbf *.bib
      *.vcf *.fasta *.fastq *.srt *.log *.mbox
    `),
  },
];

const DOCS: readonly PathRule[] = [
  {
    class: "docs",
    names: words(`
      readme readme.* license license.* license-* licence licence.* copying copying.* notice authors
      authors.* contributors contributors.* changelog changelog.* changes changes.* news contributing
      contributing.* maintainers credits todo install history.* security.* thanks *.md *.mdx *.markdown
      *.rst *.adoc *.asciidoc *.org *.textile *.pod *.rdoc *.tex *.texi *.texinfo *.man *.[1-8] *.rmd
      *.qmd *.odt *.docx *.pdf *.epub *.wiki
    `),
  },
  // Not code of these folders: an example or an extension of the documentation is a source.
  { class: "docs", folders: words("docs doc documentation man"), within: /\.(txt|html?|xml|svg|css)$/i },
];

const CONFIG: readonly PathRule[] = [
  {
    class: "config",
    names: words(`
      *.json *.json5 *.jsonc *.yaml *.yml *.toml *.ini *.cfg *.conf *.config *.properties *.plist *.tf
      *.tfvars *.hcl *.nix *.cmake *.mk *.mak *.bzl *.bazel *.gradle *.sbt *.gradle.kts *.gyp *.gypi *.gn
      *.gni *.csproj *.vbproj *.fsproj *.vcxproj *.sln *.props *.targets *.cabal *.gemspec *.podspec
      *.opam *.nimble *.rockspec *.service *.desktop *.env *.dhall *.cue *.jsonnet *.libsonnet *.pri *.pro
      *.am *.ac *.m4 *.in *.spec *.ebuild
    `),
  },
  {
    class: "config",
    names: words(`
      dockerfile dockerfile.* *.dockerfile containerfile makefile makefile.* gnumakefile cmakelists.txt
      rakefile gemfile podfile brewfile vagrantfile procfile jenkinsfile berksfile fastfile build
      workspace buck kconfig kconfig.* kbuild *_defconfig pom.xml build.xml ivy.xml requirements*.txt
      constraints*.txt setup.py setup.cfg pipfile tox.ini go.mod go.work mix.exs package.swift meson.build
      meson_options.txt sconstruct sconscript wscript configure configure.* *.config.js *.config.mjs
      *.config.cjs *.config.ts *.config.mts .*rc.js .*rc.cjs gulpfile.* gruntfile.* webpack.*.js build.rs
      justfile codeowners owners .*rc .*ignore .editorconfig .gitattributes .gitmodules .env .env.*
      .clang-format .clang-tidy app.manifest web.config
    `),
  },
];

/** All rows, the first that fits first. */
export const PATH_RULES: readonly PathRule[] = [
  ...VENDORED,
  ...GENERATED,
  ...BUILD,
  ...DATA,
  ...TESTS,
  ...DOCS,
  ...CONFIG,
];
