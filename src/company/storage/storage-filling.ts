import type { Services } from "../compose.ts";

/** Announces to operators that the object's storage fills. Runs inside one `transactionSync`. */
export function announceStorageFilling(
  { meta, outbox }: Services["stores"],
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
