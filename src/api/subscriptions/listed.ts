import { callCompany } from "../../company-client/stub.ts";
import type { Finding } from "../../company/contradictions/contradiction-store.ts";
import { transactionOfCharge } from "../../domain/charges/transaction.ts";
import { companyIdOfTransactionId, hyphenateUuid } from "../../domain/shared/ids.ts";
import {
  debitStatusAfter,
  takenAttempts,
  type CycleStatus,
  type Subscription,
  type SubscriptionCycle,
} from "../../domain/subscriptions/records.ts";
import {
  attemptNews,
  isAttemptOpen,
  mergedAttempts,
} from "../../domain/subscriptions/subscription.ts";
import { log } from "../../lib/log.ts";
import type {
  DebitDetails,
  MandateDetails,
  ReportedDebit,
} from "../../providers/mandate-provider.ts";
import type { UnreadableRecord } from "../../providers/charge.ts";
import { unreadableRecord } from "../bank-reconciliation/findings.ts";
import { recordFinding } from "../bank-reconciliation/record-finding.ts";
import { recordSubject } from "../provider-callbacks/subjects.ts";
import { takeNews, type ListedAccount, type News } from "./mandates/news.ts";
import { hasApprovalCharge, isItsMandate, takeDebit, takeMandate } from "./read-back.ts";

/** Calls that a mandate's news takes: a finding and the object; with a charge also what that asks for and books. */
const MANDATE_CALLS = { alone: 2, withCharge: 14 };
/** Calls that a debit's news takes: its subscription and the object. */
const DEBIT_CALLS = 2;
/** With money also its charge, and who paid. */
const MONEY_CALLS = 2;
/** Each payment is claimed, booked, and followed up by up to two calls. */
const PAYMENT_CALLS = 4;

/**
 * Takes what a page of mandates tells that is not known, by one look at the company's object. Returns how many are of others,
 * which are left alone: those without a contract of a subscription here; and whether the budget was enough.
 */
export async function takeListedMandates(
  at: ListedAccount,
  listed: MandateDetails[],
): Promise<{ others: number; isAll: boolean }> {
  const { env, company, budget } = at;
  const own = listed.flatMap((mandate) => {
    const id = hyphenateUuid(mandate.subscriptionId ?? "");
    return companyIdOfTransactionId(id) === company.id ? [{ id, mandate }] : [];
  });
  const others = listed.length - own.length;
  if (own.length === 0) return { others, isAll: true };
  if (!budget.spendCalls(1)) return { others, isAll: false };
  const ids = own.map(({ id }) => id);
  const known = await callCompany(env, company.id, (object) => object.findSubscriptions(ids));
  const news: News[] = [];
  for (const { id, mandate } of own) {
    const subscription = known.find((each) => each.id === id);
    // Another account of the client has it.
    if (subscription !== undefined && subscription.account !== at.provider.account) continue;
    const told = { record: `mandate:${mandate.mandateId}`, what: mandate };
    if (subscription === undefined || !isItsMandate(subscription, mandate.mandateId)) {
      const about = { companyId: company.id, subscriptionId: id };
      news.push({ calls: 0, told, take: async () => leaveAlone(about) });
    } else if (isMandateNews(subscription, mandate)) {
      const isWithCharge = hasApprovalCharge(subscription);
      news.push({
        calls: isWithCharge ? MANDATE_CALLS.withCharge : MANDATE_CALLS.alone,
        // One with other terms stays unknown.
        told: subscription.mandate.id === null ? told : null,
        take: () => takeMandate(at, subscription, mandate),
      });
    }
  }
  return { others, isAll: await takeNews(at, news) };
}

function leaveAlone(about: { companyId: number; subscriptionId: string }): "booked" {
  log("warn", "mandate_not_ordered", about);
  return "booked";
}

function isMandateNews({ mandate: known }: Subscription, { status }: MandateDetails): boolean {
  return known.id === null || known.status !== status;
}

/**
 * Takes what a page of debits tells that is not known: books the money, and tells the company's object. Operators hear of
 * those that cannot be read, and of those of which nobody here knows the order, though money is asked or was paid for them.
 * Returns whether the budget was enough.
 */
