/**
 * Hosts that `_reindex` may read from (Elasticsearch's reindex.remote.whitelist): `--reindex-remote-allowlist`, else
 * PINAKES_REINDEX_REMOTE_ALLOWLIST, each a comma list of `host:port` with `*` for any text; none unless said.
 */
export function resolveReindexHosts(option: string | undefined, env: NodeJS.ProcessEnv = process.env): string[] {
  return (option ?? env.PINAKES_REINDEX_REMOTE_ALLOWLIST ?? "")
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "");
}
