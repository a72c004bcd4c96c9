import { errorFields, log } from "../../lib/log.ts";
import { currentTrace } from "../../lib/trace/trace.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { RENOTIFY_AFTER_MS } from "../runtime/polling.ts";
import type { DueIndex } from "../storage/due-index.ts";
import { RECHECK_RENOTIFY_AFTER_MS } from "../runtime/recheck-store.ts";
import type { DueProviderWork, Notifier } from "../outbox/ports.ts";

/** Rows of each kind per run; the next alarm notifies the rest. */
const NOTIFIED_MAX = 100;
/** After this a send to the queue counts as failed; each row says when it is notified again. */
const NOTIFY_TIMEOUT_MS = 20_000;

interface PayoutNotifierDeps {
  commit: <Answer>(change: (nowMs: number) => Answer) => Answer;
  /** A function, because tests replace the notifier. */
  notifier: () => Notifier;
  companyId: () => number | null;
  /** Open withdraws; unclaimed ones are left out while the company is frozen. */
  payouts: () => DueIndex[];
  operations: DueIndex;
  /** Not stopped by a freeze: they only query the provider. */
  rechecks: DueIndex;
  /** Not stopped by a freeze: who orders a debit asks for it. */
  subscriptions: Pick<DueIndex, "due" | "snooze">;
}

/**
 * Sends wake-up messages for due payouts, operations, rechecks and subscriptions. A message may be lost or repeated:
 * each row says when it is notified again, and the claim decides who acts. Never throws.
 */
export class PayoutNotifier {
  readonly #deps: PayoutNotifierDeps;
  /** Accepted withdraws without a wake-up message, with the traces of their requests. */
  #accepted = new Map<number, string | undefined>();
  #sending: Promise<void> | null = null;

  constructor(deps: PayoutNotifierDeps) {
    this.#deps = deps;
  }

  /** Notifies of a withdraw that may be sent at once. Calls that arrive together share a batch. */
  notifyAccepted(withdrawId: number): Promise<void> {
    this.#accepted.set(withdrawId, currentTrace());
    this.#sending ??= this.#sendAccepted();
    return this.#sending;
  }

  /** Snoozes all due rows, then notifies of them; a failed message is repeated after the snooze. */
  async notifyDue(): Promise<void> {
    await this.#send(() => this.#deps.commit((nowMs) => this.#snoozeDue(nowMs)));
  }

  #snoozeDue(nowMs: number): DueProviderWork {
    const { payouts, operations, rechecks, subscriptions } = this.#deps;
    const listAndSnooze = (index: Pick<DueIndex, "due" | "snooze">, snoozeMs: number) => {
      const ids = index.due(nowMs, NOTIFIED_MAX);
      index.snooze(ids, nowMs + snoozeMs);
      return ids;
    };
    return {
      withdrawIds: payouts().flatMap((index) => listAndSnooze(index, RENOTIFY_AFTER_MS)),
      operationIds: listAndSnooze(operations, RENOTIFY_AFTER_MS),
      recheckIds: listAndSnooze(rechecks, RECHECK_RENOTIFY_AFTER_MS),
      subscriptions: listAndSnooze(subscriptions, RENOTIFY_AFTER_MS),
    };
  }

  /** Withdraws accepted during a send form the next batch. */
  async #sendAccepted(): Promise<void> {
    try {
      while (this.#accepted.size > 0) {
        const withdrawIds = [...this.#accepted.keys()];
        const known = [...this.#accepted].flatMap(([id, traceId]) =>
          traceId === undefined ? [] : [[id, traceId] as const],
        );
        this.#accepted = new Map();
        const traces = new Map(known);
        await this.#send(() => ({ withdrawIds, operationIds: [], recheckIds: [], traces }));
      }
    } finally {
      // Before any await: a later call would join a send that has already ended.
      this.#sending = null;
    }
  }

  async #send(work: () => DueProviderWork): Promise<void> {
    const companyId = this.#deps.companyId();
    if (companyId === null) return;
    try {
      const due = work();
      const { withdrawIds, operationIds, recheckIds, subscriptions = [] } = due;
      const all = [withdrawIds, operationIds, recheckIds, subscriptions];
      if (all.every((ids) => ids.length === 0)) return;
      await withTimeout(this.#deps.notifier().notifyPayouts(companyId, due), NOTIFY_TIMEOUT_MS);
    } catch (error) {
      log("warn", "enqueue_failed", { ...errorFields(error), companyId });
    }
  }
}
