import type { SubscriptionEventType } from "../../domain/events/event-types.ts";
import {
  debitReason,
  inOurWords,
  type DebitReason,
} from "../../domain/subscriptions/debit-codes.ts";
import { debitDayOf } from "../../domain/subscriptions/debit-window.ts";
import { leftToPayerUntil } from "../../domain/subscriptions/dunning.ts";
import { isOfSavedCard, withByHandMade } from "../../domain/subscriptions/dunning/offers.ts";
import { isSkipped } from "../../domain/subscriptions/next-step.ts";
import {
  debitStatusAfter,
  isDebitOver,
  type SubscriptionMandate,
} from "../../domain/subscriptions/records.ts";
import { isPayerErased } from "../../domain/subscriptions/payer-erasure.ts";
import { mergedAttempts, type DebitAttempt } from "../../domain/subscriptions/subscription.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type {
  ReportSubscriptionStep,
  StepResult,
  ToldDebit,
  ToldMandate,
} from "./command-types.ts";
import type { CycleEnds } from "./cycle-ends.ts";
import type { CycleStore, StoredCycle } from "./cycle-store.ts";
import { DebitFindings } from "./debit-findings.ts";
import {
  attemptsAfter,
  changesStatus,
  endOf,
  endingAfter,
  eventsOf,
  isTakenClosed,
  MANDATE_RANK,
  newFailures,
  NO_RETRY,
  pickMandate,
  withFailureDay,
} from "./report-news.ts";
import type { SubscriptionSchedule } from "./subscription-schedule.ts";
import type { StoredSubscription, SubscriptionStore } from "./subscription-store.ts";
import type { SubscriptionTransitions } from "./subscription-transitions.ts";

/** A debit that was ordered too late for its window (code FCD2), or a retry for its day (DTNT). */
const TOO_LATE = { order_debit: debitReason("FCD2"), order_retry: debitReason("DTNT") };

/**
 * Takes what a provider told of a mandate or a debit, as the answer to a step or as news. Every method runs inside one
 * `transactionSync`. A report may come twice, late, or after the end: it changes what it adds to, and nothing else.
 */
export class ReportCommands {
  readonly #subscriptions: SubscriptionStore;
  readonly #cycles: CycleStore;
  readonly #transitions: SubscriptionTransitions;
  readonly #schedule: SubscriptionSchedule;
  readonly #ends: CycleEnds;
  readonly #findings: DebitFindings;

  constructor(deps: {
    subscriptions: SubscriptionStore;
    cycles: CycleStore;
    transitions: SubscriptionTransitions;
    schedule: SubscriptionSchedule;
    ends: CycleEnds;
    contradictions: ContradictionStore;
  }) {
    this.#subscriptions = deps.subscriptions;
    this.#cycles = deps.cycles;
    this.#transitions = deps.transitions;
    this.#schedule = deps.schedule;
    this.#ends = deps.ends;
    this.#findings = new DebitFindings(deps.contradictions);
  }

  /** Takes a report, and plans what follows. Returns whether something is due now. */
  report({ number, step, lease, result }: ReportSubscriptionStep, nowMs: number): boolean {
    const before = this.#subscriptions.findNumber(number);
    if (before === null) return false;
    const cycle = step?.cycle == null ? null : this.#cycles.find(before.id, step.cycle);
    const after = this.#take(before, { kind: step?.kind ?? null, cycle, result }, nowMs);
    // Another Worker has a step of it, and plans what follows.
    if (lease !== before.leaseUntil && after.leaseUntil > nowMs) return false;
    const next = this.#schedule.next(after, nowMs);
    const isSame = next !== null && next.kind === step?.kind && next.cycle === step.cycle;
    const isStuck = isSame && next.at <= nowMs;
    if (result.kind === "unknown" || isStuck) {
      this.#schedule.postpone(after, next, nowMs);
      return false;
    }
    const { nextCheckAt } = this.#schedule.plan(after, next, nowMs);
    return nextCheckAt !== null && nextCheckAt <= nowMs;
  }

