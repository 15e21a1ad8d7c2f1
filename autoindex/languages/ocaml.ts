import { rules } from "./rules.js";

/** OCaml. */
export const ocaml = rules(
  `
(module_type_definition name: (module_type_name) @name) @interface
(module_binding name: (module_name) @name) @module
(class_binding name: (class_name) @name) @class
(method_definition name: (method_name) @name) @method
(instance_variable_definition name: (instance_variable_name) @name) @field
(type_binding name: (type_constructor) @name body: (variant_declaration)) @enum
(type_binding name: (type_constructor) @name body: (record_declaration)) @struct
(type_binding name: (type_constructor) @name) @type
(variant_declaration (constructor_declaration (constructor_name) @name) @constant)
(field_declaration (field_name) @name) @field
(exception_definition (constructor_declaration (constructor_name) @name)) @type
(value_specification (value_name) @name) @function
(external (value_name) @name) @function
(let_binding pattern: (value_name) @name (parameter)) @function
(let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)]) @function
(let_binding pattern: (value_name) @name) @constant
(application_expression function: (value_path (value_name) @ref.call))
(infix_expression operator: (rel_operator) @caller right: (value_path (value_name) @ref.call) (#eq? @caller "|>"))
(method_invocation (method_name) @ref.call)
(new_expression (class_path (class_name) @ref.instantiate))
(open_module (module_path) @ref.import)
(include_module (module_path) @ref.import)
(inheritance_definition (class_path (class_name) @ref.inherit))
(inheritance_definition (class_application class: (class_path (class_name) @ref.inherit)))
`,
  {
    soleWrappers: ["value_definition", "type_definition", "module_definition", "class_definition"],
    lineComments: [],
    blockComments: ["(*", "*)"],
  },
);
