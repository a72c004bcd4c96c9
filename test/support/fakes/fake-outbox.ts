import type { DrainSteps } from "../../../src/company/outbox/drain.ts";
import type { StoredEntry } from "../../../src/company/outbox/outbox-store.ts";
import { EntryRejected, subjectOf } from "../../../src/domain/events/outbox-entry.ts";
import { initialChargeState } from "../../../src/domain/charges/transaction.ts";

/**
 * An outbox of `size` numbered entries in memory, with a D1 and a queue that fail on demand.
 * `steps` lists the calls in order.
 */
export class FakeOutbox implements DrainSteps {
  entries: StoredEntry[];
  readonly steps: string[] = [];
  readonly applied: number[][] = [];
  readonly notified: string[][] = [];
  /** What open pages were told. */
  readonly told: number[][] = [];
  /** The retry time of the last failed attempt. */
  dueAt = 0;
  readonly failures: { error: unknown; ids: number[] }[] = [];
  /** Consecutive failed attempts. */
  tried = 0;
  readonly rejectedIds: number[] = [];
  readonly rejectedSubjects = new Set<string>();
  /** Numbers of the entries that D1 rejects. */
  refuses: (id: number) => boolean = () => false;
  /** Errors of the next D1 batches and sends; undefined for a success. */
  databaseFault: Error | undefined;
  queueFault: Error | undefined;
  /** Whether an entry leads to a delivery. */
  announcesDelivery: (id: number) => boolean = () => true;
  nowMs = Date.UTC(2026, 10, 20, 12);

  constructor(size: number) {
    this.entries = Array.from({ length: size }, (_, index) => ({
      sequence: index + 1,
      entry: {
        kind: "transaction",
        transactionId: `transaction-${index + 1}`,
        state: initialChargeState(this.nowMs),
        event: null,
      },
    }));
  }

  get ids(): number[] {
    return idsOf(this.entries);
  }

  oldest(limit: number): StoredEntry[] {
    return this.entries.slice(0, limit);
  }

  async write(entries: StoredEntry[]): Promise<string[]> {
    this.steps.push("write");
    if (this.databaseFault !== undefined) throw this.databaseFault;
    const ids = idsOf(entries);
    if (ids.some((id) => this.refuses(id))) throw new EntryRejected("it is not in D1");
    this.applied.push(ids);
    return ids.filter((id) => this.announcesDelivery(id)).map((id) => `delivery-${id}`);
  }

  async notify(deliveryIds: string[]): Promise<void> {
    this.steps.push("notify");
    if (this.queueFault !== undefined) throw this.queueFault;
    this.notified.push(deliveryIds);
  }

  announce(entries: StoredEntry[]): void {
    this.told.push(idsOf(entries));
  }

  acknowledge(sequence: number): void {
    this.steps.push("acknowledge");
    this.entries = this.entries.filter((entry) => entry.sequence > sequence);
    this.tried = 0;
  }

  attempts(): number {
    return this.tried;
  }

  deferBehindRejected(entries: StoredEntry[]): StoredEntry[] {
    const behind = entries.filter(({ entry }) => this.rejectedSubjects.has(subjectOf(entry)));
    this.rejectedIds.push(...idsOf(behind));
    return entries.filter((each) => !behind.includes(each));
  }

  rejectEntry(entry: StoredEntry): void {
    this.steps.push("rejectEntry");
    this.rejectedIds.push(entry.sequence);
    this.rejectedSubjects.add(subjectOf(entry.entry));
    this.entries = this.entries.filter((each) => each !== entry);
  }

  postpone(dueAt: number): void {
    this.steps.push("postpone");
    this.dueAt = dueAt;
    this.tried += 1;
  }

  now(): number {
    return this.nowMs;
  }

  onFailure(error: unknown, entries: StoredEntry[]): void {
    this.failures.push({ error, ids: idsOf(entries) });
  }
}

function idsOf(entries: StoredEntry[]): number[] {
  return entries.map((entry) => entry.sequence);
}
