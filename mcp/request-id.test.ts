import { expect, test } from "vitest";
import { idAsWritten, idFault } from "./request-id.js";

test.each(['{"id":1}', '{"id":"1.5"}', '{"id":-9007199254740991}', '{"method":"x"}', "[]", "5", "null"])(
  "%s has an id to answer to, or none",
  (text) => expect(idFault(JSON.parse(text), text)).toBeUndefined(),
);

test.each([
  [
    '{"id":9007199254740993}',
    "the id 9007199254740993 is none: an id is a string or a whole number up to 2^53 - 1; send",
  ],
  ['{"params":{"id":3},"id" : -12345678901234567890}', "the id -12345678901234567890 is none"],
  ['{"id":1e400}', "the id 1e400 is none: an id is a string or a whole number up to 2^53 - 1; send larger ones"],
  ['{"id":1.5}', "the id 1.5 is none: an id is a string or a whole number"],
  ['{"id":true}', "the id true is none"],
  ['{"id":null}', "the id null is none"],
  ['{"id":{}}', "the id {} is none"],
  ['{"id":[]}', "the id [] is none"],
  ['[{"id":1},{"id":[2]}]', "the id [2] is none"],
])("%s has none, and is told so", (text, fault) => {
  expect(idFault(JSON.parse(text), text)?.slice(0, fault.length)).toBe(fault);
});

test("a long id is cut where it is named", () => {
  const text = JSON.stringify({ id: ["x".repeat(200)] });
  expect(idFault(JSON.parse(text), text)).toMatch(/^the id \["x{78}… is none/);
});

test.each([
  ['{"id":9007199254740993}', "9007199254740993"],
  ['{"id":"a"}', '"a"'],
  ['{"id":1.50}', "1.50"],
  ['{"id":{}}', "null"],
  ["5", "null"],
])("the id of %s is answered as %s", (text, id) => expect(idAsWritten(JSON.parse(text), text)).toBe(id));
