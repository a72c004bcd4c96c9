import type { SuspendedPayment } from "../../company/commands.ts";
import { callCompany } from "../../company/stub.ts";
import { isoTime } from "../../domain/clock.ts";
import { newUuid } from "../../domain/ids.ts";
import { Problem } from "../../domain/problem.ts";
import type { Dependencies } from "../../http/context.ts";
import { StaleCredentials } from "../../http/guess.ts";
import { invalidState, notFound } from "../../http/problems.ts";
import { assert } from "../../lib/assert.ts";
import { carryOut, type OperationContext } from "../transactions/operations.ts";

export function suspendedPaymentView(payment: SuspendedPayment) {
  return { ...payment, paidAt: isoTime(payment.paidAt) };
}

/**
 * Sends a payment back that nobody expected, once, however often it is asked. Throws 404 where there
 * is no such payment, 422 where the provider refuses.
 */
export async function returnPayment(
  context: OperationContext & { deps: Dependencies },
  paymentId: string,
) {
  const { env, deps, company } = context;
  const { id: companyId, credentialsVersion } = company;
  const command = { companyId, credentialsVersion, operationId: newUuid(deps.random), paymentId };
  const accepted = await callCompany(env, company.id, (account) => account.requestReturn(command));
  if (accepted.kind === "stale_credentials") throw new StaleCredentials(accepted.newest);
  if (accepted.kind === "not_found") throw notFound("suspended payment");
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
    account.suspendedPayment(paymentId),
  );
  assert(after !== null, "a suspended payment stays on record");
  return { payment: suspendedPaymentView(after), done: after.returnStatus === "DONE" };
}

/**
 * An operator's word on a withdraw that its provider does not answer for (`product.md` section 6).
 * Throws 404 where there is none, 409 where another outcome stands or somebody is at it.
 */
export async function decideWithdraw(
  { env, company }: OperationContext,
  id: number,
  decision: Decision,
) {
  const report =
    decision.outcome === "done"
      ? { kind: "paid" as const, endToEndId: decision.endToEndId ?? null }
      : { kind: "failed" as const, reason: decision.reason };
  const answer = await callCompany(env, company.id, (account) =>
    account.decidePayout(company.id, id, report),
  );
  if (answer.kind === "not_found") throw notFound("withdraw");
  if (answer.kind === "under_way") throw invalidState("It is under way");
  if (answer.kind === "contradiction") throw invalidState(`It is ${answer.status}`);
  return answer.withdraw;
}

/** The same for a refund, a cancel or a return, by the id its provider knows it by. */
export async function decideOperation(
  { env, company }: OperationContext,
  operationId: string,
  decision: Decision,
) {
  const id = await callCompany(env, company.id, (account) => account.findOperation(operationId));
  if (id === null) throw notFound("operation");
  const report =
    decision.outcome === "done"
      ? { kind: "done" as const }
      : { kind: "failed" as const, reason: decision.reason };
  const answer = await callCompany(env, company.id, (account) =>
    account.decideOperation(company.id, id, report),
  );
  if (answer.kind === "not_found") throw notFound("operation");
  if (answer.kind === "under_way") throw invalidState("It is under way");
  if (answer.kind === "contradiction") throw invalidState(`It is ${answer.reply.outcome}`);
  return { operationId, outcome: answer.reply.outcome, reason: answer.reply.reason };
}

export interface Decision {
  outcome: "done" | "failed";
  reason: string;
  endToEndId?: string | undefined;
}
