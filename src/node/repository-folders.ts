import path from "node:path";

/**
 * Folders that snapshot repositories may lie in (Elasticsearch's path.repo): `--path-repo`, else PINAKES_PATH_REPO, each
 * a comma list; undefined: the engine's own choice, `snapshots` in the data folder.
 */
export function resolveRepositoryFolders(
  option: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): string[] | undefined {
  const given = option ?? env.PINAKES_PATH_REPO;
  const folders = (given ?? "")
    .split(",")
    .map((folder) => folder.trim())
    .filter((folder) => folder !== "");
  return folders.length === 0 ? undefined : folders.map((folder) => path.resolve(folder));
}
