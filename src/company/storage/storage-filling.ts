import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { MetaStore } from "./meta-store.ts";

/** Announces to operators that the object's storage fills. Runs inside one `transactionSync`. */
export function announceStorageFilling(
  { meta, outbox }: { meta: MetaStore; outbox: OutboxStore },
  bytes: number,
  nowMs: number,
): void {
  const event = {
    number: meta.next("newest_operator_event"),
    type: "storage.filling",
    at: nowMs,
  } as const;
  outbox.add({ kind: "storage", bytes, event }, nowMs);
}
