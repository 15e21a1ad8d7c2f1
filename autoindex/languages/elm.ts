import { rules } from "./rules.js";

/** Elm; a type annotation belongs to the value below it. */
export const elm = rules(
  `
(file (value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name)) @function)
(value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name (_))) @function
(type_alias_declaration name: (upper_case_identifier) @name) @type
(type_declaration name: (upper_case_identifier) @name) @enum
(union_variant name: (upper_case_identifier) @name) @constant
(type_alias_declaration typeExpression: (type_expression part: (record_type fieldType: (field_type name: (lower_case_identifier) @name) @field)))
(port_annotation name: (lower_case_identifier) @name) @function
(type_annotation) @prefix
(function_call_expr target: (value_expr name: (value_qid (lower_case_identifier) @ref.call .)))
(function_call_expr target: (value_expr name: (upper_case_qid (upper_case_identifier) @ref.instantiate .)))
(import_clause moduleName: (_) @ref.import)
`,
  { lineComments: ["--"], blockComments: ["{-", "-}"] },
);
