import { rules } from "./rules.js";

const annotation = (name: string, path: string) => `(annotation (constructor_invocation
  (user_type (type_identifier) @${name}) (value_arguments . (value_argument . (string_literal) @${path} .))))`;
const MAPPED = `(#match? @verb "^(Get|Post|Put|Patch|Delete|Request)Mapping$")`;

/** Spring's routes, and Ktor's: a call with a path and a lambda. */
const ROUTES = `
(class_declaration (modifiers ${annotation("caller", "base")})
  (class_body (function_declaration (modifiers ${annotation("verb", "name")} @route)))
  (#eq? @caller "RequestMapping") ${MAPPED})
(function_declaration (modifiers ${annotation("verb", "name")} @route) ${MAPPED})
(call_expression
  (call_expression . (simple_identifier) @verb (call_suffix (value_arguments . (value_argument . (string_literal) @name .))))
  (call_suffix (annotated_lambda))
  (#any-of? @verb "get" "head" "post" "put" "patch" "delete" "options" "route") (#match? @name "^./")) @route
`;

/** Kotlin. */
export const kotlin = rules(
  `${ROUTES}
(class_declaration "interface" (type_identifier) @name) @interface
(class_declaration (type_identifier) @name (enum_class_body)) @enum
(class_declaration (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @class
(function_declaration (simple_identifier) @name) @function
(secondary_constructor "constructor" @name) @constructor
(property_declaration (variable_declaration (simple_identifier) @name)) @property
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @property
(enum_entry (simple_identifier) @name) @constant
(type_alias (type_identifier) @name) @type
(call_expression . (simple_identifier) @ref.call)
(call_expression . (navigation_expression (navigation_suffix (simple_identifier) @ref.call)))
(import_header (identifier) @ref.import)
(delegation_specifier (user_type (type_identifier) @ref.inherit))
(delegation_specifier (constructor_invocation (user_type (type_identifier) @ref.inherit)))
`,
  { capitalCalls: "instantiate", macros: "line ends" },
);
