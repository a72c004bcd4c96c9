import type {
  ClaimSubscriptionAnswer,
  StepResult,
} from "../../company/subscriptions/command-types.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { instructionRefusal } from "../../domain/subscriptions/debit-window.ts";
import { refusedOrder } from "../../domain/subscriptions/debit-codes.ts";
import { leftToPayerUntil } from "../../domain/subscriptions/dunning.ts";
import { isSkipped, type StepKind } from "../../domain/subscriptions/next-step.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import { assert } from "../../lib/assert.ts";
import { log } from "../../lib/log.ts";
import type {
  DebitReport,
  MandateOrder,
  MandateProvider,
  MandateReport,
} from "../../providers/mandate-provider.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import { findTransaction } from "../transactions/repository.ts";
import { syncCharge } from "../transactions/sync.ts";
import { ensureApprovalCharge, ensureDebitCharge } from "./charge.ts";
import { closeCharges } from "./close-charge.ts";
import { bookDebit } from "./debit-money.ts";
import { emailLink, makeByHand, readByHand, type OwnContext } from "./dunning/steps.ts";
import { isMandateAsAgreed } from "./mandates/agreed.ts";
import { toldDebit, toldMandate } from "./told.ts";

/** Before this a mandate whose order got no answer may still appear in the provider's lists. */
const LISTED_AFTER_MS = 10 * 60_000;
/** The provider's clock may be behind. */
const LISTED_BEFORE_MS = 24 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

const UNKNOWN = { kind: "unknown" } as const;

export type ClaimedStep = Extract<ClaimSubscriptionAnswer, { kind: "do" }>;

/** What a step is done with. */
interface StepContext extends OwnContext {
  provider: Provider;
  mandates: MandateProvider;
}

/** The steps that need nothing of their mandate's account. */
const OWN_STEPS: ReadonlyMap<
  StepKind,
  (context: OwnContext, of: CycleStep) => Promise<StepResult>
> = new Map([
  ["close_cycle", closeCharges],
  ["make_by_hand", makeByHand],
  ["email_link", emailLink],
  ["end_dunning", readByHand],
] as const);

/** Does a claimed step that needs nothing of its mandate's account, which may be gone; null for any other. */
export function performOwnStep(
  context: OwnContext,
  claimed: ClaimedStep,
): Promise<StepResult> | null {
  const perform = OWN_STEPS.get(claimed.step.kind);
  return perform === undefined ? null : perform(context, ofCycle(claimed));
}

/**
 * Does a claimed step at its provider. What may have been ordered before is looked up first; an answer that did not come is
 * `unknown`, and so is everything while the company takes no new charges.
 */
export function performStep(context: StepContext, claimed: ClaimedStep): Promise<StepResult> {
  switch (claimed.step.kind) {
    case "create_mandate":
      return createMandate(context, claimed);
    case "ask_approval":
      return askApproval(context, claimed);
    case "check_mandate":
      return checkMandate(context, claimed);
    case "end_mandate":
      return endMandate(context, claimed);
    case "order_debit":
      return orderDebit(context, ofCycle(claimed));
    case "check_debit":
    case "check_retry":
      return checkDebit(context, ofCycle(claimed));
    case "order_retry":
      return orderRetry(context, ofCycle(claimed));
    case "end_debit":
      return endDebit(context, ofCycle(claimed));
    case "close_cycle":
    case "make_by_hand":
    case "email_link":
    case "end_dunning":
    case "open_cycle":
    case "plan_retry":
    case "offer_link":
    case "give_up":
    case "expire":
    case "complete":
      throw new Error(`${claimed.step.kind} is done without the mandate's account`);
  }
}

/** A claimed step about a cycle. */
interface CycleStep {
  subscription: Subscription;
  cycle: SubscriptionCycle;
  isRepeated: boolean;
}

function ofCycle({ subscription, cycle, isRepeated, step }: ClaimedStep): CycleStep {
  assert(cycle !== null, `a step ${step.kind} is about a cycle`);
  return { subscription, cycle, isRepeated };
}

/** Waits for a provider's answer as any of its calls. */
function ask<Answer>(
  { provider, company }: StepContext,
  call: Promise<Answer>,
): Promise<Answer | typeof UNKNOWN> {
  return callProvider(call, { provider: provider.name, companyId: company.id });
}

