import { expect, test } from "vitest";
import { mutate } from "./mutate-request.js";
import type { WireRequest } from "./wire-request.js";

test("what is asked about repositories is answered whole and as JSON, so that its errors can be judged", () => {
  for (let seed = 1; seed <= 2_000; seed++) {
    let state = seed;
    const chance = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const request: WireRequest = {
      method: "POST",
      path: "/_snapshot/r?filter_path=-**&format=yaml",
      headers: {},
      body: undefined,
    };
    mutate(request, { chance, bodies: [] } as unknown as Parameters<typeof mutate>[1]);
    if (!/snapshot/i.test(request.path)) continue;
    expect(request.path).not.toMatch(/[?&](?:filter_path|format)=/);
    expect(request.headers).not.toHaveProperty("accept");
  }
});