export async function takeListedDebits(
  at: ListedAccount,
  { debits, unreadable }: { debits: ReportedDebit[]; unreadable: UnreadableRecord[] },
): Promise<boolean> {
  const { env, company, budget, provider } = at;
  const own = debits.flatMap((listed) => {
    const transaction = transactionOfCharge(listed.debit.chargeId);
    return transaction?.companyId === company.id ? [{ id: transaction.id, listed }] : [];
  });
  const findings = await Promise.all(
    unreadable.map((each) => unreadableRecord(provider.account, each)),
  );
  const news = findings.map((finding) => findingNews(at, finding));
  if (own.length > 0 && !budget.spendCalls(1)) return false;
  const ids = own.map(({ id }) => id);
  const cycles =
    own.length === 0
      ? []
      : await callCompany(env, company.id, (object) => object.findCyclesOfCharges(ids));
  for (const { id, listed } of own) {
    const cycle = cycles.find(({ transactionId }) => transactionId === id);
    const { debit } = listed;
    if (cycle === undefined) {
      if (MONEY.has(debit.status))
        news.push(findingNews(at, unorderedDebit(provider.account, id, debit)));
    } else if (isNews(cycle, debit) || isUnreadNews(cycle, listed)) {
      news.push({
        calls: debitCalls(listed),
        // An open cycle takes what it is told.
        told: cycle.status === "open" ? null : { record: `debit:${debit.chargeId}`, what: listed },
        take: () => takeDebit(at, cycle, listed),
      });
    } else if (isForgotten(cycle, debit)) {
      news.push(findingNews(at, unorderedDebit(provider.account, id, debit, cycle.status)));
    }
  }
  return takeNews(at, news);
}

function findingNews({ env, company }: ListedAccount, finding: Finding): News {
  const told = { record: finding.object, what: finding };
  const take = async () => {
    await recordFinding(env, company.id, finding);
    return "booked" as const;
  };
  return { calls: 1, told, take };
}

function debitCalls({ debit: { charge }, unreadable = [] }: ReportedDebit): number {
  const { payments, disputes, refunds } = charge;
  const parts = disputes.length + refunds.length + unreadable.length;
  const money = payments.length * PAYMENT_CALLS + parts;
  return DEBIT_CALLS + (money === 0 ? 0 : MONEY_CALLS + money);
}

/** The states of a debit for which the payer pays, or has paid. */
const MONEY: ReadonlySet<DebitDetails["status"]> = new Set(["created", "active", "paid"]);

/** Whether a debit has what its cycle takes, as the object decides it. */
function isNews(cycle: SubscriptionCycle, told: DebitDetails): boolean {
  const { status, debit, attempts } = cycle;
  // Of a cycle that is paid by hand it is a second payment.
  const isBooked = status === "paid" && debit.status === "paid";
  if (told.charge.payments.length > 0 && !isBooked) return true;
  if (status !== "open") return false;
  if (attemptNews(attempts, told.attempts).length > 0) return true;
  return debitStatusAfter(cycle, told.status) !== debit.status;
}

/** Whether a debit has money that cannot be read. */
function isUnreadNews({ status }: SubscriptionCycle, { unreadable = [] }: ReportedDebit): boolean {
  return unreadable.length > 0 && status !== "paid";
}

/** Whether a payer is still to be debited for a cycle that has ended: it was refused, or nobody had it. */
function isForgotten(cycle: SubscriptionCycle, told: DebitDetails): boolean {
  if (cycle.status === "open" || cycle.debit.status === "paid") return false;
  const known = mergedAttempts(takenAttempts(cycle, told.status), told.attempts);
  const isLive = known.length === 0 || known.some(isAttemptOpen);
  return isLive && (told.status === "created" || told.status === "active");
}

/**
 * A payer is debited, or was, under an id of ours that nobody here knows, as after a restore, or whose cycle has ended.
 * Centavos.
 */
function unorderedDebit(
  account: string,
  transactionId: string,
  { chargeId, mandateId, amount, status }: DebitDetails,
  ended: CycleStatus | null = null,
): Finding {
  return {
    finding: `debit_not_ordered:${account}:${chargeId}`,
    kind: "record_unreadable",
    object: recordSubject(chargeId),
    said: { account, list: "debits", transactionId, mandateId, amount, status },
    booked:
      ended === null
        ? { fault: "Nobody here knows that this debit was ordered." }
        : { fault: "This debit goes on, though its cycle has ended.", status: ended },
    amount,
    held: 0,
  };
}
