import { rules } from "./rules.js";

/** Haskell: a signature belongs to the function below it, and all its equations are one declaration. */
export const haskell = rules(
  `
(class name: (name) @name) @trait
(class_declarations (signature name: (variable) @name) @method)
(data_type name: (name) @name) @type
(newtype name: (name) @name) @type
(type_synomym name: (name) @name) @type
(data_constructor constructor: [(record name: (constructor) @name) (prefix name: (constructor) @name)]) @constant
(field name: (field_name (variable) @name)) @field
(instance patterns: (type_patterns . [
  (name) @name
  (parens (apply constructor: (name) @name))])) @scope
(declarations (signature) @prefix)
(instance_declarations (signature) @prefix)
(function name: (variable) @name) @function
(declarations (bind name: (variable) @name) @function)
(instance_declarations (bind name: (variable) @name) @function)
(apply function: (variable) @ref.call)
(apply function: (qualified id: (variable) @ref.call))
(apply function: (constructor) @ref.instantiate)
(infix left_operand: (variable) @ref.call operator: (operator) @caller (#any-of? @caller "$" "<$>"))
(import module: (module) @ref.import)
(instance name: (name) @ref.inherit)
(deriving classes: (name) @ref.inherit)
(deriving classes: (tuple (name) @ref.inherit))
`,
  {
    lineComments: ["-- |", "-- ^", "--"],
    blockComments: ["{-", "-}"],
    clauses: "merge",
  },
);
