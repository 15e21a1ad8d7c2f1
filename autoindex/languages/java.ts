import { rules } from "./rules.js";

const METHODS = "(Get|Post|Put|Patch|Delete|Request)";
/** A path as the only argument, or as the first of several. */
const NAMED_PATH = "(element_value_pair key: (identifier) @key value: (string_literal) @name)";
const PATH = `[(string_literal) @name ${NAMED_PATH}]`;
const ON_METHOD = `(#match? @verb "^${METHODS}Mapping$|^Path$") (#not-any-of? @key "name" "produces" "consumes")`;
const CLASS_PATH = `(#any-of? @caller "RequestMapping" "Path") (#not-any-of? @class.key "name" "produces" "consumes")`;

/** A class whose annotation has a path, captured as `capture`, and an annotation of one of its methods. */
const inClass = (capture: string, annotation: string, where: string) => `(class_declaration
  (modifiers (annotation name: (identifier) @caller arguments: (annotation_argument_list
    . [(string_literal) @${capture} (element_value_pair key: (identifier) @class.key value: (string_literal) @${capture})])))
  body: (class_body (method_declaration (modifiers ${annotation} @route))) ${CLASS_PATH} ${where})`;

const MAPPING = `(annotation name: (identifier) @verb arguments: (annotation_argument_list . ${PATH}))`;
const MAPPING_BY_METHOD = `(annotation name: (identifier) @mapping arguments: (annotation_argument_list
  . ${NAMED_PATH} (element_value_pair value: (field_access object: (identifier) @type.name field: (identifier) @verb))))`;
const BY_METHOD = `(#eq? @mapping "RequestMapping") (#eq? @type.name "RequestMethod")
  (#not-any-of? @key "name" "produces" "consumes")`;

/** JAX-RS says method and path by two annotations. */
const PATH_AFTER_METHOD = `(marker_annotation name: (identifier) @verb)
  (annotation name: (identifier) @mapping arguments: (annotation_argument_list . ${PATH}))`;
const AFTER_METHOD = `(#eq? @mapping "Path") (#any-of? @verb "GET" "HEAD" "POST" "PUT" "PATCH" "DELETE" "OPTIONS")`;

/** Spring's and JAX-RS's routes, those that say most first. */
const ROUTES = `
${inClass("base", MAPPING_BY_METHOD, BY_METHOD)}
${inClass("base", PATH_AFTER_METHOD, AFTER_METHOD)}
${inClass("base", MAPPING, ON_METHOD)}
${inClass("name", "(marker_annotation name: (identifier) @verb)", ON_METHOD)}
(method_declaration (modifiers ${PATH_AFTER_METHOD} @route) ${AFTER_METHOD})
(method_declaration (modifiers ${MAPPING_BY_METHOD} @route) ${BY_METHOD})
(method_declaration (modifiers ${MAPPING} @route) ${ON_METHOD})
`;

/** Java. */
export const java = rules(
  `${ROUTES}
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @constant
(method_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @constructor
(compact_constructor_declaration name: (identifier) @name) @constructor
(field_declaration (variable_declarator name: (identifier) @name)) @field
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @field))
(constant_declaration (variable_declarator name: (identifier) @name)) @constant
(method_invocation name: (identifier) @ref.call)
(method_reference . (_) (identifier) @ref.call)
(object_creation_expression type: [
  (type_identifier) @ref.instantiate
  (generic_type (type_identifier) @ref.instantiate)
  (scoped_type_identifier (type_identifier) @ref.instantiate .)])
(import_declaration (scoped_identifier) @ref.import)
(superclass [(type_identifier) @ref.inherit (generic_type (type_identifier) @ref.inherit)])
(super_interfaces (type_list [(type_identifier) @ref.inherit (generic_type (type_identifier) @ref.inherit)]))
(extends_interfaces (type_list [(type_identifier) @ref.inherit (generic_type (type_identifier) @ref.inherit)]))
`,
);
