import { rules } from "./rules.js";

/** Java. */
export const java = rules(
  `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @constant
(method_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @constructor
(compact_constructor_declaration name: (identifier) @name) @constructor
(field_declaration (variable_declarator name: (identifier) @name)) @field
(constant_declaration (variable_declarator name: (identifier) @name)) @constant
(method_invocation name: (identifier) @ref.call)
(method_reference . (_) (identifier) @ref.call)
(object_creation_expression type: [
  (type_identifier) @ref.instantiate
  (generic_type (type_identifier) @ref.instantiate)
  (scoped_type_identifier (type_identifier) @ref.instantiate .)])
(import_declaration (scoped_identifier) @ref.import)
(superclass [(type_identifier) @ref.inherit (generic_type (type_identifier) @ref.inherit)])
(super_interfaces (type_list [(type_identifier) @ref.inherit (generic_type (type_identifier) @ref.inherit)]))
(extends_interfaces (type_list [(type_identifier) @ref.inherit (generic_type (type_identifier) @ref.inherit)]))
`,
);
