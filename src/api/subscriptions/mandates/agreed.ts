import { isAsAgreed } from "../../../domain/subscriptions/mandate-terms.ts";
import type { Subscription } from "../../../domain/subscriptions/records.ts";
import type { MandateDetails } from "../../../providers/mandate-provider.ts";
import { recordFinding } from "../../bank-reconciliation/record-finding.ts";
import type { BookingContext } from "../../payments/provider-order.ts";
import { mandateSubject } from "../../provider-callbacks/subjects.ts";

/**
 * Whether a mandate that is known by its contract alone has the terms that its subscription ordered. A person is told of one
 * with others, once: its payer would be debited what nobody agreed to.
 */
export async function isMandateAsAgreed(
  { env, company }: Pick<BookingContext, "env" | "company">,
  subscription: Pick<Subscription, "id" | "account" | "terms" | "mandate">,
  { mandateId, status, terms: told }: MandateDetails,
): Promise<boolean> {
  const { id, account, terms, mandate } = subscription;
  const { firstDueDate, endDate, period, amount } = terms;
  if (mandate.id !== null || isAsAgreed(told, { schedule: terms, amount })) return true;
  await recordFinding(env, company.id, {
    finding: `mandate_terms:${account}:${mandateId}`,
    kind: "record_unreadable",
    object: mandateSubject(mandateId),
    said: { account, list: "mandates", mandateId, status, ...told },
    booked: {
      fault: "A mandate under our contract has other terms than its subscription.",
      subscriptionId: id,
      firstDueDate,
      endDate,
      period,
      ...amount,
    },
    amount: 0,
    held: 0,
  });
  return false;
}
