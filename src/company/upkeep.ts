import type { Clock } from "../domain/clock.ts";
import { errorFields, log } from "../lib/log.ts";
import { withTimeLimit } from "../lib/time-limit.ts";
import { computeNextAlarm } from "./alarm.ts";
import { drainOutbox } from "./drain.ts";
import type { DueIndex } from "./due-index.ts";
import type { OutboxStore } from "./outbox-store.ts";
import { PayoutHints } from "./payout-hints.ts";
import type { Hints, Records } from "./records.ts";

/** How long a request waits for D1 to have its change before the alarm takes over. */
const DRAIN_WAIT_MS = 3_000;
/** A step that hangs is given up, so that the next drain can try; it may be repeated. */
const DRAIN_STEP_MAX_MS = 20_000;
/** An alarm that is late by so much is taken for one that the platform gave up, which nobody is told. */
const ALARM_LATE_MS = 10_000;

interface Parts {
  storage: DurableObjectStorage;
  /** Replaceable at any time, hence not values. */
  clock: () => Clock;
  records: () => Records;
  hints: () => Hints;
  /** Null before the object was told its company: then nothing is owed either. */
  companyId: () => number | null;
  /** What every commit begins and ends with. */
  ledger: { begin: () => void };
  ledgerLength: { record: () => void };
  outbox: OutboxStore;
  /** Withdraws to look after; those that nobody claimed wait while the company is frozen. */
  payouts: () => DueIndex[];
  operations: DueIndex;
  releasesDueAt: () => number | null;
}

/**
 * What an object owes after its commits: D1 its copy, providers their hints, itself an alarm. One
 * drain runs at a time; it never throws, and always leaves an alarm where something is owed.
 */
export class Upkeep {
  /** Its way to the queue of payouts. */
  readonly payoutHints: PayoutHints;
  readonly #parts: Parts;
  /** What the alarm stands at; null where this instance knows of none. */
  #alarmAt: number | null = null;
  #draining: Promise<void> | null = null;
  /** A commit came while a drain was under way, which may already have seen the outbox empty. */
  #drainAgain = false;
  /** Alarm and cron hint what is due and try at once; a request leaves a D1 that is down to its backoff. */
  #knocked = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.payoutHints = new PayoutHints({ ...parts, commit: (change) => this.commit(change) });
  }

  /** One change of money or state: everything `change` writes and the alarm, or nothing. */
  commit<Answer>(change: (nowMs: number) => Answer): Answer {
    try {
      return this.#parts.storage.transactionSync(() => {
        const now = this.#parts.clock().now();
        this.#parts.ledger.begin();
        const answer = change(now);
        this.#parts.ledgerLength.record();
        this.#armAlarm(now);
        return answer;
      });
    } catch (error) {
      // The rollback took the alarm along with the rows.
      this.#alarmAt = null;
      throw error;
    }
  }

  /** The alarm or the cron: whatever is overdue is tried now, backoff or not. */
  knock(): Promise<void> {
    this.#knocked = true;
    const late = this.#parts.clock().now() - ALARM_LATE_MS;
    if (this.#alarmAt !== null && this.#alarmAt < late) this.#alarmAt = null;
    return this.drain();
  }

  /** The platform has used up the alarm that was set. */
  alarmFired(): void {
    this.#alarmAt = null;
  }

  /** Waits for the drain so that the caller reads its own write, but not for a D1 that is away. */
  async drainBriefly(): Promise<void> {
    await withTimeLimit(this.drain(), DRAIN_WAIT_MS).catch(() => undefined);
  }

  drain(): Promise<void> {
    this.#drainAgain = true;
    this.#draining ??= this.#drainUntilQuiet();
    return this.#draining;
  }

  async #drainUntilQuiet(): Promise<void> {
    try {
      while (this.#drainAgain) {
        this.#drainAgain = false;
        await this.#drainOnce();
      }
    } finally {
      // At once: whoever came in between would wait for a drain that looks no more.
      this.#draining = null;
    }
  }

  async #drainOnce(): Promise<void> {
    const companyId = this.#parts.companyId();
    if (companyId === null) return;
    const knocked = this.#knocked;
    this.#knocked = false;
    try {
      await this.#drainOutbox(companyId, knocked);
      if (knocked) await this.payoutHints.due();
    } catch (error) {
      log("error", "drain_failed", { ...errorFields(error), companyId });
    } finally {
      this.commit(() => undefined);
    }
  }

  async #drainOutbox(companyId: number, knocked: boolean): Promise<void> {
    const { outbox, clock, records, hints } = this.#parts;
    if (!knocked && outbox.isBackingOff(clock().now())) return;
    await drainOutbox({
      oldest: (limit) => outbox.oldest(limit),
      apply: (entries) =>
        withTimeLimit(
          records().apply(
            companyId,
            entries.map((stored) => stored.entry),
            clock().now(),
          ),
          DRAIN_STEP_MAX_MS,
        ),
      hint: (deliveryIds) => withTimeLimit(hints().deliveries(deliveryIds), DRAIN_STEP_MAX_MS),
      settle: (sequence) => outbox.settle(sequence),
      attempts: () => outbox.attempts(),
      postpone: (dueAt) => outbox.postpone(dueAt),
      now: () => clock().now(),
      onFailure: (error, entries) =>
        log("warn", "outbox_postponed", {
          ...errorFields(error),
          companyId,
          entries: entries.length,
        }),
    });
  }

  #armAlarm(nowMs: number): void {
    const { storage, outbox, payouts, operations, releasesDueAt } = this.#parts;
    const next = computeNextAlarm(nowMs, [
      outbox.nextDueAt(),
      ...payouts().map((index) => index.nextDueAt()),
      operations.nextDueAt(),
      releasesDueAt(),
    ]);
    // Each setting is billed as a row. One that comes early finds nothing to do and sets the next.
    if (next === null || (this.#alarmAt !== null && this.#alarmAt <= next)) return;
    this.#alarmAt = next;
    void storage.setAlarm(next);
  }
}
