import { describe, expect, it } from "vitest";
import { routeName } from "./route-name.js";

describe("the name of a route", () => {
  const cases: [written: Parameters<typeof routeName>[0], name: string][] = [
    [{ path: '"/users"' }, "/users"],
    [{ path: "'/users/:id'", verb: "get" }, "GET /users/:id"],
    [{ path: "`/users`", verb: "del" }, "DELETE /users"],
    [{ path: 'r"/users"', verb: '"POST"' }, "POST /users"],
    [{ path: '"POST /users"', verb: "HandleFunc" }, "POST /users"],
    [{ path: '"/users"', verb: "route" }, "/users"],
    [{ path: '"/users"', verb: "GetMapping" }, "GET /users"],
    [{ path: '"/users"', verb: "RequestMapping" }, "/users"],
    [{ path: '@"users"', verb: "HttpPatch" }, "PATCH /users"],
    [{ path: '"/users"', verb: "MapPut" }, "PUT /users"],
    [{ path: '"/users"', verb: "MethodHead" }, "HEAD /users"],
    [{ path: '"/users"', verb: "add_options" }, "OPTIONS /users"],
    [{ path: ":users" }, "/users"],
    [{ path: '""' }, "/"],
    [{ path: 'r"^users/$"' }, "^users/$"],
    [{ path: '"{id}"', base: '"users"', verb: "Get" }, "GET /users/{id}"],
    [{ path: '"/{id}"', base: '"/users/"' }, "/users/{id}"],
    [{ path: '""', base: '"/users"' }, "/users"],
    [{ path: '"~/all"', base: '"/users"' }, "/all"],
    [{ path: '"/a  b"' }, "/a b"],
  ];
  it.each(cases)("%j is %s", (written, name) => {
    expect(routeName(written)).toBe(name);
  });

  it("has an end", () => {
    expect(routeName({ path: `"/${"a".repeat(1000)}"` })).toHaveLength(200);
  });
});
