import { rules } from "./rules.js";

/** TLA+; operators are functions. */
export const tlaplus = rules(
  `
(module name: (identifier) @name) @module
(module_definition name: (identifier) @name) @module
(operator_definition name: (identifier) @name) @function
(function_definition name: (identifier) @name) @function
(constant_declaration (identifier) @name) @constant
(constant_declaration (operator_declaration name: (identifier) @name) @constant)
(variable_declaration (identifier) @name) @variable
(theorem name: (identifier) @name) @constant
(bound_op name: (identifier_ref) @ref.call)
(extends (identifier_ref) @ref.import)
(instance (identifier_ref) @ref.import)
`,
  { lineComments: ["\\*"], blockComments: ["(*", "*)"] },
);
