import { ECMASCRIPT_QUERY, ECMASCRIPT_RULES } from "./javascript.js";
import { rules } from "./rules.js";

/** Routes of controllers, by their decorators; the class's path goes before the method's. */
const CONTROLLER_ROUTES = `
(export_statement
  decorator: (decorator (call_expression function: (identifier) @caller arguments: (arguments . (string) @base)))
  declaration: (class_declaration body: (class_body
    (decorator (call_expression function: (identifier) @verb arguments: (arguments) @name)) @route))
  (#eq? @caller "Controller") (#any-of? @verb "Get" "Head" "Post" "Put" "Patch" "Delete" "Options" "All")
  (#match? @name "^[(](.[^,]*['\\"\`])?[)]$"))
(decorator (call_expression function: (identifier) @verb arguments: (arguments . (string)) @name)
  (#any-of? @verb "Get" "Head" "Post" "Put" "Patch" "Delete" "Options" "All")
  (#match? @name "^[(].[^,]*['\\"\`][)]$")) @route
`;

/** Data of a namespace. */
const inNamespace = (namespace: string) => `
(${namespace} body: (statement_block [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
  (export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant))]))
(${namespace} body: (statement_block [
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @variable)
  (export_statement (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable))
  (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable))]))`;

/** A type's name: bare, behind a path, with arguments. */
function named(capture: string): string {
  const bare = `(type_identifier) ${capture} (nested_type_identifier name: (type_identifier) ${capture})`;
  return `[${bare} (generic_type name: [${bare}])]`;
}

const TYPESCRIPT_QUERY = `${ECMASCRIPT_QUERY}${CONTROLLER_ROUTES}
${inNamespace("internal_module")}
${inNamespace("module")}
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
(extends_type_clause type: ${named("@ref.inherit")})
(implements_clause ${named("@ref.inherit")})
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
