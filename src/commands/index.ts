import type { CommandRow } from "../command.js";
import { DATA_OPTION, HIDDEN_OPTION, PORT_OPTION, URL_OPTION, WORKERS_OPTION } from "../command.js";

/** All commands, in the order `--help` shows them. A command's code is loaded when it runs, so that each starts fast. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "up",
    args: "<folder...>",
    summary: "start a node (or join the one that runs), index folders, keep serving",
    examples: ["pinakes up ~/my-project", "pinakes up ~/a ~/b --detach", "pinakes up . --data ./index --port 9201"],
    options: [
      DATA_OPTION,
      PORT_OPTION,
      WORKERS_OPTION,
      HIDDEN_OPTION,
      { flag: "--detach", help: "return when indexed and leave the node running (pinakes stop ends it)" },
    ],
    load: async () => (await import("./up.js")).runUp,
  },
  {
    name: "search",
    args: "<query...>",
    summary: "search code: path:line: text, the definition first",
    examples: [
      'pinakes search "read timeout"',
      "pinakes search def:parseOptions",
      "pinakes search 'lang:python kind:class path:src/* -class:test session'",
    ],
    options: [URL_OPTION, DATA_OPTION, { flag: "--limit", value: "n", help: "declarations to show", default: "10" }],
    load: async () => (await import("./search.js")).runSearch,
  },
  {
    name: "status",
    summary: "show the node, the folders it holds, and what was left out and why",
    examples: ["pinakes status", "pinakes status --skipped", "pinakes status --reason too_large"],
    options: [
      URL_OPTION,
      DATA_OPTION,
      { flag: "--skipped", help: "list every path that was left out, with its reason" },
      { flag: "--reason", value: "reason", help: "list only what was left out for this reason" },
    ],
    load: async () => (await import("./status.js")).runStatus,
  },
  {
    name: "why",
    args: "<path...>",
    summary: "say whether a path is in the index, and if not, why",
    examples: ["pinakes why build/output.js", "pinakes why .env node_modules"],
    options: [URL_OPTION, DATA_OPTION],
    load: async () => (await import("./why.js")).runWhy,
  },
  {
    name: "autoindex",
    args: "<folder...>",
    summary: "bring the index up to date with folders",
    examples: ["pinakes autoindex ~/my-project", "pinakes autoindex . --url https://cluster:9200"],
    options: [URL_OPTION, DATA_OPTION, WORKERS_OPTION, HIDDEN_OPTION],
    load: async () => (await import("./autoindex.js")).runAutoindex,
  },
  {
    name: "remove",
    args: "<folder...>",
    summary: "take folders out of the index; the files themselves stay",
    examples: ["pinakes remove ~/old-project"],
    options: [URL_OPTION, DATA_OPTION],
    load: async () => (await import("./remove.js")).runRemove,
  },
  {
    name: "mcp",
    summary: "serve the tools for coding agents (Model Context Protocol over stdio)",
    examples: ["claude mcp add pinakes -- node /path/to/pinakes/bin/pinakes.js mcp", "pinakes mcp --data ./index"],
    options: [URL_OPTION, DATA_OPTION],
    load: async () => (await import("./mcp.js")).runMcp,
  },
  {
    name: "serve",
    summary: "run a node in the foreground",
    examples: ["pinakes serve", "pinakes serve --data ./index --port 9201"],
    options: [
      DATA_OPTION,
      PORT_OPTION,
      { flag: "--host", value: "address", help: "address to bind; loopback only", default: "127.0.0.1" },
    ],
    load: async () => (await import("./serve.js")).runServe,
  },
  {
    name: "stop",
    summary: "stop the node of the data folder",
    examples: ["pinakes stop", "pinakes stop --data ./index"],
    options: [DATA_OPTION],
    load: async () => (await import("./stop.js")).runStop,
  },
];
