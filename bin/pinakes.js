#!/usr/bin/env node
import { main } from "../dist/src/main.js";

// `pinakes search x | head`: a reader that has seen enough is no fault.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});
process.exitCode = await main(process.argv.slice(2));
