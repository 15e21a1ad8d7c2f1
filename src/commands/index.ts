import type { CommandRow } from "../command.js";
import { AUTOINDEX } from "./autoindex.js";
import { MCP } from "./mcp.js";
import { SEARCH } from "./search.js";
import { SERVE } from "./serve.js";
import { STATUS } from "./status.js";
import { STOP } from "./stop.js";
import { UP } from "./up.js";

/** All commands, in the order `--help` shows them. */
export const COMMANDS: readonly CommandRow[] = [UP, SEARCH, STATUS, AUTOINDEX, MCP, SERVE, STOP];
