/** Work on an index that may be deleted at the same time. */
import type { EngineFace, Index } from "../../engine/index.js";
import { indexNotFound } from "../errors.js";

/**
 * Does the work. When it fails and the index is gone, that is the answer, whatever the failure says: files and logs of a
 * deleted index close under those who still use them.
 */
export async function onIndex<T>(engine: EngineFace, index: Index, work: (index: Index) => Promise<T>): Promise<T> {
  try {
    return await work(index);
  } catch (error) {
    // One that the system could not read is another object at each try, and there all the time.
    const there = engine.index(index.name)?.definition.uuid === index.definition.uuid;
    throw there ? error : indexNotFound(index.name);
  }
}
