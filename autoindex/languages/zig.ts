import { rules } from "./rules.js";

/** Zig: types are values of constants. */
export const zig = rules(
  `
(variable_declaration ["const" "var"] . (identifier) @name [(struct_declaration) (union_declaration) (opaque_declaration)]) @struct
(variable_declaration ["const" "var"] . (identifier) @name (enum_declaration)) @enum
(variable_declaration ["const" "var"] . (identifier) @name (error_set_declaration)) @enum
(variable_declaration "const" . (identifier) @name) @constant
(variable_declaration "var" . (identifier) @name) @variable
(function_declaration name: (identifier) @name) @function
(enum_declaration (container_field name: (identifier) @name) @constant)
(container_field name: (identifier) @name) @field
(test_declaration [(string (string_content) @name) (identifier) @name]) @test
(call_expression function: [(identifier) @ref.call (field_expression member: (identifier) @ref.call)])
(builtin_function (builtin_identifier) @caller (arguments (string (string_content) @ref.import))
  (#any-of? @caller "@import" "@embedFile"))
(struct_initializer . [(identifier) @ref.instantiate (field_expression member: (identifier) @ref.instantiate)])
`,
  { blockComments: false },
);
