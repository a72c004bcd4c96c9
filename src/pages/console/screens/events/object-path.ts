import type { WebhookEvent } from "../webhooks/webhook.ts";

/** The folder of each object that has a page of its own. */
const FOLDERS: Record<string, string> = {
  transaction: "/console/payments",
  withdraw: "/console/withdraws",
  dispute: "/console/disputes",
};

/** The page of an event's object; null for an object without one, or without the scope to see it. */
export function objectPath({ type, data }: Pick<WebhookEvent, "type" | "data">): string | null {
  if (data === null) return null;
  const [object = ""] = type.split(".");
  if (object === "payment") return "/console/unexpected-payments";
  const folder = FOLDERS[object];
  const { id } = data;
  if (folder === undefined || (typeof id !== "string" && typeof id !== "number")) return null;
  return `${folder}/${encodeURIComponent(id)}`;
}
