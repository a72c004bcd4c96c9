import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { peerNamesPage } from "../lib/peer-names-page.ts";
import { ROOT } from "../lib/root.ts";

// `npm run docs:names`: writes the names of peers that the code refuses.
await writeFile(join(ROOT, "docs/generated/peer-names.md"), peerNamesPage());
