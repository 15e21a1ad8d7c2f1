import { rules } from "./rules.js";

/** GDScript. */
export const gdscript = rules(
  `
(class_name_statement (name) @name) @class
(class_definition name: (name) @name) @class
(function_definition name: (name) @name) @function
(constructor_definition "_init" @name) @constructor
(signal_statement (name) @name) @field
(enum_definition name: (name) @name) @enum
(enumerator left: (identifier) @name) @constant
(const_statement name: (name) @name) @constant
(variable_statement name: (name) @name) @variable
(call (identifier) @caller (arguments (string) @ref.import) (#any-of? @caller "preload" "load"))
(call . (identifier) @ref.call)
(attribute (identifier) @ref.instantiate . (attribute_call (identifier) @caller) (#eq? @caller "new") (#match? @ref.instantiate "^[A-Z]"))
(attribute_call . (identifier) @ref.call)
(extends_statement (type (identifier) @ref.inherit))
(extends_statement (string) @ref.inherit)
`,
  { lineComments: ["##", "#"], blockComments: false },
);
