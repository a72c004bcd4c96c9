import type { SuspendedPayment } from "../../company/commands.ts";
import { callCompany } from "../../company/stub.ts";
import { isoTime } from "../../domain/clock.ts";
import { newUuid } from "../../domain/ids.ts";
import { Problem } from "../../domain/problem.ts";
import type { Dependencies } from "../../http/context.ts";
import { notFound } from "../../http/problems.ts";
import { assert } from "../../lib/assert.ts";
import { carryOut, type OperationContext } from "../transactions/operations.ts";
import { findTransaction } from "../transactions/repository.ts";

export function suspendedPaymentView(payment: SuspendedPayment) {
  return { ...payment, paidAt: isoTime(payment.paidAt) };
}

/**
 * Sends a payment back that nobody expected, once, however often it is asked. Throws 404 where there
 * is no such payment, 422 where the provider refuses.
 */
export async function returnPayment(
  context: OperationContext & { deps: Dependencies },
  endToEndId: string,
) {
  const { env, deps, company } = context;
  const payment = await callCompany(env, company.id, (account) =>
    account.suspendedPayment(endToEndId),
  );
  if (payment === null) throw notFound("suspended payment");
  const row = await findTransaction(env, company.id, payment.transactionId);
  assert(row !== null, `transaction ${payment.transactionId} is in D1`);
  const command = {
    companyId: company.id,
    operationId: newUuid(deps.random),
    endToEndId,
    paymentMethod: row.paymentMethod,
  };
  const accepted = await callCompany(env, company.id, (account) => account.requestReturn(command));
  if (accepted.kind === "send" || accepted.kind === "ask") {
    const reply = await carryOut(context, accepted, null);
    if (reply.outcome === "FAILED") {
      throw new Problem({
        code: "REFUND_REFUSED",
        detail: `The provider refused this return. ${reply.reason ?? ""}`.trim(),
      });
    }
  }
  const after = await callCompany(env, company.id, (account) =>
    account.suspendedPayment(endToEndId),
  );
  assert(after !== null, "a suspended payment stays on record");
  return { payment: suspendedPaymentView(after), done: after.returnStatus === "DONE" };
}
