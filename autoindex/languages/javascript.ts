import { rules } from "./rules.js";

/** Names in a pattern of an object or an array, and one level deeper. */
const IN_OBJECT = `[(shorthand_property_identifier_pattern) @name
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
  (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
  (rest_pattern (identifier) @name)]`;
const IN_ARRAY = `[(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern (identifier) @name)]`;
const INNER = `[(object_pattern ${IN_OBJECT}) (array_pattern ${IN_ARRAY})]`;
const PATTERN = `[(object_pattern [${IN_OBJECT.slice(1, -1)}
    (pair_pattern value: [${INNER.slice(1, -1)} (assignment_pattern left: ${INNER})])])
  (array_pattern [${IN_ARRAY.slice(1, -1)} ${INNER.slice(1, -1)}])]`;

/** What is taken apart; of an imported module that is an import. */
const TAKEN_APART = `(variable_declarator name: ${PATTERN} value: (_) @value
  (#not-match? @value "^(await )?(require|import)[(]"))`;

/** Patterns that JavaScript, TypeScript and TSX share. */
export const ECMASCRIPT_QUERY = `
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]) @function
(pair key: (_) @name value: [(arrow_function) (function_expression)]) @method
(pair key: (_) @name value: (object)) @scope
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)))
(program (lexical_declaration kind: "const" ${TAKEN_APART} @constant))
(program (export_statement (lexical_declaration kind: "const" ${TAKEN_APART} @constant)))
(program (export_statement (lexical_declaration kind: "let" ${TAKEN_APART} @variable)))
(program (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable)))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(call_expression
  function: [(identifier) @caller (member_expression object: (identifier) @caller)]
  arguments: (arguments . [(string (string_fragment) @name) (template_string) @name] (_)? [(arrow_function) (function_expression)])
  (#any-of? @caller "describe" "it" "test" "suite" "context" "bench")) @test
(call_expression
  function: (member_expression
    object: [(identifier) @caller (member_expression property: (property_identifier) @caller)]
    property: (property_identifier) @verb)
  arguments: (arguments . [(string) (template_string)] @name . (_))
  (#match? @caller "^(app|server|fastify)$|(App|[rR]outer|[rR]outes?)$")
  (#any-of? @verb "get" "head" "post" "put" "patch" "delete" "del" "options" "all")
  (#match? @name "^.[/*]")) @route
(call_expression
  function: (member_expression object: (identifier) @caller property: (property_identifier) @verb)
  arguments: (arguments . (string) @name [(arrow_function) (function_expression)] .)
  (#match? @caller "^(api|v[0-9]+)$|Api$")
  (#any-of? @verb "get" "head" "post" "put" "patch" "delete" "options" "all")
  (#match? @name "^./")) @route
(call_expression function: (member_expression object: (call_expression
  function: (member_expression object: (identifier) @caller property: (property_identifier) @verb)
  arguments: (arguments . (string) @name .)) @route)
  (#match? @caller "^app$|(App|[rR]outer)$") (#eq? @verb "route") (#match? @name "^./"))
(decorator) @prefix
(call_expression function: (identifier) @ref.call)
(call_expression function: (member_expression property: [(property_identifier) (private_property_identifier)] @ref.call))
(new_expression constructor: (identifier) @ref.instantiate)
(new_expression constructor: (member_expression property: (property_identifier) @ref.instantiate))
(import_statement source: (string (string_fragment) @ref.import))
(export_statement source: (string (string_fragment) @ref.import))
(import_specifier name: (identifier) @ref.imported)
(export_statement (export_clause (export_specifier name: (identifier) @ref.imported)) source: (string))
(import_clause (identifier) @ref.imported)
(call_expression function: (identifier) @caller arguments: (arguments . (string (string_fragment) @ref.import)) (#eq? @caller "require"))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @ref.import)))
`;

/** What differs from a C-like language. */
export const ECMASCRIPT_RULES = {
  wrappers: ["export_statement", "ambient_declaration"],
  soleWrappers: ["lexical_declaration", "variable_declaration", "expression_statement"],
  constructors: ["constructor"],
} as const;

/** JavaScript, with JSX. */
export const javascript = rules(
  `${ECMASCRIPT_QUERY}
(class_declaration name: (identifier) @name) @class
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
(field_definition property: (_) @name) @field
(class_heritage (identifier) @ref.inherit)
(class_heritage (member_expression property: (property_identifier) @ref.inherit))
(jsx_opening_element name: (identifier) @ref.call)
(jsx_self_closing_element name: (identifier) @ref.call)
`,
  ECMASCRIPT_RULES,
);
