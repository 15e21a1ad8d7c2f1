/** What a run says: totals, reasons of skips, folders; a JUnit file; the list of passing cases that only grows. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Verdict } from "./run-case.js";

const SLOW_MS = 10_000;

/** One line a case in lists: file and name, which may hold anything but a tab and a line feed. */
export function caseKey({ file, name }: Pick<Verdict, "file" | "name">): string {
  return `${file}\t${name.replace(/[\t\n]/g, " ")}`;
}

/** Lines that sum up a run. */
export function summary(verdicts: readonly Verdict[]): string[] {
  const count = (status: Verdict["status"]) => verdicts.filter((one) => one.status === status).length;
  const slow = verdicts.filter(({ ms }) => ms > SLOW_MS);
  return [
    ...folderLines(verdicts),
    "",
    ...reasonLines(verdicts),
    ...slow.map((one) => `slower than ${SLOW_MS / 1000} s: ${one.file}: ${one.name} (${(one.ms / 1000).toFixed(1)} s)`),
    `${count("pass")} passed, ${count("fail")} failed, ${count("skip")} skipped, ${count("crash")} without an answer, ` +
      `${slow.length} slower than ${SLOW_MS / 1000} s`,
  ];
}

function folderLines(verdicts: readonly Verdict[]): string[] {
  const folders = grouped(verdicts, ({ file }) => path.posix.dirname(file));
  return [...folders].map(([folder, own]) => {
    const passed = own.filter(({ status }) => status === "pass").length;
    const skipped = own.filter(({ status }) => status === "skip").length;
    return `${String(passed).padStart(4)} of ${String(own.length - skipped).padStart(4)}  ${folder}${skipped > 0 ? ` (${skipped} skipped)` : ""}`;
  });
}

function reasonLines(verdicts: readonly Verdict[]): string[] {
  const skipped = verdicts.filter(({ status }) => status === "skip");
  return [...grouped(skipped, ({ reason }) => reason)].map(([reason, own]) => `${own.length} skipped: ${reason}`);
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** JUnit's XML, which CI systems read. */
export function junit(verdicts: readonly Verdict[]): string {
  const cases = verdicts.map((one) => {
    const inner =
      one.status === "pass"
        ? ""
        : one.status === "skip"
          ? `<skipped message="${escaped(one.reason)}"/>`
          : `<failure message="${escaped(one.reason)}"/>`;
    const time = (one.ms / 1000).toFixed(3);
    return `  <testcase classname="${escaped(one.file)}" name="${escaped(one.name)}" time="${time}">${inner}</testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="conformance" tests="${verdicts.length}">\n${cases.join("\n")}\n</testsuite>\n`;
}

function escaped(text: string): string {
  const control = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g;
  return text.replace(control, "?").replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Cases that passed before, as they are listed in a file. */
export function readFloor(file: string): Set<string> {
  if (!existsSync(file)) return new Set();
  return new Set(readFileSync(file, "utf8").split("\n").filter(Boolean));
}

/** Cases of the floor that were run and did not pass. */
export function fallen(verdicts: readonly Verdict[], floor: ReadonlySet<string>): Verdict[] {
  return verdicts.filter((one) => one.status !== "pass" && floor.has(caseKey(one)));
}

/** Adds what passed to the list; nothing ever leaves it. Returns how many were added. */
export function raiseFloor(file: string, verdicts: readonly Verdict[]): number {
  const floor = readFloor(file);
  const before = floor.size;
  for (const one of verdicts) if (one.status === "pass") floor.add(caseKey(one));
  writeFileSync(file, `${[...floor].sort().join("\n")}\n`);
  return floor.size - before;
}
