import { C_QUERY } from "./c.js";
import { NAMED_AS_CLASS, rules } from "./rules.js";

/** Functions that are declared, not defined. */
const PROTOTYPE = `[
  (function_declarator declarator: [(identifier) (operator_name)] @name)
  (pointer_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))]`;

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
(field_declaration_list [
  (field_declaration (function_declarator declarator: (operator_name) @name))
  (field_declaration (reference_declarator (function_declarator declarator: (operator_name) @name)))
  (field_declaration (pointer_declarator (function_declarator declarator: (operator_name) @name)))
  (declaration declarator: (operator_cast) @name)
  (declaration declarator: (function_declarator declarator: (destructor_name) @name))
  (friend_declaration (declaration (function_declarator declarator: [(operator_name) (identifier)] @name)))
  (friend_declaration (declaration (reference_declarator
    (function_declarator declarator: [(operator_name) (identifier)] @name))))] @method)
(function_definition declarator: [(operator_cast) @name (qualified_identifier name: (operator_cast)) @name]) @method
(field_declaration [
  (field_identifier) @name
  (pointer_declarator (field_identifier) @name)
  (pointer_declarator (pointer_declarator (field_identifier) @name))
  (reference_declarator (field_identifier) @name)
  (array_declarator (field_identifier) @name)
  (function_declarator (parenthesized_declarator (pointer_declarator (field_identifier) @name)))]) @field
(translation_unit (declaration ${PROTOTYPE}) @function)
(declaration_list (declaration ${PROTOTYPE}) @function)
(template_declaration (declaration ${PROTOTYPE}) @function)
(declaration_list (declaration [(identifier) @name (init_declarator declarator: (identifier) @name)]) @variable)
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
  { wrappers: ["template_declaration"], constructors: [NAMED_AS_CLASS], macros: "preprocessor" },
);
