import { rules } from "./rules.js";

const attribute = (name: string, path: string) =>
  `(attribute name: (identifier) @${name} (attribute_argument_list . (attribute_argument . (string_literal) @${path})))`;
const inController = (
  path: string,
  route: string,
  where = "",
) => `(class_declaration (attribute_list ${attribute("caller", path)})
  body: (declaration_list (method_declaration (attribute_list ${route} @route)))
  (#eq? @caller "Route") (#match? @verb "^Http(Get|Head|Post|Put|Patch|Delete|Options)$") ${where})`;

/** ASP.NET's routes; a path that begins with a slash does not go on from the class's. */
const ROUTES = `
${inController("base", attribute("verb", "name"), '(#not-match? @name "^.[~/]")')}
${inController("name", "(attribute name: (identifier) @verb .)")}
(method_declaration (attribute_list ${attribute("verb", "name")} @route)
  (#match? @verb "^Http(Get|Head|Post|Put|Patch|Delete|Options)$|^Route$"))
(invocation_expression
  function: (member_access_expression name: (identifier) @verb)
  arguments: (argument_list . (argument . (string_literal) @name .) . (_))
  (#any-of? @verb "Map" "MapGet" "MapPost" "MapPut" "MapPatch" "MapDelete") (#match? @name "^./")) @route
`;

/** C#. */
export const csharp = rules(
  `${ROUTES}
(namespace_declaration name: (_) @name) @namespace
(file_scoped_namespace_declaration name: (_) @name) @namespace @reaches
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @constant
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @constructor
(destructor_declaration name: (identifier) @name) @method
(operator_declaration operator: _ @name) @method
(conversion_operator_declaration type: (_) @name) @method
(indexer_declaration "this" @name) @property
(record_declaration (parameter_list (parameter name: (identifier) @name) @property))
(property_declaration name: (identifier) @name) @property
(event_declaration name: (identifier) @name) @property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @property
(invocation_expression function: [
  (identifier) @ref.call
  (generic_name (identifier) @ref.call)
  (member_access_expression name: [(identifier) @ref.call (generic_name (identifier) @ref.call)])])
(invocation_expression function: (conditional_access_expression (member_binding_expression name: (identifier) @ref.call)))
(object_creation_expression type: [
  (identifier) @ref.instantiate
  (generic_name (identifier) @ref.instantiate)
  (qualified_name name: (identifier) @ref.instantiate)])
(using_directive [(identifier) @ref.import (qualified_name) @ref.import])
(using_directive name: (_) @ref.none)
(base_list [
  (identifier) @ref.inherit
  (generic_name (identifier) @ref.inherit)
  (qualified_name name: (identifier) @ref.inherit)])
`,
  {
    macros: "conditionals",
    spelling: {
      conversion_operator_declaration: "operator $",
      destructor_declaration: "~$",
      indexer_declaration: "$[]",
      operator_declaration: "operator $",
    },
  },
);
