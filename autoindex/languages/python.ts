import { rules } from "./rules.js";

/** What a class may be said to inherit, with arguments or without. */
const BASE = "(identifier) @ref.inherit (attribute attribute: (identifier) @ref.inherit)";

/** Python; a definition begins at its first decorator. */
export const python = rules(
  `
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(type_alias_statement . (type [(identifier) @name (generic_type . (identifier) @name)])) @type
(module (expression_statement (assignment left: (identifier) @name) @variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @variable))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
(function_definition body: (block . (expression_statement (string) @doc)))
(class_definition body: (block . (expression_statement (string) @doc)))
(decorator (call
  function: (attribute attribute: (identifier) @caller)
  arguments: (argument_list . (string) @name
    (keyword_argument name: (identifier) @key value: [(list . (string) @verb .) (set . (string) @verb .)])))
  (#any-of? @caller "route" "api_route") (#eq? @key "methods") (#match? @name "^[a-zA-Z]*[\\"']/")) @route
(decorator (call function: (attribute attribute: (identifier) @verb) arguments: (argument_list . (string) @name))
  (#any-of? @verb "get" "head" "post" "put" "patch" "delete" "options" "route" "api_route" "websocket")
  (#match? @name "^[a-zA-Z]*[\\"']/")) @route
(call
  function: (attribute object: (_) @caller attribute: (identifier) @verb)
  arguments: (argument_list . (string) @name . (_))
  (#match? @caller "^(web|.*app|.*router)$")
  (#match? @verb "^(add_)?(get|head|post|put|patch|delete)$|^add_(route|api_route|url_rule)$")
  (#match? @name "^[a-zA-Z]*[\\"']/")) @route
(module (expression_statement (assignment left: (identifier) @caller
  right: (list (call function: (identifier) @key arguments: (argument_list . (string) @name . (_))) @route)))
  (#eq? @caller "urlpatterns") (#any-of? @key "path" "re_path" "url"))
(module (expression_statement (augmented_assignment left: (identifier) @caller
  right: (list (call function: (identifier) @key arguments: (argument_list . (string) @name . (_))) @route)))
  (#eq? @caller "urlpatterns") (#any-of? @key "path" "re_path" "url"))
(call function: (identifier) @ref.call)
(call function: (attribute attribute: (identifier) @ref.call))
(decorator (identifier) @ref.call)
(decorator (attribute attribute: (identifier) @ref.call))
(import_statement (dotted_name) @ref.import)
(import_statement (aliased_import name: (dotted_name) @ref.import))
(import_from_statement module_name: [(dotted_name) (relative_import)] @ref.import)
(import_from_statement (dotted_name) @ref.imported)
(import_from_statement (aliased_import name: (dotted_name) @ref.imported))
(class_definition superclasses: (argument_list [${BASE} (subscript value: [${BASE}])]))
`,
  {
    wrappers: ["decorated_definition"],
    soleWrappers: ["expression_statement"],
    constructors: ["__init__", "__new__"],
    lineComments: ["#"],
    blockComments: false,
    capitalCalls: "instantiate",
    capitalNames: "constant",
  },
);