async function createMandate(
  context: StepContext,
  { subscription, cycle, isRepeated, maySend }: ClaimedStep,
): Promise<StepResult> {
  const { mandates, company } = context;
  if (company.chargesStopped !== null) return UNKNOWN;
  const order = orderOf(subscription, cycle);
  const { orderedAt } = subscription.mandate;
  if (isRepeated && orderedAt !== null && !mandates.idempotentMandates) {
    const found = await findOrdered(context, subscription, order);
    if (found.kind === "known" && !(await isMandateAsAgreed(context, subscription, found.mandate)))
      return UNKNOWN;
    if (found.kind !== "not_found") return mandateResult(found);
    // An order on its way is in no list yet.
    if (!maySend) return UNKNOWN;
  }
  if (cycle !== null) {
    const charge = await ensureApprovalCharge(context, context.provider, { subscription, cycle });
    if (charge.failure !== null)
      return { kind: "mandate_refused", message: charge.failureReason?.message ?? null };
  }
  const outcome = await ask(context, mandates.createMandate(order));
  if (outcome.kind === "created") return { kind: "mandate", mandate: toldMandate(outcome.mandate) };
  return outcome.kind === "refused"
    ? { kind: "mandate_refused", message: outcome.message }
    : UNKNOWN;
}

function findOrdered(
  context: StepContext,
  { mandate }: Subscription,
  order: MandateOrder,
): Promise<MandateReport> {
  const since = (mandate.orderedAt ?? context.deps.clock.now()) - LISTED_BEFORE_MS;
  return ask(context, context.mandates.findMandateByContract(order, since));
}

function orderOf(
  { id, description, customer, terms }: Subscription,
  approval: SubscriptionCycle | null,
): MandateOrder {
  const { name, document } = customer;
  const { period, firstDueDate, endDate } = terms;
  return {
    subscriptionId: providerChargeId(id),
    description,
    payer: { name, document },
    schedule: { period, firstDueDate, endDate },
    amount: terms.amount,
    allowsRetries: terms.retry.length > 0,
    journey: terms.journey,
    firstChargeId: approval === null ? null : providerChargeId(approval.transactionId),
  };
}

function mandateResult(report: MandateReport): StepResult {
  return report.kind === "known"
    ? { kind: "mandate", mandate: toldMandate(report.mandate) }
    : UNKNOWN;
}

async function askApproval(context: StepContext, claimed: ClaimedStep): Promise<StepResult> {
  const { mandates } = context;
  const { subscription } = claimed;
  const { mandate, terms, customer, approvalExpiresAt: expiresAt } = subscription;
  const { payerAccount } = terms;
  if (mandate.id === null || payerAccount === null) return UNKNOWN;
  const document = payerAccount.document ?? customer.document;
  const account = { ...payerAccount, document };
  const outcome = await ask(context, mandates.requestApproval(mandate.id, { account, expiresAt }));
  if (outcome.kind === "unknown") return UNKNOWN;
  if (outcome.kind === "refused") return { kind: "mandate_refused", message: outcome.message };
  const report = await findMandate(context, claimed);
  if (report.kind !== "known") return UNKNOWN;
  const told = toldMandate(report.mandate);
  const requestId = told.requestId ?? outcome.requestId;
  return requestId === null ? UNKNOWN : { kind: "mandate", mandate: { ...told, requestId } };
}

async function findMandate(
  context: StepContext,
  { subscription, cycle: approval }: Pick<ClaimedStep, "subscription" | "cycle">,
): Promise<MandateReport> {
  const { mandate } = subscription;
  if (mandate.id === null) return UNKNOWN;
  const chargeId = approval === null ? null : providerChargeId(approval.transactionId);
  return ask(context, context.mandates.findMandate(mandate.id, chargeId));
}

async function checkMandate(context: StepContext, claimed: ClaimedStep): Promise<StepResult> {
  return mandateResult(await findMandate(context, claimed));
}

/** One whose order got no answer is searched for first: it may wait for its payer. */
async function endMandate(context: StepContext, claimed: ClaimedStep): Promise<StepResult> {
  const { mandates, deps } = context;
  const { subscription } = claimed;
  const { id, orderedAt } = subscription.mandate;
  if (id === null) {
    const found = await findOrdered(context, subscription, orderOf(subscription, null));
    // One with other terms is ended as well: it is under our contract.
    if (found.kind === "known") await isMandateAsAgreed(context, subscription, found.mandate);
    if (found.kind !== "not_found") return mandateResult(found);
    const isListed = deps.clock.now() - (orderedAt ?? 0) >= LISTED_AFTER_MS;
    return isListed ? { kind: "unmade" } : UNKNOWN;
  }
  const outcome = await ask(context, mandates.cancelMandate(id));
  return outcome.kind === "unknown" ? UNKNOWN : checkMandate(context, claimed);
}

