import { describe, expect, it } from "vitest";
import { minimumShouldMatch } from "./minimum-should-match.js";

describe("minimumShouldMatch", () => {
  it.each([
    ["2", 5, 2],
    ["7", 5, 7],
    ["-1", 5, 4],
    ["-7", 5, 0],
    ["75%", 4, 3],
    ["75%", 3, 2],
    ["-25%", 4, 3],
    ["-25%", 3, 3],
    ["100%", 3, 3],
    ["2<75%", 2, 2],
    ["2<75%", 4, 3],
    ["2<-25% 9<-3", 1, 1],
    ["2<-25% 9<-3", 8, 6],
    ["2<-25% 9<-3", 12, 9],
    ["3 < 90%", 10, 9],
  ])("reads %s of %i clauses as %i", (spec, optional, expected) => {
    expect(minimumShouldMatch(spec, optional)).toBe(expected);
  });

  it("refuses what it cannot read, naming it", () => {
    expect(() => minimumShouldMatch("many", 3)).toThrow("minimum_should_match [many] cannot be read");
  });
});
