import { rules } from "./rules.js";

/** Lua; functions written `M.name` or `M:name` belong to `M`. */
export const lua = rules(
  `
(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @method
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition) .))) @function
(assignment_statement
  (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition) .)) @function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name) .)
  (expression_list . value: (function_definition) .)) @function
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @name .))) @variable)
(function_call name: (identifier) @caller arguments: (arguments (string content: (_) @ref.import)) (#eq? @caller "require"))
(function_call name: (identifier) @ref.call)
(function_call name: (dot_index_expression field: (identifier) @ref.call))
(function_call name: (method_index_expression method: (identifier) @ref.call))
`,
  { lineComments: ["---", "--"], blockComments: false, soleWrappers: ["variable_declaration"] },
);
