import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import type { PaymentMethod } from "../../../domain/charges/charge-status.ts";
import { chargeBytes } from "../../../domain/storage/quotas.ts";
import type { Subscription, SubscriptionCycle } from "../../../domain/subscriptions/records.ts";
import { configOf } from "../../../config.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import { canonicalJson, sha256Hex } from "../../../lib/hash.ts";
import type { Provider } from "../../../providers/provider.ts";
import type { BookingContext } from "../../payments/provider-order.ts";
import { draftTransaction } from "../../transactions/claim/draft.ts";
import { claimTransaction, type TransactionDraft } from "../../transactions/claim/repository.ts";
import { payerKeyOfRequest } from "../../transactions/payer-key.ts";
import type { CreateTransactionRequest } from "../../transactions/schemas.ts";
import { eraseLateCharge } from "../repository.ts";

/** What a subscription says of each of its charges. */
export type ChargedSubscription = Pick<
  Subscription,
  "externalRef" | "description" | "customer" | "metadata"
>;

/** The row of a subscription's charge that is registered, or sent to an acquirer. */
export async function claimCharge(
  { env, company }: BookingContext,
  about: { subscription: Subscription; request: CreateTransactionRequest; draft: TransactionDraft },
): Promise<TransactionRow> {
  const { subscription, request, draft } = about;
  const { credentialsVersion, quotaPercent } = company;
  const limits = { credentialsVersion, quotaPercent, bytes: chargeBytes(request) };
  const pix = { ...draft.pix, subscriptionId: subscription.id };
  // The payer may have been erased since the subscription was read.
  const row = await claimTransaction(env, { ...draft, pix }, limits, (db) =>
    eraseLateCharge(db, subscription, draft),
  );
  if (row === null) throw new StaleVersionError(null);
  return row;
}

/** The create request of a cycle's charge; by a PIX where nothing is said. */
export function requestOf(
  { externalRef, description, customer, metadata }: ChargedSubscription,
  { amount }: Pick<SubscriptionCycle, "amount">,
  paymentMethod: PaymentMethod = "PIX",
): CreateTransactionRequest {
  const { name, email, document, externalRef: ref } = customer;
  return {
    amount,
    paymentMethod,
    externalRef,
    customer: { name, email, externalRef: ref, document },
    items: [{ title: description, unitPrice: amount, quantity: 1 }],
    ...(metadata === null ? {} : { metadata }),
  };
}

/** The new row of a cycle's charge. */
export async function draftOf(
  { env, deps, company }: BookingContext,
  provider: Pick<Provider, "name" | "account">,
  about: { id: string; request: CreateTransactionRequest; idempotencyKey: string },
): Promise<TransactionDraft> {
  const { id, request, idempotencyKey } = about;
  return draftTransaction({
    id,
    request,
    company,
    provider,
    idempotencyKey,
    requestHash: await sha256Hex(canonicalJson({ idempotencyKey, amount: request.amount })),
    leadKey: await payerKeyOfRequest(env, company, request, deps.random),
    origin: configOf(env).publicUrl ?? "",
    traceId: null,
    deps,
  });
}
