import { ROUTE_METHODS } from "../../code/index.js";

/** Longest name kept: a longer one is no path that people write. */
const MAX_NAME = 200;

/** A route as it is written: literals and symbols with their quotes and marks. */
export interface WrittenRoute {
  path: string;
  /** What says the method: `get`, `GetMapping`, `MapGet`, `"POST"`, `RequestMethod.PUT`; nothing where nothing does. */
  verb?: string;
  /** Path that this one goes on from: that of the class. */
  base?: string;
}

/** A route's name: `GET /users/:id`; the path alone where no one method is said. Paths begin with a slash. */
export function routeName({ path, verb = "", base = "" }: WrittenRoute): string {
  const [, ownMethod = "", own = ""] = /^(?:([A-Z]+)\s+)?([\s\S]*)$/.exec(literal(path)) ?? [];
  const method = ownMethod || methodOf(verb);
  const whole = base === "" ? rooted(own) : joined(rooted(literal(base)), own);
  return `${method === "" ? "" : `${method} `}${whole}`.slice(0, MAX_NAME);
}

/** What stands before or behind a method's name in the frameworks' words. */
const AFFIXES = /^(?:.*\.|Http|Map|add_|Method)|Mapping$/g;

function methodOf(verb: string): string {
  const method = literal(verb).replace(AFFIXES, "").toUpperCase();
  if (method === "DEL") return "DELETE";
  return ROUTE_METHODS.find((known) => known === method) ?? "";
}

/** A literal's content, of whatever prefix (`r"..."`, `@"..."`), in brackets or not, or a symbol's (`:users`). */
function literal(bracketed: string): string {
  const written = bracketed.replace(/^\((.*)\)$/s, "$1");
  const [, quoted] = /^[A-Za-z@$]{0,2}#?(?:"""|["'`])([\s\S]*?)(?:"""|["'`])#?$/.exec(written) ?? [];
  return (quoted ?? written.replace(/^:/, "")).replace(/\s+/g, " ").trim();
}

/** Regular expressions, hosts (`example.com/a`) and templates stay as they are written, but for the slash. */
function rooted(path: string): string {
  return /^[/^~*]/.test(path) ? path : `/${path}`;
}

/** A path after another; `~/a` says that the other does not count (ASP.NET). */
function joined(base: string, path: string): string {
  if (path.startsWith("~/")) return path.slice(1);
  const tail = path.replace(/^\/+/, "");
  return tail === "" ? base : `${base.replace(/\/+$/, "")}/${tail}`;
}
