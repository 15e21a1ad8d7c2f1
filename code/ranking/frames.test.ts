import { describe, expect, test } from "vitest";
import { framesOf } from "./frames.js";

/** What a single line says, as `name path:line`. */
const read = (text: string) =>
  framesOf(text).map(({ path, line, name }) => `${name ?? "-"} ${path ?? "-"}${line === undefined ? "" : `:${line}`}`);

describe("a frame alone on its line is read", () => {
  test.each([
    ["Python", '  File "a/b.py", line 3, in f', "f a/b.py:3"],
    ["Python, of a module", 'File "/app/b.py", line 3, in <module>', "- /app/b.py:3"],
    ["Python, a syntax error's", 'File "b.py", line 3', "- b.py:3"],
    ["pytest", "tests/test_a.py:31: in test_x", "test_x tests/test_a.py:31"],
    ["OCaml", 'Called from Foo.bar in file "src/foo.ml", line 12, characters 4-9', "- src/foo.ml:12"],
    ["Java", "at com.acme.shop.Cart.add(Cart.java:12)", "add com/acme/shop/Cart.java:12"],
    ["Java, an inner class", "\tat com.acme.Cart$Item.<init>(Cart.java:7)", "- com/acme/Cart.java:7"],
    ["Java, a module", "at java.base/java.util.List.of(List.java:3)", "of java/util/List.java:3"],
    ["Kotlin", "at com.acme.MainKt.main(Main.kt:3)", "main com/acme/Main.kt:3"],
    ["JavaScript", "at Foo.bar (src/x.ts:12:5)", "bar src/x.ts:12"],
    ["JavaScript, awaited", "    at async Object.load [as run] (/app/src/x.js:12:5)", "load /app/src/x.js:12"],
    ["JavaScript, a private method", "at Foo.#read (src/x.ts:12:5)", "#read src/x.ts:12"],
    ["JavaScript, without a name", "at file:///app/src/x.mjs:12:5", "- app/src/x.mjs:12"],
    ["JavaScript on Windows", "at run (C:\\app\\src\\x.js:12:5)", "run C:/app/src/x.js:12"],
    ["a development server's", "at App (http://localhost:5173/src/App.tsx?t=17:12:5)", "App /src/App.tsx:12"],
    ["webpack's", "at App (webpack-internal:///./src/App.js:12:5)", "App ./src/App.js:12"],
    ["Firefox", "useState@https://cdn.example.org/react.js:12:5", "useState cdn.example.org/react.js:12"],
    ["C#", "at Shop.Cart.Add(Item item) in /src/Shop/Cart.cs:line 12", "Add /src/Shop/Cart.cs:12"],
    ["C# on Windows", "   at Shop.Cart.Add(Item item) in C:\\src\\Cart.cs:line 12", "Add C:/src/Cart.cs:12"],
    ["Ruby", "lib/a.rb:12:in `block (2 levels) in call'", "call lib/a.rb:12"],
    ["Ruby 3.4", "lib/a.rb:12:in 'App::Cart#add'", "add lib/a.rb:12"],
    ["Go, the file", "\t/go/src/acme/engine.go:620 +0x66e", "- /go/src/acme/engine.go:620"],
    ["Go, the function", "github.com/acme/shop.(*Engine).serve(0xc000123, 0x2)", "serve -"],
    ["Go, a function", "main.run(...)", "run -"],
    ["Rust, the file", "             at ./src/net/tcp.rs:12:5", "- ./src/net/tcp.rs:12"],
    ["Rust, the function", "   3: tokio::net::TcpStream::connect", "connect -"],
    ["Rust, the panic", "thread 'main' panicked at src/main.rs:12:5:", "- src/main.rs:12"],
    ["PHP", "#0 /app/src/Cart.php(12): Shop\\Cart->add()", "add /app/src/Cart.php:12"],
    ["PHP, the error", "PHP Fatal error: oops in /app/src/Cart.php on line 12", "- /app/src/Cart.php:12"],
    ["Perl", "died at lib/Cart.pm line 12.", "- lib/Cart.pm:12"],
    ["Elixir", "(shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.add/2", "add lib/shop/cart.ex:12"],
    ["Lua", "cart.lua:12: in function 'cart.add'", "add cart.lua:12"],
    ["Dart", "#1      Cart.add (package:shop/cart.dart:12:5)", "add shop/cart.dart:12"],
    ["GDB", "#1  0x00005555 in lookup_key (db=0x0) at src/db.c:12", "lookup_key src/db.c:12"],
    ["AddressSanitizer", "#1 0x4f2 in ns::lookup(int) /src/db.cc:12:5", "lookup /src/db.cc:12"],
    ["C", "/usr/bin/server(lookupKey+0x3a)[0x55d0]", "lookupKey -"],
    ["the kernel", "RIP: 0010:tcp_sendmsg.isra.0+0x3a/0x50", "tcp_sendmsg -"],
    ["a compiler", "src/db.c:12:5: error: expected ';'", "- src/db.c:12"],
    ["tsc", "src/x.ts(12,5): error TS2304", "- src/x.ts:12"],
    ["a link", "https://github.com/acme/shop/blob/main/src/x.ts#L12-L20", "- src/x.ts:12"],
  ])("%s", (_language, text, expected) => {
    expect(read(text)).toEqual([expected]);
  });
});

test.each([
  "readTimeout",
  "10:30:00",
  "localhost:9200",
  "std::sort(a, b)",
  "http://example.org/index",
  "version 1.2.3",
  "foo.bar(1)",
  "key: value",
  "a.ts and b.ts",
])("%s is no frame", (text) => {
  expect(framesOf(text)).toEqual([]);
});

test("a line that no file has is not asked for", () => {
  expect(framesOf("a.c:99999999999:1")).toEqual([{ path: "a.c", line: undefined, name: undefined, written: "a.c" }]);
});

test("a text made to cost time is read", () => {
  const pieces = ["a.", "a/", "at a.b(", "#1 a::", "1: a::", "(a", "x@", '"', "C:\\", "a.c:"];
  const hostile = ["a.c:1\n", ...pieces].map((piece) => `${piece.repeat(300 / piece.length)}\n`.repeat(30)).join("");
  // Some 90,000 characters: a pattern that tries all pairs of places would not come to an end here.
  expect(framesOf(hostile).length).toBeGreaterThan(0);
});
