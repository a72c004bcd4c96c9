import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { limitsPage } from "../lib/limits-page.ts";
import { ROOT } from "../lib/root.ts";

// `npm run docs:limits`: writes the limits that the code names.
await writeFile(join(ROOT, "docs/generated/limits.md"), limitsPage());
