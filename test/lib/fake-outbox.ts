import type { DrainSteps } from "../../src/company/drain.ts";
import type { StoredEntry } from "../../src/company/outbox-store.ts";
import { initialChargeState } from "../../src/domain/transaction.ts";

/**
 * An outbox of `size` entries, 1, 2, 3 and so on, in memory, and a D1 and a queue that fail on
 * demand. `steps` tells in order what was asked of the world.
 */
export class FakeOutbox implements DrainSteps {
  entries: StoredEntry[];
  readonly steps: string[] = [];
  readonly applied: number[][] = [];
  readonly hinted: string[][] = [];
  readonly dueAt = new Map<number, number>();
  readonly failures: { error: unknown; ids: number[] }[] = [];
  /** Thrown by the next D1 batches, by the next sends; undefined where they succeed. */
  databaseFault: Error | undefined;
  queueFault: Error | undefined;
  /** Whether an entry leads to a delivery. */
  announces: (id: number) => boolean = () => true;
  nowMs = Date.UTC(2026, 10, 20, 12);

  constructor(size: number) {
    this.entries = Array.from({ length: size }, (_, index) => ({
      id: index + 1,
      attempts: 0,
      entry: {
        kind: "transaction",
        transactionId: `transaction-${index + 1}`,
        state: initialChargeState(this.nowMs),
        event: null,
      },
    }));
  }

  get ids(): number[] {
    return this.entries.map((entry) => entry.id);
  }

  oldest(limit: number): StoredEntry[] {
    return this.entries.slice(0, limit);
  }

  async apply(entries: StoredEntry[]): Promise<string[]> {
    this.steps.push("apply");
    if (this.databaseFault !== undefined) throw this.databaseFault;
    const ids = entries.map((entry) => entry.id);
    this.applied.push(ids);
    return ids.filter((id) => this.announces(id)).map((id) => `delivery-${id}`);
  }

  async hint(deliveryIds: string[]): Promise<void> {
    this.steps.push("hint");
    if (this.queueFault !== undefined) throw this.queueFault;
    this.hinted.push(deliveryIds);
  }

  remove(ids: number[]): void {
    this.steps.push("remove");
    this.entries = this.entries.filter((entry) => !ids.includes(entry.id));
  }

  postpone(ids: number[], dueAt: number): void {
    this.steps.push("postpone");
    for (const id of ids) this.dueAt.set(id, dueAt);
    this.entries = this.entries.map((entry) =>
      ids.includes(entry.id) ? { ...entry, attempts: entry.attempts + 1 } : entry,
    );
  }

  now(): number {
    return this.nowMs;
  }

  onFailure(error: unknown, entries: StoredEntry[]): void {
    this.failures.push({ error, ids: entries.map((entry) => entry.id) });
  }
}
