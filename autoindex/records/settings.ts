/**
 * Files that programs read their settings from, by their whole name: a list in one (references, hooks, folders) is no data
 * of anybody's.
 */
const SETTINGS = [
  /^(?:ts|js)config(?:\.[\w.-]+)?\.json$/,
  /^(?:package|package-lock|npm-shrinkwrap|composer|bower|lerna|nx|turbo|rush|angular|deno|biome|renovate|vercel|firebase)\.json$/,
  /^(?:launch|keybindings|devcontainer)\.json$/,
  /^\.[\w.-]+rc(?:\.(?:json|ya?ml))?$/,
  /^\.(?:pre-commit-config|pre-commit-hooks|travis|gitlab-ci|golangci|codecov|readthedocs)\.ya?ml$/,
  /^(?:docker-compose|compose)(?:\.[\w.-]+)?\.ya?ml$/,
  /^(?:mkdocs|pnpm-workspace|codecov|dependabot|_config|pubspec|azure-pipelines)\.ya?ml$/,
  /\.code-workspace$/,
];

/** Whether a file is settings by its name. */
export function isSettings(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return SETTINGS.some((pattern) => pattern.test(name));
}
