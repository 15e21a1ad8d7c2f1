import { rules } from "./rules.js";

/** Keys of one container beyond this many are a list of records, not a structure to be found by its names. */
const MAX_MEMBERS = 200;

/** JSON: the keys of the two outer levels. */
export const json = rules(
  `
(document (object (pair key: (string (string_content) @name)) @property))
(document (object (pair value: (object (pair key: (string (string_content) @name)) @property))))
`,
  { maxMembers: MAX_MEMBERS },
);

/** YAML: the keys of the two outer levels of each document. */
export const yaml = rules(
  `
(document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @property)))
(document (block_node (block_mapping (block_mapping_pair
  value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @property))))))
`,
  { lineComments: ["#"], blockComments: false, maxMembers: MAX_MEMBERS },
);

/** TOML: tables and their keys. */
export const toml = rules(
  `
(table . [(bare_key) (quoted_key) (dotted_key)] @name) @property
(table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name) @property
(table (pair . (_) @name) @property)
(table_array_element (pair . (_) @name) @property)
(document (pair . (_) @name) @property)
`,
  { lineComments: ["#"], blockComments: false, maxMembers: MAX_MEMBERS },
);

/** XML: the root, what lies directly in it, and every element with an id or a name. */
export const xml = rules(
  `
(element [
    (STag (Attribute (Name) @key (AttValue) @name))
    (EmptyElemTag (Attribute (Name) @key (AttValue) @name))]
  (#any-of? @key "id" "name" "xml:id" "x:Name" "Name")) @property
(document root: (element (STag (Name) @name)) @property)
(document root: (element (content (element [(STag . (Name) @name .) (EmptyElemTag . (Name) @name .)]) @property)))
`,
  { lineComments: [], blockComments: ["<!--", "-->"], maxMembers: MAX_MEMBERS },
);

/** Java's properties. */
export const properties = rules("(property (key) @name) @property", {
  lineComments: ["#", "!"],
  blockComments: false,
  maxMembers: 2000,
});
