import { createHash } from "node:crypto";

const MAX_LENGTH = 150;

/**
 * A data set's name: repository, path and the part of the file (a table, a sheet) as an index name allows them. Where that
 * loses something, a few digits of their hash keep two of them apart.
 */
export function datasetName(repo: string, file: string, part = ""): string {
  const path = part === "" ? file : `${file}/${part}`;
  const whole = `${repo}/${path}`;
  const plain = whole
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, "-")
    .replace(/^[-_.+]+|[-.]+$/g, "");
  const isExact =
    part === "" && /^[a-z0-9_./]+$/.test(whole) && plain === whole.replaceAll("/", "-") && !repo.includes("/");
  if (isExact && plain.length <= MAX_LENGTH) return plain;
  const digits = createHash("sha1")
    .update(part === "" ? `${repo}\0${path}` : `${repo}\0${file}\0${part}`)
    .digest("hex")
    .slice(0, 6);
  return `${plain.slice(-MAX_LENGTH).replace(/^[-_.+]+/, "")}-${digits}`;
}
