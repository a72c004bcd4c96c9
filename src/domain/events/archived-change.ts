import type { OutboxEntry } from "./outbox-entry.ts";

/** Changes that D1 took at one time: a drain's entries with their charges' rows, or one charge as it was created. */
export interface ArchivedChange<Charge = unknown> {
  charges: Charge[];
  entries: OutboxEntry[];
}
