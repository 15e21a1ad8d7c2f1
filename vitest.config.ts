import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,compat,engine,autoindex,mcp,code,client,bench,tests,scripts}/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
