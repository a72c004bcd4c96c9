import type { Clock } from "../../domain/shared/clock.ts";
import {
  companySequenceOf,
  subjectOf,
  versionOf,
  type OutboxEntry,
} from "../../domain/events/outbox.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { computeNextAlarm } from "./alarm.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import { drainOutbox, drainSetAside, REFUSALS_MAX } from "../outbox/drain.ts";
import type { DueIndex } from "./due-index.ts";
import type { OutboxStore, StoredEntry } from "../outbox/outbox-store.ts";
import { PayoutNotifier } from "../withdraws/payout-notifier.ts";
import type { Notifier, Projection } from "../outbox/ports.ts";
import type { RefusedEntry } from "../outbox/set-aside-store.ts";

/** How long a request waits for D1 to have its change before the alarm takes over. */
const DRAIN_WAIT_MS = 3_000;
/** A step that hangs is given up, so that the next drain can try; it may be repeated. */
const DRAIN_STEP_TIMEOUT_MS = 20_000;
/** An alarm that is late by so much is taken for one that the platform gave up, which nobody is told. */
const ALARM_LATE_MS = 10_000;
/** When the object wakes where it could not even write down when it must. */
const ALARM_RETRY_MS = 60_000;

interface BackgroundWorkDeps {
  storage: DurableObjectStorage;
  /** Replaceable at any time, hence not values. */
  clock: () => Clock;
  projection: () => Projection;
  notifier: () => Notifier;
  /** Null before the object was told its company: then nothing is owed either. */
  companyId: () => number | null;
  /** What every commit begins and ends with. */
  ledger: { beginCommit: () => void };
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
export async function setFallbackAlarm(
  storage: DurableObjectStorage,
  nowMs: number,
): Promise<void> {
  try {
    await storage.setAlarm(nowMs + ALARM_RETRY_MS);
  } catch (error) {
    log("error", "alarm_set_failed", errorFields(error));
  }
}

/**
 * What an object owes after its commits: D1 its copy, providers their hints, itself an alarm. One
 * drain runs at a time; it never throws, and always leaves an alarm where something is owed.
 */
export class BackgroundWork {
  /** Its way to the queue of payouts. */
  readonly payoutNotifier: PayoutNotifier;
  readonly #deps: BackgroundWorkDeps;
  /** What the alarm stands at; null where this instance knows of none. */
  #alarmAt: number | null = null;
  #draining: Promise<void> | null = null;
  /** A commit came while a drain was under way, which may already have seen the outbox empty. */
  #isDrainRequested = false;
  /** Alarm and cron hint what is due and try at once; a request leaves a D1 that is down to its backoff. */
  #isRunRequested = false;

  constructor(deps: BackgroundWorkDeps) {
    this.#deps = deps;
    this.payoutNotifier = new PayoutNotifier({ ...deps, commit: (change) => this.commit(change) });
  }

