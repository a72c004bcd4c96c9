import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { webhookPayloadsPage } from "../lib/webhook-examples.ts";

// `npm run docs:webhooks`: writes the example of every webhook.
await writeFile(
  join(import.meta.dirname, "../../docs/generated/webhook-payloads.md"),
  webhookPayloadsPage(),
);
