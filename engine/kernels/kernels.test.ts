import { describe, expect, it } from "vitest";
import { codeWordsCases } from "./code-words.cases.js";
import { crcCases } from "./crc32c.cases.js";
import { followShapeCases } from "./follow-shape.cases.js";
import { gramsCases } from "./grams.cases.js";
import { hashCases } from "./hash.cases.js";
import { jsonTextCases } from "./json-text.cases.js";
import { loadKernels, twinKernels } from "./load.js";
import { lz4Cases } from "./lz4.cases.js";
import { matchesCases } from "./matches.cases.js";
import { packCases } from "./pack.cases.js";
import { phraseCases } from "./phrase.cases.js";
import { postingsCases } from "./postings.cases.js";
import { rangeCases } from "./range.cases.js";
import { scanLinesCases } from "./scan-lines.cases.js";
import { scoreCases } from "./score.cases.js";
import { similarityCases } from "./similarity.cases.js";
import { slotCases } from "./slot.cases.js";
import { CaseMemory } from "./testing.js";
import { tokenizeCases } from "./tokenize.cases.js";

const CASES = [
  ...hashCases,
  ...tokenizeCases,
  ...codeWordsCases,
  ...jsonTextCases,
  ...crcCases,
  ...lz4Cases,
  ...packCases,
  ...scoreCases,
  ...matchesCases,
  ...rangeCases,
  ...similarityCases,
  ...slotCases,
  ...postingsCases,
  ...phraseCases,
  ...followShapeCases,
  ...scanLinesCases,
  ...gramsCases,
];
const PAGES = 256;

const freshMemory = (): WebAssembly.Memory => new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true });

describe("kernels do what their twins do", () => {
  it.each(CASES.map((kernelCase) => [`${kernelCase.kernels.join(", ")}: ${kernelCase.title}`, kernelCase] as const))(
    "%s",
    (_, kernelCase) => {
      const slow = freshMemory();
      const fast = freshMemory();
      const fromTwin = kernelCase.run(twinKernels(slow), new CaseMemory(slow));
      const fromKernel = kernelCase.run(loadKernels(fast), new CaseMemory(fast));
      expect(fromKernel).toEqual(fromTwin);
      if (kernelCase.expected !== undefined) expect(fromTwin).toEqual(kernelCase.expected);
    },
  );

  it("every kernel has a case, and twin and module offer the same", () => {
    const covered = new Set<string>(CASES.flatMap((kernelCase) => kernelCase.kernels));
    expect([...covered].sort()).toEqual(Object.keys(twinKernels(freshMemory())).sort());
    expect([...covered].sort()).toEqual(Object.keys(loadKernels(freshMemory())).sort());
  });

  it("two instances share one memory", () => {
    const memory = freshMemory();
    const cases = new CaseMemory(memory);
    const text = cases.putText("123456789");
    expect(loadKernels(memory).crc32c(text, 9, 0)).toBe(loadKernels(memory).crc32c(text, 9, 0));
  });
});
