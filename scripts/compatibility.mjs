// Writes docs/compatibility.md from the tables in compat/ (built first: node scripts/build.mjs).
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compatibilityPage } from "../dist/compat/endpoints/page.js";

writeFileSync(fileURLToPath(new URL("../docs/compatibility.md", import.meta.url)), compatibilityPage());
