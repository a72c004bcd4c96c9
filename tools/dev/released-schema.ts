/** `npm run released-schema`: with each release, writes the schemas that its code was written for. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/root.ts";
import { currentSchemas } from "../lib/schemas.ts";

const file = join(ROOT, "migrations/released.json");
writeFileSync(file, `${JSON.stringify(await currentSchemas(), null, 1)}\n`);
console.log(`Written to ${file}: the schemas that the next release's migrations may only add to.`);
