import type {
  KeyedRequest,
  OperationReply,
  OperationReport,
  RequestOperationAnswer,
} from "../../company/operations/command-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import { providerOperationId, type OperationOrder } from "../../domain/charges/operation.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import type { CompanyDependencies } from "../../http/context.ts";
import { assert } from "../../lib/assert.ts";
import { log } from "../../lib/log.ts";
import { callProvider, type Provider, type RefundOrder } from "../../providers/provider.ts";

/** What booking a company's payments and carrying out its orders needs. */
export interface BookingContext {
  env: Env;
  deps: Pick<CompanyDependencies, "clock" | "platformClock" | "providers" | "random">;
  company: Company;
  /** False where nobody asked for a charge's card to be saved; left out where the request is not at hand. */
  savesCard?: boolean;
}

/** A claimed operation: `send` it, or `query` it first. */
export type ClaimedOperation = Extract<RequestOperationAnswer, { kind: "send" | "query" }>;

/** Carries out a claimed operation at the provider that has its charge or payment, and books the outcome. */
export async function executeAndRecord(
  { env, deps, company }: BookingContext,
  claimed: ClaimedOperation,
  reply: KeyedRequest | null,
  execute: (provider: Provider) => Promise<OperationReport>,
): Promise<OperationReply> {
  const { account: takenBy, paymentMethod } = claimed.order;
  const provider = await deps.providers(env).ofAccount(company, takenBy, paymentMethod);
  const report: OperationReport = provider === null ? { kind: "unknown" } : await execute(provider);
  if (provider === null) {
    log("error", "operation_provider_missing", { companyId: company.id, operation: claimed.id });
  }
  const answer = await callCompany(env, company.id, (account) =>
    account.recordOperation({ companyId: company.id, id: claimed.id, report, reply }),
  );
  assert(answer.kind !== "not_found", "a claimed operation is there");
  return answer.reply;
}

/**
 * Not for a frozen company. A refund is sent again where it never was (`neverSent`), and on an explicit "not found" of a
 * provider that never refunds an id twice. A refusal of that is believed only once the first one cannot be on its way
 * any more.
 */
export async function sendRefund(
  companyId: number,
  provider: Provider,
  claimed: ClaimedOperation,
): Promise<OperationReport> {
  const refund = refundOrderOf(claimed.order);
  const send = () =>
    callProvider(provider.sendRefund(refund), { provider: provider.name, companyId });
  if (claimed.kind === "send") return send();
  const found = await callProvider(provider.findRefund(refund), {
    provider: provider.name,
    companyId,
  });
  if (found.kind !== "not_found") return found;
  const neverTwice = found.neverSent === true || provider.idempotentRefunds;
  if (!neverTwice) return { kind: "unknown" };
  if (claimed.isMoot === true && claimed.refusalIsFinal) {
    return { kind: "failed", reason: "The bank took the money of the dispute." };
  }
  if (!claimed.maySend) return { kind: "unknown" };
  const report = await send();
  return report.kind === "failed" && !claimed.refusalIsFinal ? { kind: "unknown" } : report;
}

/** A refund or return as its provider knows it. */
export function refundOrderOf(order: OperationOrder): RefundOrder {
  const { operationId, transactionId, paymentId, amount, insteadOf } = order;
  const { failedBefore, sentBefore } = order;
  return {
    refundId: providerOperationId(operationId),
    chargeId: transactionId === null ? null : providerChargeId(transactionId),
    paymentId,
    amount,
    ...(insteadOf === undefined ? {} : { insteadOf }),
    ...(failedBefore === undefined ? {} : { failedBefore: failedBefore.map(providerOperationId) }),
    ...(sentBefore === undefined ? {} : { sentBefore: sentBefore.map(providerOperationId) }),
  };
}
