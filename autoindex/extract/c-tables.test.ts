import { expect, it } from "vitest";
import { declared } from "../testing/outline.js";
import { blankTables } from "./c-tables.js";

const TABLE = `static const struct command all[] = {
${"  CMD( ONE(1), S, !F, .bits = {{ .a = 1, .b = ]( }}, ),\n".repeat(30)}};

static int after(void)
{
  return 1;
}
`;

it("keeps every offset and what is around the table", () => {
  const blanked = blankTables(TABLE);
  expect(blanked).toHaveLength(TABLE.length);
  expect(blanked.replace(/\s+/g, " ")).toBe(
    "static const struct command all[] = { }; static int after(void) { return 1; } ",
  );
});

it("a table that cannot be read does not hide what follows it", async () => {
  expect(await declared("a.c", TABLE)).toEqual(["variable all 1-32", "function after 34-37"]);
});