async function orderDebit(
  context: StepContext,
  { subscription, cycle, isRepeated }: CycleStep,
): Promise<StepResult> {
  const { mandates, deps, provider, company } = context;
  const { customer, mandate, description } = subscription;
  if (mandate.id === null) return UNKNOWN;
  const isPassed = isSkipped(subscription, cycle);
  const isLate =
    isPassed || instructionRefusal(cycle.dueDate, customer.city, deps.clock.now()) !== null;
  // A cycle that is opened again after a restore may have been ordered before.
  if (isRepeated || isLate) {
    const found = await findDebit(context, cycle);
    if (found.kind !== "not_found") return reportDebit(context, cycle, found);
  }
  if (company.chargesStopped !== null && !isPassed) return UNKNOWN;
  if (deps.clock.now() < leftToPayerUntil(subscription, cycle)) return { kind: "checked" };
  if (isLate) return { kind: "unmade" };
  // A payer who has cancelled in his bank's app is asked for nothing.
  const approved = await findMandate(context, { subscription, cycle: null });
  if (approved.kind !== "known" || approved.mandate.status !== "approved")
    return mandateResult(approved);
  await ensureDebitCharge(context, provider, { subscription, cycle });
  const order = {
    chargeId: providerChargeId(cycle.transactionId),
    mandateId: mandate.id,
    dueDate: cycle.dueDate,
    amount: cycle.amount,
    info: description,
  };
  const outcome = await ask(context, mandates.scheduleDebit(order));
  if (outcome.kind === "refused") {
    const tomorrow = deps.clock.now() + DAY_MS;
    // The window is days long, so that what is refused today may be taken tomorrow.
    const isLast = instructionRefusal(cycle.dueDate, customer.city, tomorrow) !== null;
    return refused(context, cycle, { order: "debit", isLast, message: outcome.message });
  }
  return outcome.kind === "accepted" ? { kind: "debit", debit: toldDebit(outcome.debit) } : UNKNOWN;
}

/** An order that the provider did not take. What it says may name the payer, and is in no log. */
function refused(
  { company }: StepContext,
  { subscriptionId, cycle }: SubscriptionCycle,
  { message, ...about }: { order: "debit" | "retry"; isLast: boolean; message: string },
): StepResult {
  log("warn", "debit_order_refused", { companyId: company.id, subscriptionId, cycle, ...about });
  return { kind: about.isLast ? "debit_refused" : "order_refused", reason: refusedOrder(message) };
}

function findDebit(context: StepContext, cycle: SubscriptionCycle): Promise<DebitReport> {
  return ask(context, context.mandates.findDebit(providerChargeId(cycle.transactionId)));
}

function reportDebit(
  context: StepContext,
  cycle: SubscriptionCycle,
  report: Exclude<DebitReport, { kind: "not_found" }>,
): Promise<StepResult> | StepResult {
  return report.kind === "unknown" ? UNKNOWN : bookDebit(context, cycle, report);
}

function chargeOf(
  { env, company }: StepContext,
  { transactionId }: SubscriptionCycle,
): Promise<TransactionRow | null> {
  return findTransaction(env, company.id, transactionId);
}

async function checkDebit(
  context: StepContext,
  { subscription, cycle }: CycleStep,
): Promise<StepResult> {
  if (cycle.cycle < firstDebitedCycle(subscription.terms.journey)) {
    const row = await chargeOf(context, cycle);
    const outcome = row === null ? "open" : await syncCharge(context, context.provider, row);
    return outcome === "unknown" ? UNKNOWN : { kind: "checked" };
  }
  const found = await findDebit(context, cycle);
  // It was there: that it is gone is no answer to rely on.
  return found.kind === "not_found" ? UNKNOWN : reportDebit(context, cycle, found);
}

async function orderRetry(
  context: StepContext,
  { cycle, isRepeated }: CycleStep,
): Promise<StepResult> {
  const { mandates, deps, company } = context;
  const { retryDay } = cycle.debit;
  if (company.chargesStopped !== null || retryDay === null) return UNKNOWN;
  if (isRepeated) {
    const found = await findDebit(context, cycle);
    if (found.kind !== "known") return UNKNOWN;
    const isOrdered = found.debit.attempts.some(({ day }) => day === retryDay);
    if (isOrdered) return reportDebit(context, cycle, found);
  }
  if (retryDay <= saoPauloDay(deps.clock.now())) return { kind: "unmade" };
  const chargeId = providerChargeId(cycle.transactionId);
  const outcome = await ask(context, mandates.retryDebit(chargeId, retryDay));
  if (outcome.kind === "refused")
    return refused(context, cycle, { order: "retry", isLast: true, message: outcome.message });
  return outcome.kind === "accepted" ? { kind: "debit", debit: toldDebit(outcome.debit) } : UNKNOWN;
}

async function endDebit(context: StepContext, { cycle }: CycleStep): Promise<StepResult> {
  const chargeId = providerChargeId(cycle.transactionId);
  const outcome = await ask(context, context.mandates.cancelDebit(chargeId));
  const found = await findDebit(context, cycle);
  if (found.kind === "not_found") {
    // Its order may still be on its way.
    const since = context.deps.clock.now() - (cycle.debit.orderedAt ?? 0);
    return since < LISTED_AFTER_MS ? UNKNOWN : { kind: "unmade" };
  }
  return outcome.kind === "unknown" ? UNKNOWN : reportDebit(context, cycle, found);
}
