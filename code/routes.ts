/** Methods that a route's name may begin with. */
export const ROUTE_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** The end of a route's name, after its container or method or alone: `/users`, `GET /users`, `setup.GET /users`. */
const PATH = /(?:^|\.|\b[A-Z]+ )(\/.*)$/;

/** Whether a text that names something names a route: its slashes and dots are then part of the name. */
export function isRouteName(text: string): boolean {
  return PATH.test(text);
}

/** The path in a route's name, qualified or not; undefined where it is no route's. */
export function routePath(name: string): string | undefined {
  return PATH.exec(name)?.[1];
}

/** Names under which a path may be declared: the path alone, and after each method. Other texts stand for themselves. */
export function routeNames(text: string): string[] {
  return text.startsWith("/") ? [text, ...ROUTE_METHODS.map((method) => `${method} ${text}`)] : [text];
}
