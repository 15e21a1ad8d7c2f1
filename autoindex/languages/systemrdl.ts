import { rules } from "./rules.js";

/** SystemRDL: components are structures, their instances fields. */
export const systemrdl = rules(
  `
(component_named_def id: (id) @name) @struct
(enum_def . (id) @name) @enum
(enum_entry . (id) @name) @constant
(property_definition . (id) @name) @type
(component_inst id: (id) @name) @field
(explicit_component_inst id: (id) @ref.instantiate)
`,
);
