import { NAMED_AS_CLASS, rules } from "./rules.js";

/** PowerShell. */
export const powershell = rules(
  `
(function_statement (function_name) @name) @function
(class_statement . (simple_name) @name) @class
(enum_statement . (simple_name) @name) @enum
(enum_member (simple_name) @name) @constant
(class_property_definition (variable) @name) @property
(class_method_definition (simple_name) @name) @method
(class_statement ":" . (simple_name) @ref.inherit)
(command command_name: (command_name) @caller command_elements: (command_elements (generic_token) @ref.import)
  (#any-of? @caller "Import-Module" "using") (#not-any-of? @ref.import "module" "namespace" "assembly"))
(command command_name: (command_name) @ref.call (#not-eq? @ref.call "using"))
(invokation_expression (type_literal (type_spec (type_name (type_identifier) @ref.instantiate)))
  (member_name (simple_name) @caller) (#eq? @caller "new"))
(invokation_expression (member_name (simple_name) @ref.call))
`,
  { constructors: [NAMED_AS_CLASS], lineComments: ["#"], blockComments: ["<#", "#>"] },
);
