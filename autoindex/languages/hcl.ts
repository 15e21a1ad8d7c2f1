import { rules } from "./rules.js";

/** HCL as Terraform writes it: `resource "aws_instance" "web"` is `aws_instance.web`, as others refer to it. */
export const hcl = rules(
  `
(block (identifier) @caller . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name)
  (#any-of? @caller "resource" "data" "check" "ephemeral")) @struct
(block (identifier) @caller . (string_lit (template_literal) @name) (#eq? @caller "variable")) @variable
(block (identifier) @caller . (string_lit (template_literal) @name) (#eq? @caller "output")) @property
(block (identifier) @caller . (string_lit (template_literal) @name) (#eq? @caller "module")) @module
(block (identifier) @caller (body (attribute (identifier) @name) @constant) (#eq? @caller "locals"))
(config_file (body (block (identifier) @caller . (string_lit (template_literal) @name)) @property)
  (#not-any-of? @caller "resource" "data" "check" "ephemeral" "variable" "output" "module"))
(config_file (body (block (identifier) @name . (block_start)) @property))
(config_file (body (attribute (identifier) @name) @property))
(function_call (identifier) @ref.call)
(block (identifier) @caller (body (attribute (identifier) @key
  (expression (literal_value (string_lit (template_literal) @ref.import)))))
  (#eq? @caller "module") (#eq? @key "source"))
`,
  { lineComments: ["#", "//"] },
);
