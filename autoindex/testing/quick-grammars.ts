import { setFlagsFromString } from "node:v8";

/**
 * Imported before grammars are loaded in a test's own process: without these, V8 compiles each of them a second time
 * in the background, which keeps every core busy for the rest of the suite.
 */
setFlagsFromString("--no-wasm-dynamic-tiering");
setFlagsFromString("--no-wasm-tier-up");
