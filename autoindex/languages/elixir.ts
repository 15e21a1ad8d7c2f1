import { rules } from "./rules.js";

/** Calls that declare something; they are no calls to whoever looks for callers. */
const DEFINING = `"def" "defp" "defmacro" "defmacrop" "defmodule" "defprotocol" "defimpl" "defstruct" "defguard"
  "defguardp" "defdelegate" "defexception" "import" "alias" "require" "use" "describe" "test"`;

/** Elixir: everything is a call; attributes before a function belong to it, and its clauses are one declaration. */
export const elixir = rules(
  `
(call target: (identifier) @caller (arguments . (alias) @name) (#eq? @caller "defmodule")) @module
(call target: (identifier) @caller (arguments . (alias) @name) (#eq? @caller "defprotocol")) @interface
(call target: (identifier) @caller (arguments . (alias) @ref.inherit (keywords (pair value: (alias) @name)))
  (#eq? @caller "defimpl")) @scope
(call target: (identifier) @caller (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name))])
  (#any-of? @caller "def" "defp" "defguard" "defguardp" "defdelegate")) @function
(call target: (identifier) @caller (arguments . [
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name))])
  (#any-of? @caller "defmacro" "defmacrop")) @macro
(call target: (identifier) @caller (arguments . (string (quoted_content) @name)) (do_block)
  (#any-of? @caller "test" "describe" "property")) @test
(unary_operator operand: (call target: (identifier) @caller (arguments . (binary_operator left: [
    (identifier) @name
    (call target: (identifier) @name)]))
  (#any-of? @caller "type" "typep" "opaque"))) @type
(unary_operator operand: (call target: (identifier) @caller (arguments . (binary_operator left: (call target: (identifier) @name)))
  (#any-of? @caller "callback" "macrocallback"))) @method
(unary_operator operand: (call target: (identifier) @name (arguments)
  (#not-any-of? @name "doc" "moduledoc" "typedoc" "spec" "impl" "type" "typep" "opaque" "callback" "macrocallback"
    "behaviour" "derive" "deprecated" "dialyzer" "since" "tag" "moduletag" "describetag" "enforce_keys"))) @constant
(unary_operator operand: (call target: (identifier) @caller
  (#any-of? @caller "doc" "spec" "impl" "deprecated" "typedoc" "tag"))) @prefix
(unary_operator operand: (call target: (identifier) @caller (arguments (string) @doc)
  (#any-of? @caller "doc" "moduledoc" "typedoc")))
(unary_operator operand: (call target: (identifier) @ref.none))
(unary_operator operand: (call target: (identifier) @caller (arguments (binary_operator left: (call target: (identifier) @ref.none)))
  (#any-of? @caller "spec" "type" "typep" "opaque" "callback")))
(call target: (identifier) @caller (arguments . [
    (alias) @ref.import
    (dot right: (tuple (alias) @ref.import))])
  (#any-of? @caller "import" "alias" "require" "use"))
(call target: (identifier) @ref.call (#not-any-of? @ref.call ${DEFINING}))
(call target: (dot right: (identifier) @ref.call))
(struct (alias) @ref.instantiate)
`,
  { lineComments: ["#"], blockComments: false, clauses: "merge" },
);
