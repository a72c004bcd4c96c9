import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { webhookPayloadsPage } from "../lib/webhook-examples.ts";

// Writes the examples of every webhook anew: npm run docs:webhooks
await writeFile(join(import.meta.dirname, "../../docs/webhook-payloads.md"), webhookPayloadsPage());
