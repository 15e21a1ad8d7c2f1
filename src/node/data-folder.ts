import { homedir } from "node:os";
import path from "node:path";

/**
 * The data folder of a command: `--data`, else PINAKES_DATA, else the platform's place for a program's data
 * (XDG base directory specification; Library/Application Support on macOS, LOCALAPPDATA on Windows).
 */
export function resolveDataFolder(option: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  if (option) return path.resolve(option);
  if (env.PINAKES_DATA) return path.resolve(env.PINAKES_DATA);
  return path.join(platformDataHome(env), "pinakes");
}

function platformDataHome(env: NodeJS.ProcessEnv): string {
  if (process.platform === "darwin") return path.join(homedir(), "Library", "Application Support");
  if (process.platform === "win32") return env.LOCALAPPDATA ?? path.join(homedir(), "AppData", "Local");
  // The specification says that a relative XDG path is to be ignored.
  if (env.XDG_DATA_HOME && path.isAbsolute(env.XDG_DATA_HOME)) return env.XDG_DATA_HOME;
  return path.join(homedir(), ".local", "share");
}
