/** What each kind of job is done by. A kind that is not here is refused by name. */
import type { HandlerTable } from "../handler.js";
import { build } from "./build.js";
import { merge } from "./merge.js";
import { prepare } from "./prepare.js";
import { count, search } from "./search.js";

/** The engine's handlers, by kind. */
export const handlers: HandlerTable = { search, count, prepare, build, merge };
