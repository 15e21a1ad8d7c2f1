import type { Deadline } from "../limits.js";
import { typeOfBinary } from "./binary.js";

/** What is known of a file without text. */
export interface BinaryFacts {
  /** Short name of its type: `png`, `mp3`, `elf`, `binary`. */
  format: string;
  /** Its type in words. */
  title: string;
  /** What it says of itself, a line each; pictures alone do. */
  facts: string[];
}

/** Describes a binary by its content; `known` is its type where that was told already. */
export async function describeBinary(
  bytes: Buffer,
  known: string | undefined,
  deadline: Deadline,
): Promise<BinaryFacts> {
  const { name, mediaType } = await typeOfBinary(bytes, deadline);
  const format = known ?? name;
  if (name === "binary" && known === undefined) return { format, title: "", facts: [] };
  const facts = mediaType.startsWith("image/") ? await factsOfPicture(bytes, deadline) : [];
  return { format, title: `${format} (${mediaType})`, facts };
}

async function factsOfPicture(bytes: Buffer, deadline: Deadline): Promise<string[]> {
  return (await import("./picture.js")).describePicture(bytes, deadline);
}
