import { ECMASCRIPT_QUERY, ECMASCRIPT_RULES } from "./javascript.js";
import { rules } from "./rules.js";

const TYPESCRIPT_QUERY = `${ECMASCRIPT_QUERY}
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(type_alias_declaration name: (type_identifier) @name) @type
(internal_module name: (_) @name) @namespace
(module name: (_) @name) @namespace
(function_signature name: (identifier) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(property_signature name: (_) @name) @property
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
(public_field_definition name: (_) @name) @field
(extends_clause value: (identifier) @ref.inherit)
(extends_clause value: (member_expression property: (property_identifier) @ref.inherit))
(extends_type_clause type: [(type_identifier) @ref.inherit (generic_type name: (type_identifier) @ref.inherit)])
(implements_clause [(type_identifier) @ref.inherit (generic_type name: (type_identifier) @ref.inherit)])
`;

/** TypeScript. */
export const typescript = rules(TYPESCRIPT_QUERY, ECMASCRIPT_RULES);

/** TypeScript with JSX: components used are calls. */
export const tsx = rules(
  `${TYPESCRIPT_QUERY}
(jsx_opening_element name: (identifier) @ref.call)
(jsx_self_closing_element name: (identifier) @ref.call)
`,
  ECMASCRIPT_RULES,
);
