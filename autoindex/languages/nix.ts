import { rules } from "./rules.js";

/** Nix: functions, what `let` names, and attributes that are sets; the single values lie in them. */
export const nix = rules(
  `
(binding attrpath: (attrpath) @name expression: (function_expression)) @function
(let_expression (binding_set (binding attrpath: (attrpath) @name) @constant))
(binding attrpath: (attrpath) @name expression: [(attrset_expression) (rec_attrset_expression)]) @property
(source_code expression: (attrset_expression (binding_set (binding attrpath: (attrpath) @name) @property)))
(source_code expression: (function_expression body: (attrset_expression (binding_set (binding attrpath: (attrpath) @name) @property))))
(source_code expression: (function_expression body: (let_expression body: (attrset_expression (binding_set (binding attrpath: (attrpath) @name) @property)))))
(apply_expression function: (variable_expression name: (identifier) @caller) argument: [
  (path_expression) (spath_expression)] @ref.import (#any-of? @caller "import" "callPackage"))
(apply_expression function: (select_expression attrpath: (attrpath attr: (identifier) @caller .)) argument:
  (path_expression) @ref.import (#eq? @caller "callPackage"))
(binding attrpath: (attrpath) @caller expression: (list_expression element: (path_expression) @ref.import)
  (#eq? @caller "imports"))
(apply_expression function: (variable_expression name: (identifier) @ref.call))
(apply_expression function: (select_expression attrpath: (attrpath attr: (identifier) @ref.call .)))
`,
  { lineComments: ["#"] },
);
