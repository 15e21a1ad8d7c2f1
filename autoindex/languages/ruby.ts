import { rules } from "./rules.js";

/** Ruby. */
export const ruby = rules(
  `
(module name: [(constant) @name (scope_resolution) @name]) @module
(class name: [(constant) @name (scope_resolution) @name]) @class
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(assignment left: (constant) @name) @constant
(alias name: (_) @name) @method
(call receiver: [(constant) @ref.instantiate (scope_resolution name: (constant) @ref.instantiate)]
  method: (identifier) @caller (#eq? @caller "new"))
(call method: (identifier) @caller arguments: (argument_list . (string (string_content) @ref.import))
  (#any-of? @caller "require" "require_relative" "load" "autoload"))
(call !receiver method: (identifier) @caller arguments: (argument_list [(constant) @ref.inherit
  (scope_resolution name: (constant) @ref.inherit)]) (#any-of? @caller "include" "extend" "prepend"))
(call method: [(identifier) (constant)] @ref.call)
(superclass [(constant) @ref.inherit (scope_resolution name: (constant) @ref.inherit)])
`,
  { constructors: ["initialize"], lineComments: ["#"], blockComments: false },
);
