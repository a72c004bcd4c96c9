import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../lib/root.ts";
import { storagePage } from "../lib/storage-page.ts";

// `npm run docs:storage`: writes the data dictionary from the comments in the schema.
await writeFile(join(ROOT, "docs/generated/storage.md"), await storagePage());
