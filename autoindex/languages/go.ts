import { rules } from "./rules.js";

/** Go; a method's container is its receiver's type. */
export const go = rules(
  `
(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (pointer_type (type_identifier) @owner)
    (generic_type type: (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))]))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(method_spec name: (field_identifier) @name) @method
(const_spec (identifier) @name) @constant
(var_spec (identifier) @name) @variable
(call_expression
  function: (selector_expression
    operand: (call_expression
      function: (selector_expression field: (field_identifier) @caller)
      arguments: (argument_list . (interpreted_string_literal) @name . (_))) @route
    field: (field_identifier) @key)
  arguments: (argument_list . [(interpreted_string_literal) @verb (selector_expression field: (field_identifier) @verb)] .)
  (#any-of? @caller "Handle" "HandleFunc") (#eq? @key "Methods") (#match? @name "^./"))
(call_expression
  function: (selector_expression field: (field_identifier) @verb)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @name . (_))
  (#any-of? @verb "Handle" "HandleFunc" "GET" "HEAD" "POST" "PUT" "PATCH" "DELETE" "OPTIONS")
  (#match? @name "^.([A-Z]+ +)?/")) @route
(call_expression
  function: (selector_expression
    operand: [(identifier) @caller (selector_expression field: (field_identifier) @caller)]
    field: (field_identifier) @verb)
  arguments: (argument_list . (interpreted_string_literal) @name . (_))
  (#match? @caller "^(r|app|api|v[0-9]+)$|([rR]outer|[mM]ux|[gG]roup|[rR]outes?|App)$")
  (#any-of? @verb "Get" "Head" "Post" "Put" "Patch" "Delete" "Options") (#match? @name "^./")) @route
(call_expression function: [
  (identifier) @ref.call
  (selector_expression field: (field_identifier) @ref.call)
  (parenthesized_expression (identifier) @ref.call)])
(composite_literal type: [
  (type_identifier) @ref.instantiate
  (qualified_type name: (type_identifier) @ref.instantiate)
  (generic_type type: (type_identifier) @ref.instantiate)])
(import_spec path: (interpreted_string_literal) @ref.import)
(struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @ref.inherit
  (qualified_type name: (type_identifier) @ref.inherit)])))
`,
  { soleWrappers: ["type_declaration", "const_declaration", "var_declaration"], lineComments: ["//"] },
);
