import { rules } from "./rules.js";

/** Ruby. */
export const ruby = rules(
  `
(module name: [(constant) @name (scope_resolution) @name]) @module
(class name: [(constant) @name (scope_resolution) @name]) @class
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(assignment left: (constant) @name) @constant
(call !receiver method: (identifier) @verb arguments: (argument_list . (string) @name) block: (_)
  (#any-of? @verb "get" "head" "post" "put" "patch" "delete" "options") (#match? @name "^./")) @route
(call !receiver method: (identifier) @verb
  arguments: (argument_list . (string) @name (pair key: (hash_key_symbol) @key))
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match") (#eq? @key "to")) @route
(call !receiver method: (identifier) @verb
  arguments: (argument_list . (pair key: (string) @name value: (string) @key))
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match") (#match? @key "#")) @route
(call !receiver method: (identifier) @caller arguments: (argument_list (simple_symbol) @name)
  (#eq? @caller "resources")) @route
(alias name: (_) @name) @method
(call !receiver method: (identifier) @caller arguments: (argument_list . [(simple_symbol) (delimited_symbol) (string)] @name)
  (#any-of? @caller "define_method" "define_singleton_method" "alias_method") (#not-match? @name "#[{]")) @method
(call !receiver method: (identifier) @caller arguments: (argument_list (simple_symbol) @name)
  (#eq? @caller "delegate")) @method
(call !receiver method: (identifier) @caller arguments: (argument_list [(simple_symbol) (string)] @name)
  (#match? @caller "^([cm]?attr(_(accessor|reader|writer))?|class_attribute)$") (#not-match? @name "#[{]")) @property
(call receiver: [(constant) @ref.instantiate (scope_resolution name: (constant) @ref.instantiate)]
  method: (identifier) @caller (#eq? @caller "new"))
(call method: (identifier) @caller arguments: (argument_list . (string (string_content) @ref.import))
  (#any-of? @caller "require" "require_relative" "load" "autoload"))
(call !receiver method: (identifier) @caller arguments: (argument_list [(constant) @ref.inherit
  (scope_resolution name: (constant) @ref.inherit)]) (#any-of? @caller "include" "extend" "prepend"))
(call method: [(identifier) (constant)] @ref.call)
(superclass [(constant) @ref.inherit (scope_resolution name: (constant) @ref.inherit)])
`,
  { nameMark: /^:(?!:)/, constructors: ["initialize"], lineComments: ["#"], blockComments: false },
);
