import { createHash } from "node:crypto";

const MAX_LENGTH = 150;

/**
 * A data set's name: repository and path as an index name allows them. Where that loses something, a few digits of
 * their hash keep two files apart.
 */
export function datasetName(repo: string, path: string): string {
  const whole = `${repo}/${path}`;
  const plain = whole
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, "-")
    .replace(/^[-_.+]+|[-.]+$/g, "");
  const isExact = /^[a-z0-9_./]+$/.test(whole) && plain === whole.replaceAll("/", "-") && !repo.includes("/");
  if (isExact && plain.length <= MAX_LENGTH) return plain;
  const digits = createHash("sha1").update(`${repo}\0${path}`).digest("hex").slice(0, 6);
  return `${plain.slice(-MAX_LENGTH).replace(/^[-_.+]+/, "")}-${digits}`;
}
