import { rules } from "./rules.js";

/** A type's name: bare, behind a path, with arguments; `A with B[Int]` names two. */
function named(capture: string): string {
  const bare = `(type_identifier) ${capture} (stable_type_identifier (type_identifier) ${capture})`;
  const single = `${bare} (generic_type type: [${bare}])`;
  return `[${single} (compound_type [${single}])]`;
}

/** Scala. */
export const scala = rules(
  `
(class_definition name: (identifier) @name) @class
(object_definition name: (identifier) @name) @class
(trait_definition name: (identifier) @name) @trait
(enum_definition name: (identifier) @name) @enum
(simple_enum_case name: (identifier) @name) @constant
(full_enum_case name: (identifier) @name) @constant
(given_definition name: (identifier) @name body: (with_template_body)) @class
(given_definition name: (identifier) @name) @constant
(function_definition name: [(identifier) (operator_identifier)] @name) @function
(function_declaration name: [(identifier) (operator_identifier)] @name) @function
(type_definition name: (type_identifier) @name) @type
(val_definition pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)]) @constant
(var_definition pattern: (identifier) @name) @variable
(call_expression function: [
  (identifier) @ref.call
  (field_expression field: (identifier) @ref.call)
  (generic_function function: [(identifier) @ref.call (field_expression field: (identifier) @ref.call)])])
(instance_expression ${named("@ref.instantiate")})
(import_declaration (identifier) @ref.import . [(namespace_selectors) (namespace_wildcard) ","])
(import_declaration (identifier) @ref.import .)
(namespace_selectors [(identifier) @ref.import (arrow_renamed_identifier name: (identifier) @ref.import)
  (as_renamed_identifier name: (identifier) @ref.import)])
(extends_clause ${named("@ref.inherit")})
`,
  { capitalCalls: "instantiate" },
);
