import type { WebhookEvent } from "../webhooks/webhook.ts";

/** The folder of each object that has a page of its own. */
const FOLDERS: Record<string, string> = {
  transaction: "/console/payments",
  withdraw: "/console/withdraws",
  dispute: "/console/disputes",
};

/** The id of an event's object; null for an object without one, or without the scope to see it. */
export function objectId({ data }: Pick<WebhookEvent, "data">): string | null {
  return data !== null && "id" in data ? String(data.id) : null;
}

/** The page of an event's object; null for an object without one, or without the scope to see it. */
export function objectPath(event: Pick<WebhookEvent, "type" | "data">): string | null {
  const [object = ""] = event.type.split(".");
  if (event.data !== null && object === "payment") return "/console/unexpected-payments";
  const folder = FOLDERS[object];
  const id = objectId(event);
  return folder === undefined || id === null ? null : `${folder}/${encodeURIComponent(id)}`;
}
