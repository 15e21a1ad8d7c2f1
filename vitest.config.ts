import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,compat,engine,autoindex,mcp,code,client,bench,tests,scripts}/**/*.test.ts"],
    // For what hangs. A test is not failed for being slow: some start a dozen processes, on a machine that others use too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
