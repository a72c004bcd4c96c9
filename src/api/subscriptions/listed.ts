import { callCompany } from "../../company-client/stub.ts";
import { transactionOfCharge } from "../../domain/charges/transaction.ts";
import { companyIdOfTransactionId, hyphenateUuid } from "../../domain/shared/ids.ts";
import type { SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { log } from "../../lib/log.ts";
import type { DebitDetails, MandateDetails } from "../../providers/mandate-provider.ts";
import { isItsMandate, takeDebit, takeMandate, type MandateAccount } from "./read-back.ts";

/** A debit under an id of ours that no cycle has. */
export type UnorderedDebit = Pick<DebitDetails, "chargeId" | "mandateId" | "amount" | "status"> & {
  transactionId: string;
};

/**
 * Takes what a page of mandates tells that is not known, by one look at the company's object. Returns how many are of others,
 * which are left alone: those without a contract of a subscription here.
 */
export async function takeListedMandates(
  at: MandateAccount,
  listed: MandateDetails[],
): Promise<number> {
  const { env, company } = at;
  const own = listed.flatMap((mandate) => {
    const id = hyphenateUuid(mandate.subscriptionId ?? "");
    return companyIdOfTransactionId(id) === company.id ? [{ id, mandate }] : [];
  });
  if (own.length === 0) return listed.length;
  const ids = own.map(({ id }) => id);
  const known = await callCompany(env, company.id, (object) => object.findSubscriptions(ids));
  let others = listed.length - own.length;
  for (const { id, mandate } of own) {
    const subscription = known.find((each) => each.id === id);
    if (subscription === undefined || !isItsMandate(subscription, at.provider, mandate.mandateId)) {
      others += 1;
      log("warn", "mandate_not_ordered", { companyId: company.id, subscriptionId: id });
      continue;
    }
    const isTold =
      subscription.mandate.id !== null && subscription.mandate.status === mandate.status;
    if (!isTold) await takeMandate(at, subscription, mandate);
  }
  return others;
}

/**
 * Takes what a page of debits tells that is not known: books the money, and tells the company's object. Returns those of which
 * nobody here knows the order, though money is asked or was paid for them.
 */
export async function takeListedDebits(
  at: MandateAccount,
  listed: DebitDetails[],
): Promise<UnorderedDebit[]> {
  const { env, company } = at;
  const own = listed.flatMap((debit) => {
    const transaction = transactionOfCharge(debit.chargeId);
    return transaction?.companyId === company.id ? [{ id: transaction.id, debit }] : [];
  });
  if (own.length === 0) return [];
  const ids = own.map(({ id }) => id);
  const cycles = await callCompany(env, company.id, (object) => object.findCyclesOfCharges(ids));
  const unordered: UnorderedDebit[] = [];
  for (const { id, debit } of own) {
    const cycle = cycles.find(({ transactionId }) => transactionId === id);
    if (cycle === undefined) {
      const { chargeId, mandateId, amount, status } = debit;
      if (MONEY.has(status))
        unordered.push({ transactionId: id, chargeId, mandateId, amount, status });
    } else if (isNews(cycle, debit)) await takeDebit(at, cycle, { debit });
  }
  return unordered;
}

/** The states of a debit for which the payer pays, or has paid. */
const MONEY: ReadonlySet<DebitDetails["status"]> = new Set(["created", "active", "paid"]);

function isNews({ status, debit, attempts }: SubscriptionCycle, told: DebitDetails): boolean {
  // Of a cycle that is paid by hand it is a second payment.
  const isBooked = status === "paid" && debit.status === "paid";
  if (told.charge.payments.length > 0 && !isBooked) return true;
  if (status !== "open") return false;
  const isKnown = told.attempts.every((attempt) =>
    attempts.some(
      (each) =>
        each.day === attempt.day && each.kind === attempt.kind && each.status === attempt.status,
    ),
  );
  return !isKnown || debit.status !== told.status;
}
