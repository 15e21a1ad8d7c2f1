import { fileURLToPath } from "node:url";

/**
 * The script that runs the command line. Found from this folder, which is as deep in the build as here: files further down
 * are joined into those of this folder.
 */
export const PROGRAM = fileURLToPath(new URL("../../bin/pinakes.js", import.meta.url));
