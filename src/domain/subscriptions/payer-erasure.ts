import { inOurWords, shortCode } from "./debit-codes.ts";
import type { Subscription, SubscriptionCycle, ToldEnd } from "./records.ts";
import { isSubscriptionOver, type DebitAttempt } from "./subscription.ts";

/** Whether nothing needs a subscription's payer any more: it has ended, also at the payer's bank. */
export function isPayerErasable({
  status,
  mandate,
}: Pick<Subscription, "status" | "mandate">): boolean {
  return isSubscriptionOver(status) && !mandate.isEnding;
}

/** Whether a subscription has nothing of its payer any more. */
export function isPayerErased({ customer }: Pick<Subscription, "customer">): boolean {
  return customer.document.number === "";
}

/** A subscription without its payer, and without the merchant's text on it. */
export function withoutPayer<Kept extends Subscription>(subscription: Kept): Kept {
  const { customer, terms, mandate } = subscription;
  // A bank's sentence may name him.
  const end = mandate.end === undefined ? {} : { end: erasedEnd(mandate.end) };
  const document = { ...customer.document, number: "" };
  const asked = customer.erasesCharges === true ? { erasesCharges: true as const } : {};
  const nobody = { name: "", email: "", externalRef: "", city: null, document, ...asked };
  return {
    ...subscription,
    customer: nobody,
    terms: { ...terms, payerAccount: null },
    mandate: { ...mandate, ...end },
    metadata: null,
  };
}

function erasedEnd(end: ToldEnd): ToldEnd {
  return { ...end, providerCode: shortCode(end.providerCode), providerMessage: null };
}

/** A cycle without a bank's texts on its payer, as older ones may have. */
export function withoutBankTexts<Kept extends Pick<SubscriptionCycle, "debit" | "attempts">>(
  cycle: Kept,
): Kept {
  const { debit, attempts } = cycle;
  const end = debit.end === undefined ? {} : { end: inOurWords(debit.end) };
  return {
    ...cycle,
    debit: { ...debit, ...end, refused: undefined },
    attempts: attempts.map(attemptInOurWords),
  };
}

function attemptInOurWords(attempt: DebitAttempt): DebitAttempt {
  const { reason } = attempt;
  return reason === null ? attempt : { ...attempt, reason: inOurWords(reason) };
}
