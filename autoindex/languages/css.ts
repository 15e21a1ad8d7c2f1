import { rules } from "./rules.js";

/** CSS: rules by their selectors, custom properties as variables, which `var()` refers to. */
export const css = rules(
  `
(rule_set (selectors) @name) @property
(declaration (property_name) @name (#match? @name "^--")) @variable
(keyframes_statement (keyframes_name) @name) @constant
(import_statement (string_value) @ref.import)
(import_statement (call_expression (arguments (string_value) @ref.import)))
(call_expression (function_name) @caller (arguments (plain_value) @ref.call) (#eq? @caller "var"))
`,
  { lineComments: [] },
);
