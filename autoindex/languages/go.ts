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
