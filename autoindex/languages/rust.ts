import { rules } from "./rules.js";

/** A trait's name behind a path or not, with arguments, in the form of a function's type. */
const BARE_TRAIT = "(type_identifier) @ref.inherit (scoped_type_identifier name: (type_identifier) @ref.inherit)";
const TRAIT = `${BARE_TRAIT} (generic_type type: [${BARE_TRAIT}]) (function_type trait: [${BARE_TRAIT}])`;
const SUPERTRAITS = `(trait_bounds [${TRAIT} (higher_ranked_trait_bound type: [${TRAIT}])])`;

/** Rust; `impl` lends its type's name to what it holds, attributes belong to the item after them. */
export const rust = rules(
  `
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @constant
(trait_item name: (type_identifier) @name) @trait
(mod_item name: (identifier) @name) @module
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(macro_definition name: (identifier) @name) @macro
(impl_item type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  (scoped_type_identifier name: (type_identifier) @name)
  (reference_type type: (type_identifier) @name)]) @scope
(attribute_item (attribute (identifier) @verb arguments: (token_tree . (string_literal) @name))
  (#any-of? @verb "get" "head" "post" "put" "patch" "delete" "options" "route") (#match? @name "^./")) @route
(call_expression function: (field_expression field: (field_identifier) @caller)
  arguments: (arguments . (string_literal) @name
    . (call_expression function: [(identifier) @verb (scoped_identifier name: (identifier) @verb)]) .) @route
  (#eq? @caller "route") (#match? @name "^./"))
(call_expression function: (field_expression field: (field_identifier) @caller)
  arguments: (arguments . (string_literal) @name
    . (call_expression function: (field_expression value: (call_expression
      function: (scoped_identifier path: (identifier) @key name: (identifier) @verb)))) .) @route
  (#eq? @caller "route") (#eq? @key "web") (#match? @name "^./"))
(call_expression function: (field_expression field: (field_identifier) @caller)
  arguments: (arguments . (string_literal) @name . (_) .) @route
  (#eq? @caller "route") (#match? @name "^./"))
(attribute_item) @prefix
(call_expression function: [
  (identifier) @ref.call
  (field_expression field: (field_identifier) @ref.call)
  (scoped_identifier name: (identifier) @ref.call)
  (generic_function function: (identifier) @ref.call)
  (generic_function function: (field_expression field: (field_identifier) @ref.call))
  (generic_function function: (scoped_identifier name: (identifier) @ref.call))])
(macro_invocation macro: [(identifier) @ref.call (scoped_identifier name: (identifier) @ref.call)])
(struct_expression name: [(type_identifier) @ref.instantiate (scoped_type_identifier name: (type_identifier) @ref.instantiate)])
(impl_item trait: [${TRAIT}])
(trait_item bounds: ${SUPERTRAITS})
(trait_item (where_clause (where_predicate left: (type_identifier) @key bounds: ${SUPERTRAITS})) (#eq? @key "Self"))
(use_declaration argument: [(identifier) @ref.import (scoped_identifier path: (_) @ref.import name: (identifier) @ref.imported)])
(use_list [(identifier) @ref.imported (scoped_identifier name: (identifier) @ref.imported)])
(use_as_clause path: [(identifier) @ref.import (scoped_identifier path: (_) @ref.import name: (identifier) @ref.imported)])
(scoped_use_list path: (_) @ref.import)
(use_wildcard [(identifier) (scoped_identifier)] @ref.import)
`,
  { nameMark: /^r#/ },
);
