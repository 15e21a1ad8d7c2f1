import { isRouteName } from "./routes.js";

const SEPARATORS = /::|#|->|\//g;

/** A container path with `.` between its names: `Server::start` and `Server#start` give `Server.start`. */
export function dottedName(written: string): string {
  return written.replace(SEPARATORS, ".");
}

/** The last name of a container path: `Server::start` gives `start`; a path that ends in a separator gives all of it, and so does a route. */
export function ownName(written: string): string {
  if (isRouteName(written)) return written;
  const dotted = dottedName(written);
  return dotted.slice(dotted.lastIndexOf(".") + 1) || written;
}
