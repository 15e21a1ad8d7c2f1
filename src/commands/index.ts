import type { CommandRow } from "../command.js";
import { DATA_OPTION, PORT_OPTION, URL_OPTION, WORKERS_OPTION } from "../command.js";

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
    examples: ["pinakes status", "pinakes status --url http://127.0.0.1:9201"],
    options: [URL_OPTION, DATA_OPTION],
    load: async () => (await import("./status.js")).runStatus,
  },
  {
    name: "autoindex",
    args: "<folder...>",
    summary: "bring the index up to date with folders",
    examples: ["pinakes autoindex ~/my-project", "pinakes autoindex . --url https://cluster:9200"],
    options: [URL_OPTION, DATA_OPTION, WORKERS_OPTION],
    load: async () => (await import("./autoindex.js")).runAutoindex,
  },
  {
    name: "mcp",
    summary: "serve the tools for coding agents (Model Context Protocol over stdio)",
    examples: ["claude mcp add pinakes -- npx pinakes mcp", "pinakes mcp --url http://127.0.0.1:9201"],
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
