import type { Clock } from "../../domain/shared/clock.ts";
import {
  companySequenceOf,
  subjectOf,
  versionOf,
  type OutboxEntry,
} from "../../domain/events/outbox.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";
import { computeNextAlarm } from "./alarm.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import { drainOutbox, drainSetAside, REFUSALS_MAX } from "../outbox/drain.ts";
import type { DueIndex } from "./due-index.ts";
import type { OutboxStore, StoredEntry } from "../outbox/outbox-store.ts";
import { PayoutHints } from "../withdraws/payout-hints.ts";
import type { Hints, Records } from "../outbox/records.ts";
import type { RefusedEntry } from "../outbox/set-aside-store.ts";

/** How long a request waits for D1 to have its change before the alarm takes over. */
const DRAIN_WAIT_MS = 3_000;
/** A step that hangs is given up, so that the next drain can try; it may be repeated. */
const DRAIN_STEP_MAX_MS = 20_000;
/** An alarm that is late by so much is taken for one that the platform gave up, which nobody is told. */
const ALARM_LATE_MS = 10_000;
/** When the object wakes where it could not even write down when it must. */
const ALARM_RETRY_MS = 60_000;

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
  contradictions: ContradictionStore;
  /** Withdraws to look after; those that nobody claimed wait while the company is frozen. */
  payouts: () => DueIndex[];
  operations: DueIndex;
  rechecks: DueIndex;
  releasesDueAt: () => number | null;
}

/**
 * Sets an alarm by itself, where no commit can be written. Never throws: where this fails too the cron's
 * knock is left.
 */
