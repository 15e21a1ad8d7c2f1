import { rules } from "./rules.js";

/** ReScript. */
export const rescript = rules(
  `
(module_binding name: (module_identifier) @name) @module
(type_binding name: (type_identifier) @name body: (variant_type)) @enum
(type_binding name: (type_identifier) @name body: (record_type)) @struct
(type_binding name: (type_identifier) @name) @type
(variant_declaration (variant_identifier) @name) @constant
(record_type_field (property_identifier) @name) @field
(exception_declaration (variant_identifier) @name) @type
(external_declaration . (value_identifier) @name) @function
(let_binding pattern: (value_identifier) @name body: (function)) @function
(let_binding pattern: (value_identifier) @name) @constant
(decorator) @prefix
(call_expression function: [(value_identifier) @ref.call (value_identifier_path (value_identifier) @ref.call)])
(pipe_expression [(value_identifier) @ref.call (value_identifier_path (value_identifier) @ref.call)] .)
(jsx_self_closing_element name: (jsx_identifier) @ref.call)
(jsx_opening_element name: (jsx_identifier) @ref.call)
(open_statement (_) @ref.import)
(include_statement (_) @ref.import)
`,
  { soleWrappers: ["let_declaration", "type_declaration", "module_declaration"] },
);
