import type { Subscription } from "./records.ts";
import { isSubscriptionOver } from "./subscription.ts";

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
  const end = mandate.end === undefined ? {} : { end: { ...mandate.end, providerMessage: null } };
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
