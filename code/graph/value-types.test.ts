import { expect, test } from "vitest";
import { typesOfValue } from "./value-types.js";

test.each<[string, string[]]>([
  ["(db: Store, x: number) {", ["Store"]],
  ["(db?: Store)", ["Store"]],
  ["(db: &mut Store)", ["Store"]],
  ["(db *store.Mem, x int) error {", ["Mem"]],
  ["(x int, db Store) {", ["Store"]],
  ["(Store db) {", ["Store"]],
  ["(const Store &db) {", ["Store"]],
  ["  const db = new Store(1);", ["Store"]],
  ["  db := &Mem{}", ["Mem"]],
  ["  let mut db = Store::open(x);", ["Store", "open"]],
  ["db = Store()", ["Store"]],
  ["return db;", []],
  ["  other.db = new Store();", []],
  ["for (const db of all) {", []],
  ["(mydb Other, db Store, dbs Third) {", ["Store"]],
  ["(List<String> db, Set<Map<a, b>> x) {", ["List"]],
  ["  db = Store()\n  db = Other()", ["Store", "Other"]],
])("%s", (code, expected) => {
  expect(typesOfValue(code, "db")).toEqual(expected);
});
