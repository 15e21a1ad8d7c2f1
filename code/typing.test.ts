import { describe, expect, it } from "vitest";
import { toTypingSearch } from "./typing.js";

const filterOf = (typed: string, repo?: string) => {
  const body = toTypingSearch(typed, { size: 10, ...(repo && { repo }) });
  return (body?.query as { bool: { filter: unknown[] } } | undefined)?.bool.filter;
};
const beginning = (word: string) => ({ prefix: { "name.text": word } });
const whole = (query: string) => ({ match: { "name.text": { query, operator: "and" } } });

describe("a search as one types", () => {
  it("takes the last word as a beginning and those before it whole, whatever stands between", () => {
    expect(filterOf("r")).toEqual([beginning("r")]);
    expect(filterOf(" readTim")).toEqual([beginning("readtim")]);
    expect(filterOf("read tim")).toEqual([whole("read"), beginning("tim")]);
    expect(filterOf("Server.sta")).toEqual([whole("server"), beginning("sta")]);
    expect(filterOf("größ")).toEqual([beginning("größ")]);
  });

  it("asks nothing where nothing is typed", () => {
    for (const typed of ["", "  ", ".("]) expect(toTypingSearch(typed, { size: 10 })).toBeUndefined();
  });

  it("stays in one repository where one is given, counts nothing and fetches little", () => {
    expect(filterOf("a", "lib")).toContainEqual({ term: { repo: "lib" } });
    expect(toTypingSearch("a", { size: 7 })).toMatchObject({ size: 7, track_total_hits: false });
    expect(toTypingSearch("a", { size: 7 })?._source).not.toContain("code");
  });
});
