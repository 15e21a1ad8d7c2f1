import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PARAMETERS } from "../parameters.js";
import { joinRows, ROW_FILES } from "./index.js";
import { compatibilityPage } from "./page.js";
import { router } from "./router.js";
import { endpoint } from "./row.js";

const rows = joinRows([]);

describe("the endpoint table", () => {
  test.each(Object.entries(ROW_FILES))("%s is sorted by name", (_file, fileRows) => {
    const names = fileRows.map((row) => row.name);
    expect(names).toEqual([...names].sort());
  });

  test("every method and path has one row for each identity", () => {
    const pairs = rows.map((row) => `${row.method} ${row.path}`);
    expect(pairs).toEqual([...new Set(pairs)]);
  });

  test("every parameter of a row is in the parameter table", () => {
    const named = new Set(rows.flatMap((row) => row.parameters));
    expect([...named].filter((name) => !Object.hasOwn(PARAMETERS, name))).toEqual([]);
  });

  test("every parameter of the table is accepted by some row", () => {
    const named = new Set<string>(rows.flatMap((row) => row.parameters));
    const common = ["error_trace", "filter_path", "format", "human", "pretty", "source", "source_content_type"];
    expect(Object.keys(PARAMETERS).filter((name) => !named.has(name) && !common.includes(name))).toEqual([]);
  });

  test("a partial row says what is missing, a full one has nothing to say", () => {
    expect(rows.filter((row) => (row.missing === "") !== (row.status === "full")).map((row) => row.name)).toEqual([]);
  });

  test("a second row for the same method and path is refused, naming both files", () => {
    const again = endpoint("again", "GET /_cat/health", {
      status: "full",
      missing: "",
      parameters: [],
      body: "none",
      privilege: "monitor",
      handler: () => {
        throw new Error("never called");
      },
    });
    expect(() => joinRows(again)).toThrow("two rows answer GET /_cat/health: one of cat.ts, one of further rows");
  });

  test("docs/compatibility.md is fresh (else: node scripts/compatibility.mjs)", () => {
    expect(readFileSync(new URL("../../docs/compatibility.md", import.meta.url), "utf8")).toBe(compatibilityPage());
  });
});

describe("routes", () => {
  const find = (method: string, path: string) => router(rows).find(method, path, "es8");

  test("a literal segment goes before a placeholder", () => {
    expect(find("GET", "/_search/scroll").row.name).toBe("scroll");
    expect(find("GET", "/logs/_search").captured).toEqual({ index: "logs" });
    expect(find("GET", "/_nodes/stats").row.name).toBe("nodes.stats");
    expect(find("GET", "/_nodes/_local").row.name).toBe("nodes.info");
  });

  test("placeholders are decoded one by one", () => {
    expect(find("GET", "/a%2Cb/_doc/x%2Fy").captured).toEqual({ index: "a,b", id: "x/y" });
  });

  test("a slash at the end changes nothing", () => {
    expect(find("GET", "/_cat/indices/").row.name).toBe("cat.indices");
  });

  test("an identity sees its own routes of points in time", () => {
    expect(router(rows).find("POST", "/i/_search/point_in_time", "os2").row.name).toBe("create_pit");
    expect(() => find("POST", "/i/_search/point_in_time")).toThrow("Incorrect HTTP method");
  });

  test("a name that begins with an underscore is no index", () => {
    expect(() => find("GET", "/_nothing/_search")).toThrow(
      "no handler found for uri [/_nothing/_search] and method [GET]",
    );
    expect(find("GET", "/_all/_search").captured).toEqual({ index: "_all" });
  });
});
