import { describe, expect, test } from "vitest";
import { formatLocator, parseLocator } from "./locator.js";
import { parseQuery } from "./query.js";
import { isRouteName, routeNames, routePath } from "./routes.js";
import { toSearch } from "./to-search.js";

describe("a route's name", () => {
  test.each([
    ["/users/:id", "/users/:id"],
    ["GET /robots.txt", "/robots.txt"],
    ["setup.GET /users/{id}", "/users/{id}"],
    ["Users.one./users", "/users"],
    ["Server.start", undefined],
    ["src/server", undefined],
    ["Server::start", undefined],
  ])("%s has the path %s", (name, path) => {
    expect(routePath(name)).toBe(path);
    expect(isRouteName(name)).toBe(path !== undefined);
  });

  test("is the path alone or after a method", () => {
    expect(routeNames("/a")).toEqual(expect.arrayContaining(["/a", "GET /a", "DELETE /a"]));
    expect(routeNames("a")).toEqual(["a"]);
  });

  test.each(["GET /users/:id", "setup.GET /a b/{x:[0-9]+}#c", "/50%/*"])("%s survives a locator", (qualifiedName) => {
    const locator = { path: "a.js", startLine: 1, endLine: 2, qualifiedName };
    const hashes = { blob: "0123456789ab", span: "ba9876543210" };
    expect(parseLocator(formatLocator({ ...locator, ...hashes }))).toEqual({ ...locator, ...hashes });
  });
});

describe("a search for a route", () => {
  const searched = (query: string) =>
    JSON.stringify(toSearch(parseQuery(query), { from: 0, size: 1, words: "all" }).query);

  test.each(["def:/a/b.txt", "/a/b.txt", "sym:/a/b.txt"])("%s looks for it under each method", (query) => {
    expect(searched(query)).toContain('"GET /a/b.txt"');
    expect(searched(query)).toContain('"PATCH /a/b.txt"');
  });

  test("takes a method before the path", () => {
    expect(searched("post /a")).toContain('"POST /a"');
    expect(searched("post a")).not.toContain('"POST a"');
  });

  test("takes stars in a path", () => {
    expect(searched("def:/a/*")).toContain('{"prefix":{"name":"GET /a/"}}');
  });

  test("takes a whole name with its container", () => {
    expect(searched('def:"setup.GET /a"')).toContain('{"term":{"qualified_name":"setup.GET /a"}}');
  });
});
