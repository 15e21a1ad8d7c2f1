import { C_QUERY } from "./c.js";
import { NAMED_AS_CLASS, rules } from "./rules.js";

/** Functions that are declared, not defined. */
const PROTOTYPE = `[
  (function_declarator declarator: [(identifier) (operator_name)] @name)
  (pointer_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))]`;

/** How many qualifiers before a name are seen through: a query has no recursion. */
const MAX_QUALIFIERS = 8;

/** One of the names, as it stands or behind qualifiers, `a::b::name`. */
function qualified(names: string, qualifiers = MAX_QUALIFIERS): string {
  return qualifiers === 0
    ? `[${names}]`
    : `[${names} (qualified_identifier name: ${qualified(names, qualifiers - 1)})]`;
}

/** A type's name, with arguments or not. */
const named = (capture: string) =>
  qualified(`(type_identifier) ${capture} (template_type name: (type_identifier) ${capture})`);

/** A function's name with arguments for its template; a bare one is C's. */
const TEMPLATE_FUNCTION = "(template_function name: (identifier) @ref.call)";
const TEMPLATE_METHOD = "(template_method name: (field_identifier) @ref.call)";

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
(call_expression function: ${TEMPLATE_FUNCTION})
(call_expression function: (qualified_identifier name: ${qualified(`(identifier) @ref.call ${TEMPLATE_FUNCTION}`)}))
(call_expression function: (field_expression field: [${TEMPLATE_METHOD} (dependent_name ${TEMPLATE_METHOD})
  (qualified_identifier name: ${qualified(`(field_identifier) @ref.call ${TEMPLATE_METHOD}`)})]))
(new_expression type: ${named("@ref.instantiate")})
(base_class_clause ${named("@ref.inherit")})
`,
  { wrappers: ["template_declaration"], constructors: [NAMED_AS_CLASS], macros: "preprocessor" },
);
