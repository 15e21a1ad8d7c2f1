import { rules } from "./rules.js";

/** Where the name stands in the declarator of a pointer to a function, or of an array of them. */
const pointerTo = (name: string) => {
  const pointer = `(parenthesized_declarator (pointer_declarator declarator: [(${name}) @name (array_declarator declarator: (${name}) @name)]))`;
  const called = `(function_declarator declarator: ${pointer})`;
  return `[${called} (pointer_declarator declarator: ${called})]`;
};

/** Patterns that C and C++ share. */
export const C_QUERY = `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name)))) @function
(type_definition type: (struct_specifier body: (_)) declarator: (type_identifier) @name) @struct
(type_definition type: (union_specifier body: (_)) declarator: (type_identifier) @name) @struct
(type_definition type: (enum_specifier body: (_)) declarator: (type_identifier) @name) @enum
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @struct
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (identifier) @name) @constant
(type_definition declarator: (type_identifier) @name) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(translation_unit (declaration (init_declarator declarator: (identifier) @name)) @variable)
(translation_unit (declaration (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @variable)
(translation_unit (declaration (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @variable)
(translation_unit (declaration declarator: (identifier) @name) @variable)
(translation_unit (declaration declarator: (pointer_declarator declarator: (identifier) @name)) @variable)
(translation_unit (declaration declarator: (array_declarator declarator: (identifier) @name)) @variable)
(translation_unit (declaration (init_declarator declarator: ${pointerTo("identifier")})) @variable)
(translation_unit (declaration declarator: ${pointerTo("identifier")}) @variable)
(type_definition declarator: ${pointerTo("type_identifier")}) @type
(translation_unit (declaration (function_declarator declarator: (identifier) @name)) @function)
(translation_unit (declaration (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function)
(preproc_ifdef (declaration declarator: (function_declarator declarator: (identifier) @name)) @function)
(preproc_ifdef (declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function)
(call_expression function: (identifier) @ref.call)
(call_expression function: (field_expression field: (field_identifier) @ref.call))
(preproc_include path: (_) @ref.import)
`;

/** C. A struct in a type definition belongs to it; prototypes count as declarations. */
export const c = rules(C_QUERY, { macros: "preprocessor" });
