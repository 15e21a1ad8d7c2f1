const SEPARATORS = /::|#|->|\//g;

/** A container path with `.` between its names: `Server::start` and `Server#start` give `Server.start`. */
export function dottedName(written: string): string {
  return written.replace(SEPARATORS, ".");
}

/** The last name of a container path: `Server::start` gives `start`; a path that ends in a separator gives all of it. */
export function ownName(written: string): string {
  const dotted = dottedName(written);
  return dotted.slice(dotted.lastIndexOf(".") + 1) || written;
}
