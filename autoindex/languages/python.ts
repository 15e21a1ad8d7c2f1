import { rules } from "./rules.js";

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
(call function: (identifier) @ref.call)
(call function: (attribute attribute: (identifier) @ref.call))
(decorator (identifier) @ref.call)
(decorator (attribute attribute: (identifier) @ref.call))
(import_statement (dotted_name) @ref.import)
(import_statement (aliased_import name: (dotted_name) @ref.import))
(import_from_statement [(dotted_name) (relative_import)] @ref.import)
(import_from_statement (aliased_import name: (dotted_name) @ref.import))
(class_definition superclasses: (argument_list [(identifier) @ref.inherit (attribute attribute: (identifier) @ref.inherit)]))
(class_definition superclasses: (argument_list (subscript value: (identifier) @ref.inherit)))
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
