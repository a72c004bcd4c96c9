import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pspsPage } from "../lib/psps-page.ts";
import { ROOT } from "../lib/root.ts";

// `npm run docs:psps`: writes what is known of each PSP.
await writeFile(join(ROOT, "docs/generated/psps.md"), pspsPage());
