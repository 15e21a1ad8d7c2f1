import exifr from "exifr";
import { imageSize } from "image-size";
import type { Deadline } from "../limits.js";

/** Where the facts of a picture lie: at its beginning in all formats that are read. */
const HEAD = 512 * 1024;
const WANTED = [
  "Make",
  "Model",
  "LensModel",
  "DateTimeOriginal",
  "ImageDescription",
  "Artist",
  "Copyright",
  "Software",
];

/** What a picture says of itself, a line each: its dimensions, the camera, when it was taken. */
export async function describePicture(bytes: Buffer, deadline: Deadline): Promise<string[]> {
  const head = bytes.subarray(0, HEAD);
  const size = dimensions(head);
  const lines = size === undefined ? [] : [size];
  const facts = await exif(head, deadline);
  const camera = [facts.Make, facts.Model].filter((part) => typeof part === "string" && part !== "").join(" ");
  if (camera !== "") lines.push(`Camera: ${camera}`);
  for (const key of WANTED.slice(2)) {
    const value = facts[key];
    if (value instanceof Date && !Number.isNaN(value.getTime())) lines.push(`Taken: ${localTime(value)}`);
    else if (typeof value === "string" && value.trim() !== "") lines.push(`${key}: ${value.trim().slice(0, 1000)}`);
  }
  return lines;
}

function dimensions(bytes: Buffer): string | undefined {
  try {
    const { width, height } = imageSize(bytes);
    return `${width} x ${height} pixels`;
  } catch {
    // A picture that is cut off before its size, or of a kind that is not known: its type and name are all.
    return undefined;
  }
}

async function exif(bytes: Buffer, deadline: Deadline): Promise<Record<string, unknown>> {
  try {
    return (await deadline.within(exifr.parse(bytes, { pick: WANTED }))) ?? {};
  } catch {
    // No block of facts, or a damaged one.
    return {};
  }
}

/** As the camera's clock said it; cameras know no time zone. */
function localTime(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
