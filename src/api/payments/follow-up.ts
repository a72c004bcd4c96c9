import type { PaymentFollowUp } from "../../company/charges/payment-types.ts";
import type { SettlePayment } from "../../company/charges/command-types.ts";
import {
  unexpectedRules,
  type UnexpectedPaymentRules,
} from "../../domain/charges/unexpected-payment.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import { errorFields, log } from "../../lib/log.ts";
import type { ChargeDetails, ProviderPayment } from "../../providers/charge.ts";
import { creditToNewTransaction } from "./credit.ts";
import { executeAndRecord, sendRefund, type BookingContext } from "./provider-order.ts";

export type { BookingContext } from "./provider-order.ts";

/**
 * The part of a payment's command that says what becomes of it if nobody expected it. No rule returns one
 * that comes with a dispute or a refund: its payer could get it back twice.
 */
export function rulesOf(
  { company, deps }: BookingContext,
  { paymentId }: Pick<ProviderPayment, "paymentId">,
  { disputes, refunds }: Pick<ChargeDetails, "disputes" | "refunds">,
): Pick<SettlePayment, "rules" | "operationId"> {
  const rules = unexpectedRules(company.unexpectedPayments);
  const isAskedBack =
    disputes.some((each) => (each.paymentId ?? paymentId) === paymentId && each.status !== "WON") ||
    refunds.some((each) => each.paymentId === paymentId && each.status !== "FAILED");
  return {
    rules: isAskedBack ? withoutReturns(rules) : rules,
    operationId: newUuid(deps.random),
  };
}

function withoutReturns(rules: UnexpectedPaymentRules): UnexpectedPaymentRules {
  return Object.fromEntries(
    Object.entries(rules).map(([reason, rule]) => [reason, rule === "return" ? "keep" : rule]),
  );
}

/**
 * Does at once what a rule asks for. Never throws: the payment is booked, and the object's own work and the
 * cron do later what fails here.
 */
export async function followUp(context: BookingContext, todo: PaymentFollowUp): Promise<void> {
  try {
    if (todo.kind === "credit") await creditToNewTransaction(context, todo.paymentId);
    else await sendReturn(context, todo.claimed);
  } catch (error) {
    const { id: companyId } = context.company;
    log("warn", "payment_follow_up_failed", { ...errorFields(error), companyId });
  }
}

function sendReturn(
  context: BookingContext,
  claimed: Extract<PaymentFollowUp, { kind: "return" }>["claimed"],
) {
  return executeAndRecord(context, claimed, null, (provider) =>
    sendRefund(context.company.id, provider, claimed),
  );
}
