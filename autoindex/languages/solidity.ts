import { rules } from "./rules.js";

/** Solidity; contracts are classes, events, errors and modifiers are named with them. */
export const solidity = rules(
  `
(contract_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(library_declaration name: (identifier) @name) @module
(struct_declaration name: (identifier) @name) @struct
(struct_member name: (identifier) @name) @field
(enum_declaration name: (identifier) @name) @enum
(enum_value) @constant @name
(error_declaration name: (identifier) @name) @type
(event_definition name: (identifier) @name) @type
(function_definition name: (identifier) @name) @function
(modifier_definition name: (identifier) @name) @method
(constructor_definition "constructor" @name) @constructor
(fallback_receive_definition ["receive" "fallback"] @name) @method
(state_variable_declaration name: (identifier) @name) @field
(constant_variable_declaration name: (identifier) @name) @constant
(call_expression function: (identifier) @ref.call)
(call_expression function: (member_expression property: (identifier) @ref.call))
(call_expression function: (new_expression name: (type_name (user_defined_type (identifier) @ref.instantiate))))
(modifier_invocation (identifier) @ref.call)
(emit_statement name: (identifier) @ref.call)
(import_directive source: (string) @ref.import)
(import_directive import_name: (identifier) @ref.import)
(inheritance_specifier ancestor: (user_defined_type (identifier) @ref.inherit))
`,
  { capitalNames: "constant" },
);
