import { errorFields, log } from "../../lib/log.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";
import { HINT_AGAIN_MS } from "../runtime/attempts.ts";
import type { DueIndex } from "../runtime/due-index.ts";
import { RECHECK_AGAIN_MS } from "../contradictions/recheck-store.ts";
import type { DueAtProviders, Hints } from "../outbox/records.ts";

/** Rows of each kind that are hinted in one go; the rest follow at the next alarm. */
const HINTS_MAX = 100;
/** A queue that hangs is given up; the rows say when the hint is given again. */
const HINT_MAX_MS = 20_000;

interface Parts {
  commit: <Answer>(change: (nowMs: number) => Answer) => Answer;
  /** Replaceable at any time, hence not a value. */
  hints: () => Hints;
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
export class PayoutHints {
  readonly #parts: Parts;
  /** Withdraws just accepted that were not hinted yet. */
  #accepted: number[] = [];
  #sending: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A withdraw was accepted that may be sent at once. Those of one moment share a message batch. */
  accepted(withdrawId: number): Promise<void> {
    this.#accepted.push(withdrawId);
    this.#sending ??= this.#sendAccepted();
    return this.#sending;
  }

  /** Hints what is due by now, and puts it off first: a hint that fails is given again then. */
  async due(): Promise<void> {
    await this.#send(() => this.#parts.commit((nowMs) => this.#takeDue(nowMs)));
  }

  #takeDue(nowMs: number): DueAtProviders {
    const { payouts, operations, rechecks } = this.#parts;
    const take = (index: DueIndex, againMs: number) => {
      const ids = index.due(nowMs, HINTS_MAX);
      index.snooze(ids, nowMs + againMs);
      return ids;
    };
    return {
      withdrawIds: payouts().flatMap((index) => take(index, HINT_AGAIN_MS)),
      operationIds: take(operations, HINT_AGAIN_MS),
      recheckIds: take(rechecks, RECHECK_AGAIN_MS),
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

  async #send(work: () => DueAtProviders): Promise<void> {
    const companyId = this.#parts.companyId();
    if (companyId === null) return;
    try {
      const due = work();
      if (Object.values(due).every((ids: number[]) => ids.length === 0)) return;
      await withTimeLimit(this.#parts.hints().payouts(companyId, due), HINT_MAX_MS);
    } catch (error) {
      log("warn", "enqueue_failed", { ...errorFields(error), companyId });
    }
  }
}
