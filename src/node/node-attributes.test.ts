import { expect, test } from "vitest";
import { nodeAttributes } from "./node-attributes.js";

test("attributes are read as names and values", () => {
  expect(nodeAttributes(["rack=r1", "zone=a=b", "empty="])).toEqual({ rack: "r1", zone: "a=b", empty: "" });
});

test("one without a name is refused", () => {
  expect(() => nodeAttributes(["rack"])).toThrow("--attr rack: an attribute is written name=value");
  expect(() => nodeAttributes(["=r1"])).toThrow("--attr =r1");
});