  #take(
    before: StoredSubscription,
    told: {
      kind: NonNullable<ReportSubscriptionStep["step"]>["kind"] | null;
      cycle: StoredCycle | null;
      result: StepResult;
    },
    nowMs: number,
  ): StoredSubscription {
    const { kind, cycle, result } = told;
    switch (result.kind) {
      case "mandate":
        return this.#takeMandate(before, result.mandate, nowMs);
      case "mandate_refused":
        return this.#refuseMandate(before, result.message, nowMs);
      case "not_made":
      case "unknown":
        return before;
      case "debit":
      case "debit_refused":
      case "order_refused":
      case "made_by_hand":
      case "card_skipped":
      case "emailed":
      case "unmade":
      case "closed":
      case "checked":
        // The provider was never asked for the mandate: nothing is left to end.
        if (kind === "end_mandate") return this.#forgetMandate(before, nowMs);
        // What has ended changes no more, but for money that comes all the same, and the link by which it may come.
        if (cycle === null || (cycle.status !== "open" && !isTakenClosed(result))) return before;
        return this.#takeOfCycle(before, { kind, cycle, result }, nowMs);
    }
  }

  #takeOfCycle(
    before: StoredSubscription,
    told: { kind: string | null; cycle: StoredCycle; result: StepResult },
    nowMs: number,
  ): StoredSubscription {
    const { kind, cycle, result } = told;
    if (result.kind === "closed") return this.#ends.close(before, cycle, result, nowMs);
    if (result.kind === "debit") return this.#takeDebit(before, cycle, result.debit, nowMs);
    if (result.kind === "debit_refused")
      return this.#refuseDebit(before, cycle, result.reason, nowMs);
    if (result.kind === "order_refused")
      return this.#refuseOrder(before, cycle, result.reason, nowMs);
    if (result.kind === "made_by_hand") return this.#takeByHand(before, cycle, result, nowMs);
    if (result.kind === "card_skipped") return this.#takeSkippedCard(before, cycle, result, nowMs);
    if (result.kind === "emailed") return this.#takeEmailed(before, cycle, nowMs);
    if (kind === "end_dunning") return this.#ends.endDunning(before, cycle, nowMs);
    if (result.kind === "unmade") return this.#takeUnmade(before, { kind, cycle }, nowMs);
    this.#cycles.save({ ...cycle, checkedAt: nowMs });
    return before;
  }

  /**
   * A debit that nobody has: refused as too late, unless it was to pass. What passed closes as skipped, with the charge of an
   * order that was refused; what was left to its payer has failed.
   */
  #takeUnmade(
    before: StoredSubscription,
    { kind, cycle }: { kind: string | null; cycle: StoredCycle },
    nowMs: number,
  ): StoredSubscription {
    const isPassed = kind === "order_debit" && isSkipped(before, cycle);
    if ((kind === "order_debit" || kind === "order_retry") && !isPassed)
      return this.#refuseDebit(before, cycle, TOO_LATE[kind], nowMs);
    const debit = { ...cycle.debit, status: "cancelled" as const };
    const isSkippedNow = isPassed && leftToPayerUntil(before, cycle) === 0;
    const ended = isSkippedNow ? { ...debit, ending: "paused" as const } : debit;
    return this.#save(before, { ...cycle, debit: ended }, nowMs);
  }

  #takeMandate(before: StoredSubscription, told: ToldMandate, nowMs: number): StoredSubscription {
    const known = before.mandate;
    // Why it ended is told first; that this service then ended it as well is no news.
    const isTold = known.reason === null || known.reason === told.reason;
    const isErased = isPayerErased(before);
    // A second one under its contract is none of it.
    if (known.id !== null && known.id !== told.id) return before;
    const isOlder = MANDATE_RANK[told.status] < MANDATE_RANK[known.status];
    const status = isOlder ? known.status : told.status;
    const isOver = MANDATE_RANK[status] > MANDATE_RANK.approved;
    const mandate: SubscriptionMandate = {
      id: told.id,
      requestId: told.requestId ?? known.requestId,
      status,
      qrcode: told.qrcode ?? known.qrcode,
      payerIspb: told.payerIspb ?? known.payerIspb,
      reason: isTold ? told.reason : known.reason,
      orderedAt: known.orderedAt,
      sentAt: known.sentAt,
      isEnding: known.isEnding && !isOver,
      ...(known.needsApproval === undefined ? {} : { needsApproval: known.needsApproval }),
      ...endOf((isTold && !isErased ? told.end : undefined) ?? known.end),
    };
    const { customer } = before;
    const city = isErased ? null : (told.city ?? customer.city);
    const read = { ...before, mandateCheckedAt: nowMs };
    const isSame =
      city === customer.city && JSON.stringify(mandate) === JSON.stringify(pickMandate(known));
    if (isSame && !changesStatus(before, status)) {
      this.#subscriptions.save(read);
      return read;
    }
    const change = { mandate, customer: { ...customer, city }, mandateCheckedAt: nowMs };
    return this.#follow(read, change, nowMs);
  }

  /** Stores what is known of a mandate, and what it makes of the subscription. */
  #follow(
    before: StoredSubscription,
    change: Pick<StoredSubscription, "mandate"> & Partial<StoredSubscription>,
    nowMs: number,
  ): StoredSubscription {
    const { status } = change.mandate;
    if (!changesStatus(before, status))
      return this.#transitions.apply(before, { subscription: change }, null, nowMs).subscription;
    if (status === "approved") {
      const approved = { ...change, status: "active" as const };
      const type = "subscription.approved";
      return this.#transitions.apply(before, { subscription: approved }, type, nowMs).subscription;
    }
    const isPending = before.status === "pending_approval";
    const to = isPending
      ? (status as "rejected" | "cancelled" | "expired")
      : status === "expired"
        ? ("completed" as const)
        : ("cancelled" as const);
    return this.#ends.endSubscription({ ...before, ...change }, to, nowMs);
  }

  #forgetMandate(before: StoredSubscription, nowMs: number): StoredSubscription {
    const mandate = { ...before.mandate, isEnding: false };
    const change = { subscription: { mandate } };
    return this.#transitions.apply(before, change, null, nowMs).subscription;
  }

  /** The provider takes no such mandate, or no such request to the payer's bank. */
  #refuseMandate(
    before: StoredSubscription,
    providerMessage: string | null,
    nowMs: number,
  ): StoredSubscription {
    if (before.status !== "pending_approval") return before;
    const end = { by: "receiver_bank" as const, providerCode: null, providerMessage };
    const mandate = { ...before.mandate, reason: "PROVIDER_REFUSED" as const, end };
    return this.#ends.endSubscription({ ...before, mandate }, "rejected", nowMs);
  }

  #takeDebit(
    before: StoredSubscription,
    cycle: StoredCycle,
    told: ToldDebit,
    nowMs: number,
  ): StoredSubscription {
    const known = cycle.debit;
    this.#findings.closeTaken(cycle, told, nowMs);
    const status = debitStatusAfter(cycle, told.status);
    const attempts = attemptsAfter(before, cycle, { status, told, nowMs });
    const isTried = attempts.some(({ day, kind }) => kind === "retry" && day === known.retryDay);
    const retry = isTried || isDebitOver(status) ? NO_RETRY : {};
    const end = status === "paid" ? undefined : (told.end ?? known.end);
    const { isChargePaid, isPaidOtherwise } = this.#schedule.stateOf(cycle);
    // Of a cycle that is paid this service cancels the debit itself.
    const ending = isChargePaid || isPaidOtherwise ? known.ending : endingAfter(known, end);
    const debit = { ...known, ...retry, status, end, ending, refused: undefined };
    const changed = { ...cycle, debit, attempts, checkedAt: nowMs };
    const types = eventsOf(cycle.attempts, attempts);
    const isSame =
      types.length === 0 &&
      JSON.stringify([debit, attempts]) === JSON.stringify([known, cycle.attempts]);
    if (isSame) {
      this.#cycles.save(changed);
      return before;
    }
    return this.#announce(before, changed, { types, known: cycle }, nowMs);
  }

  #refuseDebit(
    before: StoredSubscription,
    cycle: StoredCycle,
    reason: DebitReason,
    nowMs: number,
  ): StoredSubscription {
    const { debit, dueDate } = cycle;
    const isRetry = debit.retryDay !== null;
    const failed: DebitAttempt = {
      day: debit.retryDay ?? debitDayOf(dueDate, before.customer.city),
      kind: isRetry ? "retry" : "due",
      status: "failed",
      reason: isPayerErased(before) ? inOurWords(reason) : reason,
      endToEndId: null,
      isUntaken: true,
    };
    const attempts = mergedAttempts(cycle.attempts, [withFailureDay(failed, [], nowMs)]);
    const status = isRetry ? debit.status : ("rejected" as const);
    const changed = {
      ...cycle,
      attempts,
      debit: { ...debit, ...NO_RETRY, status, refused: undefined },
    };
    const types = eventsOf(cycle.attempts, attempts);
    const told = { types, known: cycle };
    return this.#announce(before, { ...changed, checkedAt: nowMs }, told, nowMs);
  }

  /** The order of a debit is sent again tomorrow: a person hears of it while its days last. */
  #refuseOrder(
    before: StoredSubscription,
    cycle: StoredCycle,
    reason: DebitReason,
    nowMs: number,
  ): StoredSubscription {
    const day = debitDayOf(cycle.dueDate, before.customer.city);
    this.#findings.open(before, cycle, { day, reason }, nowMs);
    const message = isPayerErased(before) ? "" : (reason.providerMessage ?? "");
    const debit = { ...cycle.debit, refused: { at: nowMs, message } };
    return this.#save(before, { ...cycle, debit, checkedAt: nowMs }, nowMs);
  }

  /** The charge beside the debit is there. One of before a restore has a `secureId` and a method of its own. */
  #takeByHand(
    before: StoredSubscription,
    cycle: StoredCycle,
    told: Extract<StepResult, { kind: "made_by_hand" }>,
    nowMs: number,
  ): StoredSubscription {
    const { recovery } = cycle;
    if (recovery?.byHand === undefined) return before;
    const { method: _fixed, ...fixed } = recovery.byHand;
    const { secureRandom, method, digitableLine } = told;
    const byHand = {
      ...fixed,
      ...(method === undefined ? {} : { method }),
      ...(digitableLine === undefined ? {} : { digitableLine }),
      secureRandom,
      isMade: true,
    };
    const made = { ...cycle, recovery: withByHandMade(recovery, byHand, nowMs) };
    return isOfSavedCard(byHand)
      ? this.#save(before, made, nowMs)
      : this.#ends.tellLink(before, made, nowMs);
  }

  /** The saved card is not charged under the id that was fixed: another charge has it. */
  #takeSkippedCard(
    before: StoredSubscription,
    cycle: StoredCycle,
    { why, notBefore }: Extract<StepResult, { kind: "card_skipped" }>,
    nowMs: number,
  ): StoredSubscription {
    const { byHand, ...recovery } = cycle.recovery ?? {};
    const isUnmade = byHand?.isMade === false && isOfSavedCard(byHand);
    if (!isUnmade) return before;
    const card = { why, at: nowMs, notBefore };
    return this.#save(before, { ...cycle, recovery: { ...recovery, card } }, nowMs);
  }

  #takeEmailed(before: StoredSubscription, cycle: StoredCycle, nowMs: number): StoredSubscription {
    const { recovery } = cycle;
    if (recovery?.dunning === undefined) return before;
    const dunning = { ...recovery.dunning, emailedAt: nowMs };
    return this.#save(before, { ...cycle, recovery: { ...recovery, dunning } }, nowMs);
  }

  /**
   * Stores a cycle, once for each event about it, and does what the reasons of new failures and of its debit's end ask for: a
   * person looks at what contradicts the agreement or is our fault, and a mandate of no more use is read and needs a new
   * approval.
   */
  #announce(
    before: StoredSubscription,
    cycle: StoredCycle,
    { types, known }: { types: SubscriptionEventType[]; known: StoredCycle },
    nowMs: number,
  ): StoredSubscription {
    const [first = null, ...others] = types;
    const failures = newFailures(known.attempts, cycle.attempts);
    for (const failure of failures) this.#findings.open(before, cycle, failure, nowMs);
    const end = known.debit.end === undefined ? cycle.debit.end : undefined;
    const isSaid = cycle.attempts.some(({ reason }) => reason?.code === end?.code);
    if (end !== undefined && !isSaid)
      this.#findings.open(before, cycle, { day: "end", reason: end }, nowMs);
    const reasons = [...failures.map(({ reason }) => reason), end];
    const useless = reasons.filter((reason) => reason?.action === "new_approval");
    // One that has ended says so itself.
    const isUseless = useless.some((reason) => reason?.code !== "APPROVAL_ENDED");
    const mandate = { ...before.mandate, needsApproval: true as const };
    const read = useless.length > 0 ? { mandateCheckedAt: null } : {};
    const change = { cycle, subscription: isUseless ? { ...read, mandate } : read };
    let changed = this.#transitions.apply(before, change, first, nowMs);
    for (const type of others) {
      const { subscription } = changed;
      changed = this.#transitions.apply(subscription, { cycle: changed.cycle }, type, nowMs);
    }
    return changed.subscription;
  }

  #save(before: StoredSubscription, cycle: StoredCycle, nowMs: number): StoredSubscription {
    return this.#transitions.apply(before, { cycle }, null, nowMs).subscription;
  }
}
