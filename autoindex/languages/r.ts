import { rules } from "./rules.js";

/** R, with the classes of S4, reference classes and R6. */
export const r = rules(
  `
(binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"] rhs: (function_definition)) @function
(binary_operator lhs: (identifier) @name operator: ["<-" "="] rhs: (call function: [
    (identifier) @caller
    (namespace_operator rhs: (identifier) @caller)]) (#any-of? @caller "R6Class" "setRefClass")) @class
(call function: (identifier) @caller arguments: (arguments . argument: (argument value: (string content: (string_content) @name)))
  (#any-of? @caller "setClass" "setRefClass")) @class
(call function: (identifier) @caller arguments: (arguments . argument: (argument value: (string content: (string_content) @name)))
  (#any-of? @caller "setGeneric" "setMethod" "setValidity")) @function
(call function: (identifier) @caller arguments: (arguments . argument: (argument value: (string content: (string_content) @name)))
  (#any-of? @caller "test_that" "describe" "it")) @test
(binary_operator rhs: (call function: [(identifier) @caller (namespace_operator rhs: (identifier) @caller)]
  arguments: (arguments argument: (argument value: (call arguments: (arguments
    argument: (argument name: (identifier) @name value: (function_definition)) @method)))) (#eq? @caller "R6Class")))
(program (binary_operator lhs: (identifier) @name operator: ["<-" "="]) @variable)
(call function: (identifier) @caller arguments: (arguments . argument: (argument value: [
    (identifier) @ref.import
    (string content: (string_content) @ref.import)])) (#any-of? @caller "library" "require" "requireNamespace" "source"))
(call function: (identifier) @caller arguments: (arguments argument: (argument name: (identifier) @key
  value: (string content: (string_content) @ref.inherit)))
  (#any-of? @caller "setClass" "setRefClass") (#eq? @key "contains"))
(call function: (identifier) @caller arguments: (arguments argument: (argument name: (identifier) @key
  value: (identifier) @ref.inherit)) (#eq? @caller "R6Class") (#eq? @key "inherit"))
(call function: [
  (identifier) @ref.call
  (namespace_operator rhs: (identifier) @ref.call)
  (extract_operator rhs: (identifier) @ref.call)])
`,
  { lineComments: ["#'", "#"], blockComments: false, capitalNames: "constant" },
);
