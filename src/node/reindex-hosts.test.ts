import { expect, it } from "vitest";
import { resolveReindexHosts } from "./reindex-hosts.js";

it("a reindex may read from the hosts that --reindex-remote-allowlist names, else those of the environment, else from none", () => {
  const env = { PINAKES_REINDEX_REMOTE_ALLOWLIST: "b:9200" };
  expect(resolveReindexHosts("a:9200, 10.0.0.*:*,", env)).toEqual(["a:9200", "10.0.0.*:*"]);
  expect(resolveReindexHosts(undefined, env)).toEqual(["b:9200"]);
  expect(resolveReindexHosts(undefined, {})).toEqual([]);
});
