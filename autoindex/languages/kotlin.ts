import { rules } from "./rules.js";

/** Kotlin. */
export const kotlin = rules(
  `
(class_declaration "interface" (type_identifier) @name) @interface
(class_declaration (type_identifier) @name (enum_class_body)) @enum
(class_declaration (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @class
(function_declaration (simple_identifier) @name) @function
(secondary_constructor "constructor" @name) @constructor
(property_declaration (variable_declaration (simple_identifier) @name)) @property
(enum_entry (simple_identifier) @name) @constant
(type_alias (type_identifier) @name) @type
(call_expression . (simple_identifier) @ref.call)
(call_expression . (navigation_expression (navigation_suffix (simple_identifier) @ref.call)))
(import_header (identifier) @ref.import)
(delegation_specifier (user_type (type_identifier) @ref.inherit))
(delegation_specifier (constructor_invocation (user_type (type_identifier) @ref.inherit)))
`,
  { capitalCalls: "instantiate" },
);
