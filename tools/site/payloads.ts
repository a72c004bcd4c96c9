import { webhookPayloadsPage } from "../lib/webhook-examples.ts";

/** The body of each event, as it is sent. */
export function payloadsPart(): string {
  const page = webhookPayloadsPage();
  return page.slice(page.indexOf("\n## "));
}