  /** One change of money or state: everything `change` writes and the alarm, or nothing. */
  commit<Answer>(change: (nowMs: number) => Answer): Answer {
    try {
      return this.#deps.storage.transactionSync(() => {
        const now = this.#deps.clock().now();
        this.#deps.ledger.beginCommit();
        const answer = change(now);
        this.#deps.ledgerLength.record();
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
  async runNow(first: () => void): Promise<void> {
    try {
      first();
    } catch (error) {
      log("error", "background_run_failed", errorFields(error));
    }
    this.#isRunRequested = true;
    await this.drain();
  }

  /** The platform has used up the alarm that was set. */
  alarmFired(): void {
    this.#alarmAt = null;
  }

  /** Waits for the drain so that the caller reads its own write, but not for a D1 that is away. */
  async drainWithTimeout(): Promise<void> {
    await withTimeout(this.drain(), DRAIN_WAIT_MS).catch(() => undefined);
  }

  drain(): Promise<void> {
    this.#isDrainRequested = true;
    this.#draining ??= this.#drainUntilIdle();
    return this.#draining;
  }

  async #drainUntilIdle(): Promise<void> {
    try {
      while (this.#isDrainRequested) {
        this.#isDrainRequested = false;
        await this.#drainOnce();
      }
    } finally {
      // At once: whoever came in between would wait for a drain that looks no more.
      this.#draining = null;
    }
  }

  async #drainOnce(): Promise<void> {
    const isForced = this.#isRunRequested;
    this.#isRunRequested = false;
    let companyId: number | null = null;
    try {
      companyId = this.#deps.companyId();
      if (companyId === null) return;
      if (await this.#drainOutbox(companyId, isForced)) await this.#drainSetAside(companyId);
      if (isForced) await this.payoutNotifier.notifyDue();
    } catch (error) {
      log("error", "drain_failed", { ...errorFields(error), companyId });
    } finally {
      if (companyId !== null) await this.#rearmAlarm(companyId);
    }
  }

  async #rearmAlarm(companyId: number): Promise<void> {
    try {
      this.commit(() => undefined);
    } catch (error) {
      log("error", "alarm_commit_failed", { ...errorFields(error), companyId });
      await setFallbackAlarm(this.#deps.storage, this.#deps.clock().now());
    }
  }

  /** Answers whether D1 took what it was given. */
  async #drainOutbox(companyId: number, isForced: boolean): Promise<boolean> {
    const { outbox, clock } = this.#deps;
    if (!isForced && outbox.isBackingOff(clock().now())) return false;
    const outcome = await drainOutbox({
      oldest: (limit) => outbox.oldest(limit),
      deferBehindSetAside: (entries) => this.#deferBehindSetAside(entries),
      write: (entries) =>
        this.#write(
          companyId,
          entries.map((stored) => stored.entry),
        ),
      notify: (deliveryIds) => this.#notify(deliveryIds),
      acknowledge: (sequence) => outbox.acknowledge(sequence),
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

  #write(companyId: number, entries: OutboxEntry[]): Promise<string[]> {
    const { projection, clock } = this.#deps;
    return withTimeout(
      projection().write(companyId, entries, clock().now()),
      DRAIN_STEP_TIMEOUT_MS,
    );
  }

  #notify(deliveryIds: string[]): Promise<void> {
    return withTimeout(this.#deps.notifier().notifyDeliveries(deliveryIds), DRAIN_STEP_TIMEOUT_MS);
  }

  #deferBehindSetAside(entries: StoredEntry[]): StoredEntry[] {
    const { outbox } = this.#deps;
    if (outbox.setAside.isEmpty()) return entries;
    return this.commit((now) =>
      entries.filter(({ sequence, entry }) => {
        if (!outbox.setAside.hasSubject(subjectOf(entry))) return true;
        outbox.remove(sequence);
        outbox.setAside.addBehind(entry, now);
        return false;
      }),
    );
  }

  async #drainSetAside(companyId: number): Promise<void> {
    const { outbox, clock } = this.#deps;
    await drainSetAside({
      nextDue: () => outbox.setAside.nextDue(clock().now()),
      write: async (entry) => {
        const deliveries = await this.#write(companyId, [entry]);
        if (deliveries.length > 0) await this.#notify(deliveries);
      },
      acknowledge: (entry) =>
        this.commit((now) => {
          outbox.setAside.acknowledge(entry, now);
          const { contradictions } = this.#deps;
          // Whoever would give it up later would give up what is set aside by then.
          for (const finding of contradictions.openFindingKeys("entry_set_aside", entry.subject)) {
            contradictions.close(finding, "D1 has taken it", now);
          }
        }),
      recordRefusal: (refused, reason, nextTryAt, isFinding) => {
        this.commit((now) => {
          outbox.setAside.recordRefusal(refused, reason, nextTryAt);
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
    const { contradictions } = this.#deps;
    const finding = `entry_set_aside:${subject}:${versionOf(entry)}`;
    // Of one that a person had tried again in vain they are told again.
    const isReopened = contradictions.findByKey(finding)?.status === "decided";
    contradictions.open(
      {
        finding: isReopened ? `${finding}:${nowMs}` : finding,
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
    const { storage, outbox, payouts, operations, rechecks, releasesDueAt } = this.#deps;
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
