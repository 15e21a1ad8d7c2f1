import { expect, test } from "vitest";
import { readFindings, table } from "./flows.js";

test("lines of programs are read, other lines are left", () => {
  expect(readFindings("create\tok\t\nWARNING: something\nbulk\tfailed\tno answer\nnonsense\tok\t\n")).toEqual([
    { flow: "create", outcome: "ok", why: "" },
    { flow: "bulk", outcome: "failed", why: "no answer" },
  ]);
});

test("the table shows each flow that some client went through, and says why one did not go well", () => {
  const printed = table([
    { client: "one 8", findings: readFindings("create\tok\t\nbulk\trefused\tnot there"), notRun: undefined },
    { client: "another", findings: readFindings("create\tfailed\tno answer"), notRun: undefined },
    { client: "absent", findings: [], notRun: "there is no go here" },
  ]);
  expect(printed.split("\n")).toEqual([
    "client   create   bulk",
    "one 8    ok       refused",
    "another  failed   -",
    "absent   not run  not run",
    "one 8: bulk refused: not there",
    "another: create failed: no answer",
    "absent: NOT RUN: there is no go here",
  ]);
});
