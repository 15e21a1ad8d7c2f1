import { C_QUERY } from "./c.js";
import { rules } from "./rules.js";

/** Objective-C: a method is named by the first word of its selector; a class has its interface and its implementation. */
export const objc = rules(
  `
(protocol_declaration . (identifier) @name) @interface
(class_interface . (identifier) @name) @class
(class_implementation . (identifier) @name) @class
(method_declaration (method_type) . (identifier) @name) @method
(method_definition (method_type) . (identifier) @name) @method
(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)]))) @property
${C_QUERY}
(message_expression receiver: (identifier) @ref.instantiate method: (identifier) @caller
  (#any-of? @caller "alloc" "new") (#not-any-of? @ref.instantiate "self" "super"))
(message_expression method: (identifier) @ref.call)
(class_interface superclass: (identifier) @ref.inherit)
(class_interface (parameterized_arguments (type_name (type_identifier) @ref.inherit)))
(protocol_reference_list (identifier) @ref.inherit)
`,
  { macros: "preprocessor" },
);
