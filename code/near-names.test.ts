import { describe, expect, test } from "vitest";
import { editDistance, nearest } from "./edit-distance.js";
import { rankNearNames, toNearNamesSearch } from "./near-names.js";

describe("edit distance", () => {
  test.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["abc", "abd", 1],
    ["abc", "acb", 1],
    ["abc", "ab", 1],
    ["kitten", "sitting", 3],
    ["abcdef", "uvwxyz", 4],
    ["a", "abcdefgh", 4],
  ])("%s to %s is %d, counted up to 3", (a, b, distance) => {
    expect(editDistance(a, b, 3)).toBe(distance);
    expect(editDistance(b, a, 3)).toBe(distance);
  });

  test("nearest first, nothing that is too far", () => {
    expect(nearest("timout", ["time", "timeouts", "Timeout", "timer", "handler"], 3)).toEqual(["Timeout", "timeouts"]);
  });
});

describe("near names", () => {
  test("are looked for by the parts of the wanted name and by how these start", () => {
    expect(toNearNamesSearch(["readTimout"])).toMatchObject({
      query: {
        bool: {
          should: [
            { match: { "name.text": { query: "read timout" } } },
            { prefix: { "name.text": "rea" } },
            { prefix: { "name.text": "tim" } },
          ],
        },
      },
    });
    expect(toNearNamesSearch(["="])).toBeUndefined();
  });

  test("are ranked by distance, then by shared parts", () => {
    const names = ["write", "readAll", "readTimeout", "readTimeout", "Timeouts"];
    expect(rankNearNames(["readTimout"], names, 5)).toEqual(["readTimeout", "readAll"]);
    expect(rankNearNames(["Server.redAll"], names, 2)).toEqual(["readAll"]);
  });
});
