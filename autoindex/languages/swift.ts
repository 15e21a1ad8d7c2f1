import { rules } from "./rules.js";

/** Swift; an extension lends its type's name to what it holds. */
export const swift = rules(
  `
(class_declaration "extension" name: (user_type (type_identifier) @name)) @scope
(class_declaration "struct" name: (type_identifier) @name) @struct
(class_declaration "enum" name: (type_identifier) @name) @enum
(class_declaration name: (type_identifier) @name) @class
(protocol_declaration name: (type_identifier) @name) @interface
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @method
(init_declaration "init" @name) @constructor
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property
(typealias_declaration name: (type_identifier) @name) @type
(enum_entry name: (simple_identifier) @name) @constant
(call_expression . (simple_identifier) @ref.call)
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @ref.call)))
(import_declaration (identifier) @ref.import)
(inheritance_specifier inherits_from: (user_type (type_identifier) @ref.inherit))
`,
  { capitalCalls: "instantiate" },
);
