import { rules } from "./rules.js";

/** Operators that the grammar knows as tokens of their own. */
const OPERATORS = "== != === !== < > <= >= + - * / % += -= *= /= %= ++ -- ! ~ & | ^ << >>"
  .split(" ")
  .map((token) => `"${token}"`)
  .join(" ");

/** Swift; an extension lends its type's name to what it holds. */
export const swift = rules(
  `
(class_declaration "extension" name: (user_type . (type_identifier) @name . (type_arguments)? .)) @scope
(class_declaration "extension" name: (user_type . (type_identifier) . (type_identifier)) @name) @scope
(class_declaration "struct" name: (type_identifier) @name) @struct
(class_declaration "enum" name: (type_identifier) @name) @enum
(class_declaration name: (type_identifier) @name) @class
(protocol_declaration name: (type_identifier) @name) @interface
(function_declaration name: (simple_identifier) @name) @function
(function_declaration name: [(custom_operator) ${OPERATORS}] @name) @function
(subscript_declaration "subscript" @name) @method
(deinit_declaration "deinit" @name) @method
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property
(associatedtype_declaration name: (type_identifier) @name) @type
(protocol_function_declaration name: (simple_identifier) @name) @method
(init_declaration "init" @name) @constructor
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property
(typealias_declaration name: (type_identifier) @name) @type
(enum_entry name: (simple_identifier) @name) @constant
(call_expression . (simple_identifier) @ref.call)
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @ref.call)))
(import_declaration (identifier) @ref.import)
(inheritance_specifier inherits_from: (user_type (type_identifier) @ref.inherit .))
(inheritance_specifier inherits_from: (user_type (type_identifier) @ref.inherit . (type_arguments) .))
`,
  { capitalCalls: "instantiate" },
);
