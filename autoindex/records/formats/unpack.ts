import { unzipSync } from "fflate";
import { BOUNDS } from "../bounds.js";

/** Parts of a packed document by name, as text; parts that would unpack to more than the bound are missing and told of. */
export interface Unpacked {
  parts: Map<string, string>;
  notes: string[];
}

/**
 * Unpacks the parts that are wanted. A part is unpacked into room of the size that it says it has, so one that lies
 * about its size costs no more.
 */
export function unpack(bytes: Uint8Array, isWanted: (name: string) => boolean): Unpacked {
  const notes: string[] = [];
  let total = 0;
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!isWanted(name)) return false;
      if (total + originalSize > BOUNDS.unpackedBytes) {
        notes.push(`${name} was left out: it unpacks to ${originalSize} bytes`);
        return false;
      }
      total += originalSize;
      return true;
    },
  });
  const decoder = new TextDecoder();
  return { parts: new Map(Object.entries(files).map(([name, data]) => [name, decoder.decode(data)])), notes };
}
