import { C_QUERY } from "./c.js";
import { rules } from "./rules.js";

/** C++; `Store::read` outside its class is the method `read` of `Store`. */
export const cpp = rules(
  `
(function_definition declarator: (function_declarator declarator: [
  (qualified_identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name])) @method
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [
  (qualified_identifier) @name (field_identifier) @name (operator_name) @name]))) @method
(function_definition declarator: (reference_declarator (function_declarator declarator: [
  (qualified_identifier) @name (field_identifier) @name (operator_name) @name]))) @method
(function_definition declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @function
(class_specifier name: (type_identifier) @name body: (_)) @class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @struct
(namespace_definition name: (_) @name) @namespace
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @type
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @method
(field_declaration declarator: (reference_declarator (function_declarator declarator: (field_identifier) @name))) @method
(field_declaration (field_identifier) @name) @field
(field_declaration_list (declaration declarator: (function_declarator declarator: (identifier) @name)) @constructor)
${C_QUERY}
(call_expression function: (qualified_identifier name: (identifier) @ref.call))
(call_expression function: (template_function name: (identifier) @ref.call))
(call_expression function: (qualified_identifier name: (template_function name: (identifier) @ref.call)))
(new_expression type: (type_identifier) @ref.instantiate)
(new_expression type: (qualified_identifier name: (type_identifier) @ref.instantiate))
(base_class_clause [(type_identifier) @ref.inherit
  (qualified_identifier name: (type_identifier) @ref.inherit)
  (template_type name: (type_identifier) @ref.inherit)])
`,
  { wrappers: ["template_declaration"], macros: "preprocessor" },
);
