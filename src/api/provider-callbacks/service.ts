import { callCompany } from "../../company/stub.ts";
import type { Company } from "../../domain/company.ts";
import { withdrawOfObject } from "../../domain/object-id.ts";
import type { Env } from "../../env.ts";
import type { Dependencies } from "../../http/context.ts";
import { answerOf, type PaymentReport } from "../../providers/provider.ts";
import type { ProviderRegistry } from "../../providers/registry.ts";
import { findTransaction } from "../transactions/repository.ts";
import { syncCharge } from "../transactions/sync.ts";
import { syncPayout, type ReadBack } from "../withdraws/payout.ts";

const PAYMENT_OBJECT = /^payment:(\w+)$/;

/** A payment that may be for no charge. */
export function paymentObject(paymentId: string): string {
  return `payment:${paymentId}`;
}

/**
 * Reads back from its provider what a callback was about, and books what it says. May be run any
 * number of times. `nothing`: the provider knows of nothing that happened, yet or at all.
 */
export async function readBack(
  env: Env,
  deps: Pick<Dependencies, "clock" | "providers">,
  company: Company,
  objectId: string,
): Promise<ReadBack> {
  const providers = deps.providers(env);
  const withdrawId = withdrawOfObject(objectId);
  if (withdrawId !== null) {
    const provider = providers.forPayout(company);
    const withdraw = await callCompany(env, company.id, (account) =>
      account.findWithdraw(withdrawId),
    );
    if (provider === null || withdraw === null) return "unknown";
    return syncPayout(env, provider, company, withdraw);
  }
  const paymentId = PAYMENT_OBJECT.exec(objectId)?.[1];
  if (paymentId !== undefined) return readPaymentBack(env, providers, company, paymentId);
  const row = await findTransaction(env, company.id, objectId);
  const provider = row === null ? null : providers.forCharge(company, row.paymentMethod);
  if (row === null || provider === null) return "unknown";
  const outcome = await syncCharge(env, provider, row, deps.clock.now());
  if (outcome === "unknown") return "unknown";
  return outcome === "open" || outcome === "not_found" ? "nothing" : "booked";
}

/** Money that matches no charge is set aside; a charge's own is read back with its charge. */
async function readPaymentBack(
  env: Env,
  providers: ProviderRegistry,
  company: Company,
  paymentId: string,
): Promise<ReadBack> {
  const paymentMethod = "PIX";
  const provider = providers.forCharge(company, paymentMethod);
  if (provider === null) return "unknown";
  const report: PaymentReport = await answerOf(provider.findPayment(paymentId), {
    provider: provider.name,
    companyId: company.id,
  });
  if (report.kind === "unknown") return "unknown";
  // A charge's own payment is announced, and read back, with its charge.
  if (report.kind === "not_found" || report.chargeId !== null) return "nothing";
  const { payment } = report;
  await callCompany(env, company.id, (account) =>
    account.suspendPayment({ companyId: company.id, paymentMethod, payment }),
  );
  return "booked";
}
