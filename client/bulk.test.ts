import { expect, test } from "vitest";
import { bulkBody, parseBulkAnswer, splitOperations } from "./bulk.js";

test("operations are cut with their documents; a delete has none", () => {
  const lines = [
    '{"index":{}}\n{"a":1}\n',
    '{"delete":{"_id":"1"}}\n',
    '{ "update":{"_id":"2"}}\n{"doc":{"delete":1}}\n',
  ];
  expect(splitOperations(bulkBody(lines.join(""))).map(String)).toEqual(lines);
});

test("blank lines are passed over, the last newline is added", () => {
  expect(splitOperations(bulkBody('\n{"index":{}}\n{}\n\n{"delete":{}}')).map(String)).toEqual([
    '{"index":{}}\n{}\n',
    '{"delete":{}}\n',
  ]);
});

test("failed and refused items are told apart", () => {
  const items = [
    { index: { _id: "a", status: 201 } },
    { index: { _id: "b", status: 429, error: { type: "es_rejected_execution_exception", reason: "full" } } },
    { index: { _id: "c", status: 400, error: { type: "document_parsing_exception", reason: "no" } } },
    { delete: { _id: "d", status: 404, result: "not_found" } },
  ];
  expect(parseBulkAnswer(JSON.stringify({ errors: true, items }))).toEqual({
    count: 4,
    refused: [1],
    failures: [
      { position: 2, id: "c", status: 400, type: "document_parsing_exception", reason: "no" },
      { position: 3, id: "d", status: 404, type: "not_found", reason: "" },
    ],
  });
});

test("an answer that says `errors: false` is not searched for failures", () => {
  const items = [{ delete: { _id: "d", status: 404, result: "not_found" } }];
  expect(parseBulkAnswer(JSON.stringify({ errors: false, items })).failures).toEqual([]);
});

test("an answer without errors is read no further, in whatever order it says so", () => {
  const items = ["a", '"status":'].map((_id) => ({ index: { _id, status: 201 } }));
  const answers = [
    { took: 3, errors: false, items },
    { errors: false, took: 3, items },
    { errors: false, items },
  ];
  for (const answer of answers) {
    expect(parseBulkAnswer(JSON.stringify(answer))).toEqual({ count: undefined, failures: [], refused: [] });
  }
});

test("an answer without items is refused", () => {
  expect(() => parseBulkAnswer("{}")).toThrow(/has no items/);
});
