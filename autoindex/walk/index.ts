/**
 * Listing a folder by the rules of its ignore files. Start reading at walk.ts; scope.ts says which rule wins.
 */
export { gitFolders, readOptional } from "./git.js";
export { lookAt } from "./look-at.js";
export { kindOf, type RegularFile, readRegularFile } from "./regular-file.js";
export { workTreeTop } from "./scope.js";
export { type WalkEntry, type WalkOptions, walk, walkFrom, walkOne } from "./walk.js";
export {
  ATTRIBUTES_BYTES,
  GIT_SETTING_BYTES,
  IGNORE_BYTES,
  PACKED_REFERENCES_BYTES,
  readWellKnown,
} from "./well-known.js";
