import { expect, test } from "vitest";
import { declared } from "../testing/outline.js";

const POINTERS = `static void (*on_full)(size_t) = none;
int (*hook)(int a, char *b);
void *(*allocate)(size_t);
extern int (*table[])(void);
static int (*steps[4])(int) = { one, two };
typedef int (*callback)(void *data);
typedef void *(*maker)(size_t n);
void run(void) { int (*local)(int) = 0; local(1); }
`;

test.each(["a.c", "a.cpp"])("pointers to functions are declared by their names, in %s", async (path) => {
  expect(await declared(path, POINTERS)).toEqual([
    "variable on_full 1-1",
    "variable hook 2-2",
    "variable allocate 3-3",
    "variable table 4-4",
    "variable steps 5-5",
    "type callback 6-6",
    "type maker 7-7",
    "function run 8-8",
  ]);
});
