import { rules } from "./rules.js";

/** PHP, with the markup around it. */
export const php = rules(
  `
(namespace_definition name: (_) @name body: (_)) @namespace
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @constant
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(property_declaration (property_element (variable_name (name) @name))) @property
(const_declaration (const_element (name) @name)) @constant
(function_call_expression function: [(name) @ref.call (qualified_name (name) @ref.call)])
(member_call_expression name: (name) @ref.call)
(nullsafe_member_call_expression name: (name) @ref.call)
(scoped_call_expression name: (name) @ref.call)
(object_creation_expression [(name) @ref.instantiate (qualified_name (name) @ref.instantiate)])
(namespace_use_clause [(name) @ref.import (qualified_name) @ref.import])
(base_clause [(name) @ref.inherit (qualified_name (name) @ref.inherit)])
(class_interface_clause [(name) @ref.inherit (qualified_name (name) @ref.inherit)])
(use_declaration [(name) @ref.inherit (qualified_name (name) @ref.inherit)])
(include_expression (string (string_content) @ref.import))
(require_once_expression (string (string_content) @ref.import))
(require_expression (string (string_content) @ref.import))
`,
  { constructors: ["__construct"], lineComments: ["//", "#"] },
);
