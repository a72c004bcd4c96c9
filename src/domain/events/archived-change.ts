import type { OutboxEntry } from "./outbox-entry.ts";

/** Changes that D1 took at one time: a drain's entries with their charges' rows, or one charge as it was created. */
export interface ArchivedChange<Charge = unknown> {
  charges: Charge[];
  entries: OutboxEntry[];
}

/** What D1 took of entries at one time. */
export interface WrittenEntries {
  /** Ids of the deliveries that are now due. */
  due: string[];
  /** The entries with the rows that D1 then had of their charges, for the archive. */
  change: ArchivedChange;
}
