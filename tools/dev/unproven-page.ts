import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../lib/root.ts";
import { unprovenPage } from "../lib/unproven-page.ts";

// `npm run docs:unproven`: writes what public sources of the houses do not say.
await writeFile(join(ROOT, "docs/generated/unproven.md"), unprovenPage());