export async function alarmLater(storage: DurableObjectStorage, nowMs: number): Promise<void> {
  try {
    await storage.setAlarm(nowMs + ALARM_RETRY_MS);
  } catch (error) {
    log("error", "alarm_not_set", errorFields(error));
  }
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

  /**
   * The alarm or the cron: what `first` does, then whatever is overdue is tried, backoff or not. Never
   * throws: where no commit can be written, as in a full object, D1 is told all the same and another
   * alarm is set.
   */
  async rescue(first: () => void): Promise<void> {
    try {
      first();
    } catch (error) {
      log("error", "rescue_failed", errorFields(error));
    }
    this.#knocked = true;
    await this.drain();
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
    const knocked = this.#knocked;
    this.#knocked = false;
    let companyId: number | null = null;
    try {
      companyId = this.#parts.companyId();
      if (companyId === null) return;
      if (await this.#drainOutbox(companyId, knocked)) await this.#drainSetAside(companyId);
      if (knocked) await this.payoutHints.due();
    } catch (error) {
      log("error", "drain_failed", { ...errorFields(error), companyId });
    } finally {
      if (companyId !== null) await this.#armAfterAll(companyId);
    }
  }

  async #armAfterAll(companyId: number): Promise<void> {
    try {
      this.commit(() => undefined);
    } catch (error) {
      log("error", "alarm_commit_failed", { ...errorFields(error), companyId });
      await alarmLater(this.#parts.storage, this.#parts.clock().now());
    }
  }

  /** Answers whether D1 took what it was given. */
  async #drainOutbox(companyId: number, knocked: boolean): Promise<boolean> {
    const { outbox, clock } = this.#parts;
    if (!knocked && outbox.isBackingOff(clock().now())) return false;
    const outcome = await drainOutbox({
      oldest: (limit) => outbox.oldest(limit),
      putBehind: (entries) => this.#putBehind(entries),
      apply: (entries) =>
        this.#apply(
          companyId,
          entries.map((stored) => stored.entry),
        ),
      hint: (deliveryIds) => this.#hint(deliveryIds),
      settle: (sequence) => outbox.settle(sequence),
      setAside: (stored, reason, nextTryAt) => {
        this.commit((now) => {
          outbox.remove(stored.sequence);
          outbox.setAside.addRefused(stored.entry, reason, now, nextTryAt);
        });
        this.#logRefused(companyId, stored.entry, reason);
      },
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
    return outcome !== "failed";
  }

  #apply(companyId: number, entries: OutboxEntry[]): Promise<string[]> {
    const { records, clock } = this.#parts;
    return withTimeLimit(records().apply(companyId, entries, clock().now()), DRAIN_STEP_MAX_MS);
  }

  #hint(deliveryIds: string[]): Promise<void> {
    return withTimeLimit(this.#parts.hints().deliveries(deliveryIds), DRAIN_STEP_MAX_MS);
  }

  #putBehind(entries: StoredEntry[]): StoredEntry[] {
    const { outbox } = this.#parts;
    if (outbox.setAside.isEmpty()) return entries;
    return this.commit((now) =>
      entries.filter(({ sequence, entry }) => {
        if (!outbox.setAside.holds(subjectOf(entry))) return true;
        outbox.remove(sequence);
        outbox.setAside.addBehind(entry, now);
        return false;
      }),
    );
  }

  async #drainSetAside(companyId: number): Promise<void> {
    const { outbox, clock } = this.#parts;
    await drainSetAside({
      nextDue: () => outbox.setAside.nextDue(clock().now()),
      apply: async (entry) => {
        const deliveries = await this.#apply(companyId, [entry]);
        if (deliveries.length > 0) await this.#hint(deliveries);
      },
      applied: (entry) =>
        this.commit((now) => {
          outbox.setAside.applied(entry, now);
          const { contradictions } = this.#parts;
          // Whoever would give it up later would give up what is set aside by then.
          for (const finding of contradictions.openFindings("entry_set_aside", entry.subject)) {
            contradictions.close(finding, "D1 has taken it", now);
          }
        }),
      refused: (refused, reason, nextTryAt, isFinding) => {
        this.commit((now) => {
          outbox.setAside.refused(refused, reason, nextTryAt);
          if (isFinding) this.#openContradiction(refused, reason, now);
        });
        if (isFinding) this.#logRefused(companyId, refused.entry, reason, REFUSALS_MAX);
      },
      postponeDue: (nextTryAt) => this.commit((now) => outbox.setAside.postponeDue(now, nextTryAt)),
      now: () => clock().now(),
      onFailure: (error) =>
        log("warn", "set_aside_postponed", { ...errorFields(error), companyId }),
    });
  }

  /** A person is told. Of what is for persons only the log can tell: it would go on for ever. */
  #openContradiction({ entry, subject }: RefusedEntry, reason: string, nowMs: number): void {
    if (entry.kind === "contradiction" || entry.kind === "storage") return;
    const { contradictions } = this.#parts;
    const finding = `entry_set_aside:${subject}:${versionOf(entry)}`;
    // Of one that a person had tried again in vain they are told again.
    const isAgain = contradictions.ofFinding(finding)?.status === "decided";
    contradictions.open(
      {
        finding: isAgain ? `${finding}:${nowMs}` : finding,
        kind: "entry_set_aside",
        object: subject,
        said: { reason },
        booked: { type: entry.event?.type ?? null, companySequence: companySequenceOf(entry) },
        amount: 0,
        held: 0,
      },
      nowMs,
    );
  }

  #logRefused(companyId: number, entry: OutboxEntry, reason: string, refusals = 1): void {
    log(refusals === 1 ? "warn" : "error", "entry_set_aside", {
      companyId,
      subject: subjectOf(entry),
      version: versionOf(entry),
      reason,
      refusals,
    });
  }

  #armAlarm(nowMs: number): void {
    const { storage, outbox, payouts, operations, rechecks, releasesDueAt } = this.#parts;
    const next = computeNextAlarm(nowMs, [
      outbox.nextDueAt(),
      outbox.setAside.nextDueAt(),
      ...payouts().map((index) => index.nextDueAt()),
      operations.nextDueAt(),
      rechecks.nextDueAt(),
      releasesDueAt(),
    ]);
    if (this.#alarmAt !== null && this.#alarmAt < nowMs - ALARM_LATE_MS) this.#alarmAt = null;
    // Each setting is billed as a row. One that comes early finds nothing to do and sets the next.
    if (next === null || (this.#alarmAt !== null && this.#alarmAt <= next)) return;
    this.#alarmAt = next;
    void storage.setAlarm(next);
  }
}
