import { rules } from "./rules.js";

/** Forms that declare or steer; what stands after them is no call. */
const SPECIAL = `"def" "defonce" "defn" "defn-" "defmacro" "defmulti" "defmethod" "defprotocol" "defrecord" "deftype"
  "deftest" "definterface" "ns" "let" "letfn" "fn" "fn*" "if" "when" "do" "loop" "recur" "quote" "var" "throw" "try"
  "catch" "finally" "and" "or" "cond" "case" "->" "->>"`;

/** Clojure. */
export const clojure = rules(
  `
(list_lit . (sym_lit name: (sym_name) @caller) . (sym_lit name: (sym_name) @name) (#eq? @caller "ns")) @namespace
(list_lit . (sym_lit name: (sym_name) @caller) . (sym_lit name: (sym_name) @name)
  (#any-of? @caller "defn" "defn-" "defmulti")) @function
(list_lit . (sym_lit name: (sym_name) @caller) . (sym_lit name: (sym_name) @name) (#eq? @caller "defmethod")) @method
(list_lit . (sym_lit name: (sym_name) @caller) . (sym_lit name: (sym_name) @name) (#eq? @caller "defmacro")) @macro
(list_lit . (sym_lit name: (sym_name) @caller) . (sym_lit name: (sym_name) @name)
  (#any-of? @caller "def" "defonce")) @constant
(list_lit . (sym_lit name: (sym_name) @caller) . (sym_lit name: (sym_name) @name)
  (#any-of? @caller "defprotocol" "definterface")) @interface
(list_lit . (sym_lit name: (sym_name) @caller) . (sym_lit name: (sym_name) @name)
  (#any-of? @caller "defrecord" "deftype")) @class
(list_lit . (sym_lit name: (sym_name) @caller) . (sym_lit name: (sym_name) @name) (#eq? @caller "deftest")) @test
(list_lit . (sym_lit name: (sym_name) @caller)
  (list_lit . (sym_lit name: (sym_name) @name) . (vec_lit)) @method
  (#any-of? @caller "defprotocol" "definterface" "defrecord" "deftype" "extend-type" "reify"))
(list_lit . (sym_lit) . (sym_lit) . (str_lit) @doc)
(list_lit . (kwd_lit name: (kwd_name) @caller) [
    (sym_lit) @ref.import
    (vec_lit . (sym_lit) @ref.import)
    (list_lit . (sym_lit) @ref.import)] (#any-of? @caller "require" "use" "import"))
(list_lit . (kwd_lit) (list_lit . (sym_lit name: (sym_name) @ref.none)))
(list_lit . (sym_lit name: (sym_name) @caller) (sym_lit name: (sym_name) @ref.inherit)
  (#any-of? @caller "defrecord" "deftype") (#match? @ref.inherit "^[A-Z]"))
(list_lit . (sym_lit name: (sym_name) @ref.call) (#not-any-of? @ref.call ${SPECIAL}))
`,
  { lineComments: [";;;", ";;", ";"], blockComments: false, capitalCalls: "instantiate" },
);
