/**
 * Listing a folder by the rules of its ignore files. Start reading at walk.ts; scope.ts says which rule wins.
 */
export { gitFolders, lookAt, readOptional } from "./git.js";
export { workTreeTop } from "./scope.js";
export { type WalkEntry, type WalkOptions, walk, walkFrom, walkOne } from "./walk.js";
