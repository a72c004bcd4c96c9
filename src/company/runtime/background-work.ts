import {
  companySequenceOf,
  subjectOf,
  tracesOf,
  versionOf,
  type OutboxEntry,
} from "../../domain/events/outbox-entry.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { computeNextAlarm } from "./alarm.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import { drainOutbox, drainRejected, REFUSALS_MAX } from "../outbox/drain.ts";
import type { CompanyTime } from "./company-time.ts";
import type { DueIndex } from "../storage/due-index.ts";
import type { OutboxStore, StoredEntry } from "../outbox/outbox-store.ts";
import { PayoutNotifier } from "../withdraws/payout-notifier.ts";
import { Archiving } from "../outbox/archiving.ts";
import type { Archive, Notifier, Projection } from "../outbox/ports.ts";
import type { RejectedEntry } from "../outbox/rejected-entry-store.ts";
import type { UnarchivedStore } from "../outbox/unarchived-store.ts";

/** How long a request waits for its change to reach D1. */
const DRAIN_WAIT_MS = 3_000;
/** After this a step counts as failed and the next drain repeats it. */
const DRAIN_STEP_TIMEOUT_MS = 20_000;
/** An alarm this late counts as lost: the platform drops alarms without notice. */
const ALARM_LATE_MS = 10_000;
/** The fallback alarm's delay, used if no commit can be written. */
const ALARM_RETRY_MS = 60_000;

interface CommitScope {
  beginCommit: () => void;
  endCommit: () => void;
}

interface BackgroundWorkDeps {
  storage: DurableObjectStorage;
  clock: CompanyTime;
  /** Functions, because tests replace their results. */
  projection: () => Projection;
  archive: () => Archive | null;
  notifier: () => Notifier;
  /** Tells open pages of entries that D1 has. */
  announce: (entries: OutboxEntry[]) => void;
  /** Null before the first commit, when there is no work yet. */
  companyId: () => number | null;
  /** Every commit begins and ends with what reads once in it. */
  ledger: CommitScope;
  withdraws: { newest: CommitScope };
  ledgerLength: { record: () => void };
  outbox: OutboxStore;
  unarchived: UnarchivedStore;
  contradictions: ContradictionStore;
  /** Open withdraws; unclaimed ones are left out while the company is frozen. */
  payouts: () => DueIndex[];
  operations: DueIndex;
  rechecks: DueIndex;
  subscriptions: Pick<DueIndex, "due" | "snooze">;
  /** When each kind of work is due (epoch ms). */
  dueTimes: () => (number | null)[];
}

/**
 * Sets an alarm without a commit, for an object that cannot write. Never throws: if this fails too, the
 * cron wakes the object.
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
 * Work after a commit: writing to D1, wake-up messages, the alarm. One drain runs at a time; it never
 * throws, and leaves an alarm as long as work is open.
 */
export class BackgroundWork {
  readonly payoutNotifier: PayoutNotifier;
  readonly archiving: Archiving;
  readonly #deps: BackgroundWorkDeps;
  /** The alarm's time by the company's clock; null if this instance has not set one. */
  #alarmAt: number | null = null;
  #draining: Promise<void> | null = null;
  /** A commit came during a drain, which may have found the outbox empty before. */
  #isDrainRequested = false;
  /** Alarm and cron ignore the backoff and notify due payouts; a request does neither. */
  #isRunRequested = false;

  constructor(deps: BackgroundWorkDeps) {
    this.#deps = deps;
    const { archive, unarchived } = deps;
    const commit = <Answer>(change: (nowMs: number) => Answer) => this.commit(change);
    this.payoutNotifier = new PayoutNotifier({ ...deps, commit });
    this.archiving = new Archiving({ archive, unarchived, commit, now: () => deps.clock.now() });
  }

  /** Commits all that `change` writes, with the alarm, or nothing. Throws what `change` throws. */
  commit<Answer>(change: (nowMs: number) => Answer): Answer {
    try {
      return this.#deps.storage.transactionSync(() => {
        const now = this.#deps.clock.now();
        for (const scope of this.#scopes()) scope.beginCommit();
        const answer = change(now);
        this.#deps.ledgerLength.record();
        this.#armAlarm(now);
        return answer;
      });
    } catch (error) {
      // The rollback also undid the alarm.
      this.#alarmAt = null;
      throw error;
    } finally {
      for (const scope of this.#scopes()) scope.endCommit();
    }
  }

  #scopes(): CommitScope[] {
    return [this.#deps.ledger, this.#deps.withdraws.newest];
  }

  /**
   * Runs `first`, then all due work without regard to the backoff, for the alarm and the cron. Never
   * throws: an object that cannot write, such as a full one, still drains and sets another alarm.
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

  /** The platform clears an alarm when it fires. */
  alarmFired(): void {
    this.#alarmAt = null;
  }

  /** Moves the company's clock forward, and the alarm with it: what is due by then is due earlier. */
  moveClock(to: number): void {
    // A single write, and not in a commit: what one rolls back, this would still have in memory.
    this.#deps.clock.moveTo(to);
    this.#alarmAt = null;
    this.commit(() => undefined);
  }

