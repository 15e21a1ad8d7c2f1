import { rules } from "./rules.js";

const attribute = (more = "") =>
  `(attribute (name) @caller parameters: (arguments . (argument . (string) @name) ${more}))`;
const ONE_METHOD = `(argument name: (name) @key
  [(string) @verb (array_creation_expression . (array_element_initializer (string) @verb) .)])`;
const inAttribute = (route: string) =>
  `(method_declaration attributes: (attribute_list (attribute_group ${route} @route))`;
const inClass = (route: string) => `(class_declaration
  attributes: (attribute_list (attribute_group
    (attribute (name) @class.caller parameters: (arguments . (argument . (string) @base)))))
  body: (declaration_list ${inAttribute(route)})) (#eq? @class.caller "Route")`;

/** Symfony's routes by attributes, Laravel's by calls of its facade, those of an application object. */
const ROUTES = `
${inClass(attribute(ONE_METHOD))} (#eq? @caller "Route") (#eq? @key "methods"))
${inClass(attribute())} (#eq? @caller "Route"))
${inAttribute(attribute(ONE_METHOD))} (#eq? @caller "Route") (#eq? @key "methods"))
${inAttribute(attribute())} (#eq? @caller "Route"))
(scoped_call_expression scope: (name) @caller name: (name) @verb
  arguments: (arguments . (argument . [(string) (encapsed_string)] @name) . (_))
  (#eq? @caller "Route")
  (#any-of? @verb "get" "post" "put" "patch" "delete" "options" "any" "view" "redirect" "resource" "apiResource")) @route
(member_call_expression object: (variable_name (name) @caller) name: (name) @verb
  arguments: (arguments . (argument . [(string) (encapsed_string)] @name) . (_))
  (#match? @caller "^(app|group|routes?|.*[rR]outer)$")
  (#any-of? @verb "get" "head" "post" "put" "patch" "delete" "options" "any") (#match? @name "^./")) @route
`;

/** PHP, with the markup around it. */
export const php = rules(
  `${ROUTES}
(namespace_definition name: (_) @name body: (_)) @namespace
(namespace_definition name: (_) @name !body) @namespace @reaches
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @constant
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(property_declaration (property_element (variable_name (name) @name))) @property
(const_declaration (const_element (name) @name)) @constant
(function_call_expression function: [(name) @ref.call (qualified_name (name) @ref.call)])
(member_call_expression name: (name) @ref.call)
(nullsafe_member_call_expression name: (name) @ref.call)
(scoped_call_expression name: (name) @ref.call)
(object_creation_expression [(name) @ref.instantiate (qualified_name (name) @ref.instantiate)])
(namespace_use_clause [(name) @ref.import (qualified_name) @ref.import])
(namespace_use_clause alias: (name) @ref.none)
(base_clause [(name) @ref.inherit (qualified_name (name) @ref.inherit)])
(class_interface_clause [(name) @ref.inherit (qualified_name (name) @ref.inherit)])
(use_declaration [(name) @ref.inherit (qualified_name (name) @ref.inherit)])
(include_expression (string (string_content) @ref.import))
(require_once_expression (string (string_content) @ref.import))
(require_expression (string (string_content) @ref.import))
`,
  { constructors: ["__construct"], lineComments: ["//", "#"] },
);
