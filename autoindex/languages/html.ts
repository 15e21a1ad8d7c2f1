import { rules } from "./rules.js";

/** Patterns that HTML and Vue share: elements with an id, custom elements and components as uses of them. */
export const MARKUP_QUERY = `
(element (start_tag (attribute (attribute_name) @key (quoted_attribute_value (attribute_value) @name))) (#eq? @key "id")) @property
(element (self_closing_tag (attribute (attribute_name) @key (quoted_attribute_value (attribute_value) @name))) (#eq? @key "id")) @property
(script_element (start_tag (attribute (attribute_name) @key (quoted_attribute_value (attribute_value) @ref.import)))
  (#eq? @key "src"))
(element (start_tag (tag_name) @caller (attribute (attribute_name) @key (quoted_attribute_value (attribute_value) @ref.import)))
  (#eq? @caller "link") (#eq? @key "href"))
(start_tag (tag_name) @ref.instantiate (#match? @ref.instantiate "^[A-Z]|-"))
(self_closing_tag (tag_name) @ref.instantiate (#match? @ref.instantiate "^[A-Z]|-"))
`;

/** HTML; its scripts are read by their own grammar. */
export const html = rules(MARKUP_QUERY, { lineComments: [], blockComments: ["<!--", "-->"] });

/** Vue components; the script is read by its own grammar. */
export const vue = rules(MARKUP_QUERY, { lineComments: [], blockComments: ["<!--", "-->"] });