  /** Waits for the drain, so that callers read their own writes, but not for a D1 that is down. */
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
      // Before any await: a later call would join a drain that has already ended.
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
      if (await this.#drainOutbox(companyId, isForced)) await this.#drainRejected(companyId);
      await this.archiving.retry(companyId, isForced);
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
      const { storage, clock } = this.#deps;
      await setFallbackAlarm(storage, clock.toPlatform(clock.now()));
    }
  }

  /** Returns whether D1 accepted the entries. */
  async #drainOutbox(companyId: number, isForced: boolean): Promise<boolean> {
    const { outbox, clock } = this.#deps;
    if (!isForced && outbox.isBackingOff(clock.now())) return false;
    const outcome = await drainOutbox({
      oldest: (limit) => outbox.oldest(limit),
      deferBehindRejected: (entries) => this.#deferBehindRejected(entries),
      write: (entries) =>
        this.#write(
          companyId,
          entries.map((stored) => stored.entry),
        ),
      notify: (deliveryIds, entries) =>
        this.#notify(
          deliveryIds,
          entries.map((stored) => stored.entry),
        ),
      announce: (entries) =>
        this.#announce(
          companyId,
          entries.map((stored) => stored.entry),
        ),
      acknowledge: (sequence) => outbox.acknowledge(sequence),
      rejectEntry: (stored, reason, nextTryAt) => {
        this.commit((now) => {
          outbox.remove(stored.sequence);
          outbox.rejected.addRefused(stored.entry, reason, now, nextTryAt);
        });
        this.#logRefused(companyId, stored.entry, reason);
      },
      attempts: () => outbox.attempts(),
      postpone: (dueAt) => outbox.postpone(dueAt),
      now: () => clock.now(),
      onFailure: (error, entries) =>
        log("warn", "outbox_postponed", {
          ...errorFields(error),
          companyId,
          entries: entries.length,
          traceIds: [...tracesOf(entries.map(({ entry }) => entry)).values()].join(" "),
        }),
    });
    return outcome !== "failed";
  }

  async #write(companyId: number, entries: OutboxEntry[]): Promise<string[]> {
    const { projection, clock } = this.#deps;
    const writing = projection().write(companyId, entries, clock.now());
    const { due, change } = await withTimeout(writing, DRAIN_STEP_TIMEOUT_MS);
    await withTimeout(this.archiving.add(companyId, change), DRAIN_STEP_TIMEOUT_MS);
    return due;
  }

  /** A page that cannot be told reads the change when it is loaded: the drain goes on. */
  #announce(companyId: number, entries: OutboxEntry[]): void {
    try {
      this.#deps.announce(entries);
    } catch (error) {
      log("warn", "announce_failed", { ...errorFields(error), companyId });
    }
  }

  #notify(deliveryIds: string[], entries: OutboxEntry[]): Promise<void> {
    const sent = this.#deps.notifier().notifyDeliveries(deliveryIds, tracesOf(entries));
    return withTimeout(sent, DRAIN_STEP_TIMEOUT_MS);
  }

  #deferBehindRejected(entries: StoredEntry[]): StoredEntry[] {
    const { outbox } = this.#deps;
    if (outbox.rejected.isEmpty()) return entries;
    return this.commit((now) =>
      entries.filter(({ sequence, entry }) => {
        if (!outbox.rejected.hasSubject(subjectOf(entry))) return true;
        outbox.remove(sequence);
        outbox.rejected.addBehind(entry, now);
        return false;
      }),
    );
  }

  async #drainRejected(companyId: number): Promise<void> {
    const { outbox, clock } = this.#deps;
    await drainRejected({
      nextDue: () => outbox.rejected.nextDue(clock.now()),
      write: async (entry) => {
        const deliveries = await this.#write(companyId, [entry]);
        if (deliveries.length > 0) await this.#notify(deliveries, [entry]);
        this.#announce(companyId, [entry]);
      },
      acknowledge: (entry) =>
        this.commit((now) => {
          outbox.rejected.acknowledge(entry, now);
          const { contradictions } = this.#deps;
          // A later decision to drop it would drop entries rejected since.
          for (const finding of contradictions.openFindingKeys("entry_set_aside", entry.subject)) {
            contradictions.close(finding, "D1 has taken it", now);
          }
        }),
      recordRefusal: (refused, reason, nextTryAt, needsOperator) => {
        this.commit((now) => {
          outbox.rejected.recordRefusal(refused, reason, nextTryAt);
          if (needsOperator) this.#openContradiction(refused, reason, now);
        });
        if (needsOperator) this.#logRefused(companyId, refused.entry, reason, REFUSALS_MAX);
      },
      postponeDue: (nextTryAt) => this.commit((now) => outbox.rejected.postponeDue(now, nextTryAt)),
      now: () => clock.now(),
      onFailure: (error) =>
        log("warn", "rejected_entries_postponed", { ...errorFields(error), companyId }),
    });
  }

  /** For operators. Entries that are themselves for operators are only logged: it would never end. */
  #openContradiction({ entry, subject }: RejectedEntry, reason: string, nowMs: number): void {
    if (entry.kind === "contradiction" || entry.kind === "storage") return;
    const { contradictions } = this.#deps;
    const finding = `entry_set_aside:${subject}:${versionOf(entry)}`;
    // A retry that operators decided on failed too: a new contradiction is opened.
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
    const { storage, clock, dueTimes } = this.#deps;
    const next = computeNextAlarm(nowMs, dueTimes());
    if (this.#alarmAt !== null && this.#alarmAt < nowMs - ALARM_LATE_MS) this.#alarmAt = null;
    // Each setAlarm is billed as a row. An early alarm finds no due work and sets the next.
    if (next === null || (this.#alarmAt !== null && this.#alarmAt <= next)) return;
    this.#alarmAt = next;
    void storage.setAlarm(clock.toPlatform(next));
  }
}
