import { rules } from "./rules.js";

/** C#. */
export const csharp = rules(
  `
(namespace_declaration name: (_) @name) @namespace
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @constant
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @constructor
(destructor_declaration name: (identifier) @name) @method
(property_declaration name: (identifier) @name) @property
(event_declaration name: (identifier) @name) @property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @property
(invocation_expression function: [
  (identifier) @ref.call
  (generic_name (identifier) @ref.call)
  (member_access_expression name: [(identifier) @ref.call (generic_name (identifier) @ref.call)])])
(invocation_expression function: (conditional_access_expression (member_binding_expression name: (identifier) @ref.call)))
(object_creation_expression type: [
  (identifier) @ref.instantiate
  (generic_name (identifier) @ref.instantiate)
  (qualified_name name: (identifier) @ref.instantiate)])
(using_directive [(identifier) @ref.import (qualified_name) @ref.import])
(base_list [
  (identifier) @ref.inherit
  (generic_name (identifier) @ref.inherit)
  (qualified_name name: (identifier) @ref.inherit)])
`,
);
