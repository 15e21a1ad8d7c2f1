/** One option of a command. `value` names its argument, `name...` several; without it the option is a switch. */
export interface OptionRow {
  flag: string;
  value?: string;
  help: string;
  default?: string;
}

/** What a command is called with: positional arguments, then options by camel-cased name. */
export interface Invocation {
  args: string[];
  options: Record<string, string | string[] | boolean | undefined>;
}

/** One row of the command line: everything that `--help` shows, and where its code is. */
export interface CommandRow {
  name: string;
  /** Positional arguments as commander writes them: `<query...>`, `[folder]`. */
  args?: string;
  summary: string;
  /** Shown below the options: how to use it, one example a line. */
  examples: string[];
  options: OptionRow[];
  /** Exit status when it fails, unless 1: for commands that say with 1 that nothing was found. */
  failureStatus?: number;
  /** Loads the command's code; what it gives returns the exit status. */
  load(): Promise<(call: Invocation) => Promise<number>>;
}

/** A fault of the one who typed: printed without a stack, exit status 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

export const DATA_OPTION: OptionRow = {
  flag: "--data",
  value: "dir",
  help: "data folder (default: PINAKES_DATA, else your platform's data folder)",
};
export const URL_OPTION: OptionRow = {
  flag: "--url",
  value: "url",
  help: "node to talk to (default: PINAKES_URL, else the node of the data folder, else http://127.0.0.1:9200)",
};
export const MEMORY_OPTION: OptionRow = {
  flag: "--memory",
  value: "size",
  help: "memory the node stays within, such as 512m or 2g (default: PINAKES_MEMORY, else half of what there is, at most 4g)",
};
/** Without a default of the parser's: whoever names a port is told when that changes nothing. */
export const PORT_OPTION: OptionRow = { flag: "--port", value: "n", help: "port to listen on (default: 9200)" };
export const WORKERS_OPTION: OptionRow = {
  flag: "--workers",
  value: "n",
  help: "processes that read source files (default: one per core, at most 8)",
};

export const JSON_OPTION: OptionRow = { flag: "--json", help: "print what is found as JSON" };

export const HIDDEN_OPTION: OptionRow = {
  flag: "--hidden",
  help: "index files and folders whose names begin with a dot too (.git never is)",
};

export const WATCH_OPTION: OptionRow = {
  flag: "--watch",
  help: "go on: what changes in the folders is searchable at once, until Ctrl-C",
};
export const GIT_OPTIONS: readonly OptionRow[] = [
  {
    flag: "--branches",
    value: "names",
    help: "git branches to index beside the folder: all, none, or names and patterns, comma-separated (default: as the last time, at first none)",
  },
  {
    flag: "--history",
    value: "n",
    help: "git commits to make searchable: how many of the latest, all, or none (default: as the last time, at first 1000)",
  },
];

/** The text of a value option, undefined when it was not given. */
export function text(call: Invocation, name: string): string | undefined {
  const value = call.options[name];
  return typeof value === "string" ? value : undefined;
}

/** The texts of an option that takes several, `value: "name..."`; none when it was not given. */
export function texts(call: Invocation, name: string): string[] {
  const value = call.options[name];
  return Array.isArray(value) ? value : [];
}

/** A whole number within bounds, or a UsageError that names the option. */
export function wholeNumber(call: Invocation, name: string, range: { min: number; max: number }): number | undefined {
  const value = text(call, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < range.min || number > range.max) {
    throw new UsageError(`${flagOf(name)} takes a whole number from ${range.min} to ${range.max}, not "${value}"`);
  }
  return number;
}

/** The flag as it is typed: `--after-context` of `afterContext`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
