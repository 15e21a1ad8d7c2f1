// Records what a real node answers to the requests of compat/testing/recorded: node scripts/record.mjs URL (an OpenSearch
// node without data; all of its indices are deleted). Run `npm run build` first.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { GROUPS } from "../dist/compat/testing/recorded/concurrency-requests.js";
import { playGroup } from "../dist/compat/testing/recorded/play.js";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const url = process.argv[2];
if (!url) throw new Error("usage: node scripts/record.mjs URL");

const lines = [];
for (const group of GROUPS) {
  const played = await playGroup(new URL(url).host, group);
  for (const answer of played) lines.push(JSON.stringify({ group: group.title, ...answer }));
}
writeFileSync(path.join(root, "compat/testing/recorded/concurrency.jsonl"), `${lines.join("\n")}\n`);
