import { rules } from "./rules.js";

/** Dart: a function's body stands beside its signature, annotations before it. */
export const dart = rules(
  `
(class_definition name: (identifier) @name) @class
(mixin_declaration (identifier) @name) @trait
(extension_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @constant
(type_alias . (type_identifier) @name) @type
(constructor_signature name: (identifier) . "." . name: (identifier) @name) @constructor
(constructor_signature name: (identifier) @name . parameters: (_)) @constructor
(constant_constructor_signature (identifier) @name) @constructor
(factory_constructor_signature (identifier) @name .) @constructor
(factory_constructor_signature (identifier) @name . (formal_parameter_list)) @constructor
(function_signature name: (identifier) @name) @function
(getter_signature name: (identifier) @name) @property
(setter_signature name: (identifier) @name) @property
(static_final_declaration (identifier) @name) @constant
(initialized_identifier . (identifier) @name) @field
(function_body) @suffix
(annotation) @prefix
(_ (identifier) @ref.call . (selector (argument_part)))
(_ (selector (unconditional_assignable_selector (identifier) @ref.call)) . (selector (argument_part)))
(_ (selector (conditional_assignable_selector (identifier) @ref.call)) . (selector (argument_part)))
(new_expression (type_identifier) @ref.instantiate)
(const_object_expression (type_identifier) @ref.instantiate)
(uri (string_literal) @ref.import)
(superclass (type_identifier) @ref.inherit)
(mixins (type_identifier) @ref.inherit)
(interfaces (type_identifier) @ref.inherit)
(mixin_declaration (identifier) (type_identifier) @ref.inherit)
`,
  { soleWrappers: ["declaration", "method_signature"], capitalCalls: "instantiate" },
);
