import { callCompany } from "../../company/stub.ts";
import type { Company } from "../../domain/company.ts";
import { withdrawOfObject } from "../../domain/object-id.ts";
import type { WithdrawRecord } from "../../domain/withdraw.ts";
import type { Env } from "../../env.ts";
import type { Dependencies } from "../../http/context.ts";
import {
  answerOf,
  type ListedPayment,
  type PaymentReport,
  type Provider,
} from "../../providers/provider.ts";
import { providerOfCharge } from "../../providers/registry.ts";
import { processOperation } from "../transactions/operations.ts";
import { findTransaction } from "../transactions/repository.ts";
import { applyCharge, syncCharge } from "../transactions/sync.ts";
import { syncPayout, type ReadBack } from "../withdraws/payout.ts";
import { otherObject, transactionOfCharge } from "./objects.ts";

/** How a payment that may be for no charge comes in. */
const PAYMENT_METHOD = "PIX";

export interface ReadBackContext {
  env: Env;
  deps: Pick<Dependencies, "clock" | "providers">;
  company: Company;
}

/**
 * Reads back from its provider what a callback was about, and books what it says. May be run any
 * number of times. `nothing`: the provider knows of nothing that happened, yet or at all.
 */
export async function readBack(
  env: Env,
  deps: ReadBackContext["deps"],
  company: Company,
  objectId: string,
): Promise<ReadBack> {
  const context = { env, deps, company };
  const withdrawId = withdrawOfObject(objectId);
  if (withdrawId !== null) return readWithdrawBack(context, withdrawId);
  const other = otherObject(objectId);
  if (other === null) return readChargeBack(context, objectId);
  switch (other.kind) {
    case "payment":
      return readPaymentBack(context, other.id);
    case "payout":
      return readPayoutBack(context, other.id);
    case "operation":
      return readOperationBack(context, other.id);
  }
}

async function readChargeBack(
  { env, deps, company }: ReadBackContext,
  transactionId: string,
): Promise<ReadBack> {
  const row = await findTransaction(env, company.id, transactionId);
  // There never was such a charge; money that names it is found among what the provider lists.
  if (row === null) return "nothing";
  const provider = providerOfCharge(deps.providers(env), company, row);
  if (provider === null) return "unknown";
  const outcome = await syncCharge(env, provider, row, deps.clock.now());
  if (outcome === "unknown") return "unknown";
  return outcome === "open" || outcome === "not_found" ? "nothing" : "booked";
}

/** A payout's id leads to its withdraw; one that the company never gave to a withdraw is nothing. */
async function readPayoutBack(context: ReadBackContext, payoutId: string): Promise<ReadBack> {
  const { env, company } = context;
  const withdraw = await callCompany(env, company.id, (account) => account.findPayout(payoutId));
  return withdraw === null ? "nothing" : syncWithdraw(context, withdraw);
}

async function readWithdrawBack(context: ReadBackContext, withdrawId: number): Promise<ReadBack> {
  const { env, company } = context;
  const withdraw = await callCompany(env, company.id, (account) =>
    account.findWithdraw(withdrawId),
  );
  return withdraw === null ? "unknown" : syncWithdraw(context, withdraw);
}

async function syncWithdraw(
  { env, deps, company }: ReadBackContext,
  withdraw: WithdrawRecord,
): Promise<ReadBack> {
  const provider = deps.providers(env).forPayout(company);
  return provider === null ? "unknown" : syncPayout(env, provider, company, withdraw);
}

/** A refund is owed by its object, which asks until there is an answer: a callback is only a hint. */
async function readOperationBack(
  { env, deps, company }: ReadBackContext,
  operationId: string,
): Promise<ReadBack> {
  const id = await callCompany(env, company.id, (account) => account.findOperation(operationId));
  if (id === null) return "nothing";
  await processOperation(env, deps, company.id, id);
  return "booked";
}

async function readPaymentBack(context: ReadBackContext, paymentId: string): Promise<ReadBack> {
  const { env, deps, company } = context;
  const provider = deps.providers(env).forCharge(company, PAYMENT_METHOD);
  if (provider === null) return "unknown";
  const report: PaymentReport = await answerOf(provider.findPayment(paymentId), {
    provider: provider.name,
    companyId: company.id,
  });
  if (report.kind === "unknown") return "unknown";
  if (report.kind === "not_found") return "nothing";
  const { payment, chargeId } = report;
  const isBooked = await bookPayment(context, provider, { ...payment, chargeId });
  return isBooked ? "booked" : "nothing";
}

/**
 * Books a payment that its provider says has come: with its charge where it is for one of the
 * company's, set aside where it is for none. Answers false where it is for another company's charge,
 * which is never touched.
 */
export async function bookPayment(
  { env, deps, company }: ReadBackContext,
  provider: Provider,
  { chargeId, ...payment }: ListedPayment,
): Promise<boolean> {
  const charge = chargeId === null ? null : transactionOfCharge(chargeId);
  const row = charge === null ? null : await findTransaction(env, charge.companyId, charge.id);
  if (row === null) {
    await callCompany(env, company.id, (account) =>
      account.suspendPayment({ companyId: company.id, paymentMethod: PAYMENT_METHOD, payment }),
    );
    return true;
  }
  if (row.companyId !== company.id || row.provider !== provider.name) return false;
  const charged = { status: "open" as const, payments: [payment], disputes: [] };
  await applyCharge(env, row, charged, deps.clock.now());
  return true;
}
