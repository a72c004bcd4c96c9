import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { RENOTIFY_AFTER_MS } from "../runtime/polling.ts";
import type { DueIndex } from "../runtime/due-index.ts";
import { RECHECK_RENOTIFY_AFTER_MS } from "../contradictions/recheck-store.ts";
import type { DueProviderWork, Notifier } from "../outbox/ports.ts";

/** Rows of each kind that are hinted in one go; the rest follow at the next alarm. */
const NOTIFIED_MAX = 100;
/** A queue that hangs is given up; the rows say when the hint is given again. */
const NOTIFY_TIMEOUT_MS = 20_000;

interface PayoutNotifierDeps {
  commit: <Answer>(change: (nowMs: number) => Answer) => Answer;
  /** Replaceable at any time, hence not a value. */
  notifier: () => Notifier;
  companyId: () => number | null;
  /** Withdraws to look after; those that nobody claimed wait while the company is frozen. */
  payouts: () => DueIndex[];
  operations: DueIndex;
  /** A frozen company's go on: what its provider knows is found all the same. */
  rechecks: DueIndex;
}

/**
 * Hints the queue of payouts, operations and rechecks that must be looked after. A hint may be lost or come
 * twice: each row says when it is given again, and the claim decides. Never throws.
 */
export class PayoutNotifier {
  readonly #deps: PayoutNotifierDeps;
  /** Withdraws just accepted that were not hinted yet. */
  #accepted: number[] = [];
  #sending: Promise<void> | null = null;

  constructor(deps: PayoutNotifierDeps) {
    this.#deps = deps;
  }

  /** A withdraw was accepted that may be sent at once. Those of one moment share a message batch. */
  notifyAccepted(withdrawId: number): Promise<void> {
    this.#accepted.push(withdrawId);
    this.#sending ??= this.#sendAccepted();
    return this.#sending;
  }

  /** Hints what is due by now, and puts it off first: a hint that fails is given again then. */
  async notifyDue(): Promise<void> {
    await this.#send(() => this.#deps.commit((nowMs) => this.#snoozeDue(nowMs)));
  }

  #snoozeDue(nowMs: number): DueProviderWork {
    const { payouts, operations, rechecks } = this.#deps;
    const listAndSnooze = (index: DueIndex, snoozeMs: number) => {
      const ids = index.due(nowMs, NOTIFIED_MAX);
      index.snooze(ids, nowMs + snoozeMs);
      return ids;
    };
    return {
      withdrawIds: payouts().flatMap((index) => listAndSnooze(index, RENOTIFY_AFTER_MS)),
      operationIds: listAndSnooze(operations, RENOTIFY_AFTER_MS),
      recheckIds: listAndSnooze(rechecks, RECHECK_RENOTIFY_AFTER_MS),
    };
  }

  /** Those that come while one batch is on its way are the next one. */
  async #sendAccepted(): Promise<void> {
    try {
      while (this.#accepted.length > 0) {
        const withdrawIds = this.#accepted;
        this.#accepted = [];
        await this.#send(() => ({ withdrawIds, operationIds: [], recheckIds: [] }));
      }
    } finally {
      // At once: whoever came in between would wait for a batch that is never sent.
      this.#sending = null;
    }
  }

  async #send(work: () => DueProviderWork): Promise<void> {
    const companyId = this.#deps.companyId();
    if (companyId === null) return;
    try {
      const due = work();
      if (Object.values(due).every((ids: number[]) => ids.length === 0)) return;
      await withTimeout(this.#deps.notifier().notifyPayouts(companyId, due), NOTIFY_TIMEOUT_MS);
    } catch (error) {
      log("warn", "enqueue_failed", { ...errorFields(error), companyId });
    }
  }
}
