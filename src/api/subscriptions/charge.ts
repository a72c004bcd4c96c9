import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import {
  approvalChargeKey,
  byHandChargeKey,
  debitChargeKey,
} from "../../domain/charges/payment-charge.ts";
import { endOfDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { chargeBytes } from "../../domain/storage/quotas.ts";
import { DUNNING_DAYS_MAX } from "../../domain/subscriptions/dunning.ts";
import type {
  OtherCharge,
  Subscription,
  SubscriptionCycle,
} from "../../domain/subscriptions/records.ts";
import { RETRY_DAYS_MAX } from "../../domain/subscriptions/subscription.ts";
import { StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import { CHARGES_FROZEN } from "../../http/problems.ts";
import { assert } from "../../lib/assert.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { methodOf } from "../../methods/registry.ts";
import type { Provider } from "../../providers/provider.ts";
import { archiveCharge } from "../charge-archive/archive-charge.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { draftTransaction } from "../transactions/claim/draft.ts";
import {
  claimTransaction,
  insertPaymentCharge,
  type TransactionDraft,
} from "../transactions/claim/repository.ts";
import { payerKeyOfRequest } from "../transactions/payer-key.ts";
import { noProvider, registerCharge } from "../transactions/register-charge.ts";
import type { ChargeContext } from "../transactions/attempts/create-at-accounts.ts";
import { findTransaction } from "../transactions/repository.ts";
import { eraseLateCharge } from "./repository.ts";
import type { CreateTransactionRequest } from "../transactions/schemas.ts";

/**
 * How long after its last possible retry and its dunning the charge of a debit ends by the clock, where nothing else has
 * ended it: its due date may move past a weekend and holidays of a town.
 */
const EXPIRY_DAYS = RETRY_DAYS_MAX + 14 + DUNNING_DAYS_MAX;
/** How long after its due date, or after it is made, a cycle can be paid by hand. */
const BY_HAND_DAYS = 60;
const DAY_MS = 24 * 3_600_000;

/** A cycle of a subscription whose charge is made. */
interface Cycle {
  subscription: Subscription;
  cycle: SubscriptionCycle;
}

/**
 * The charge of a cycle that is debited: made once, under an id that was fixed with the cycle. No provider hears of it as a
 * charge, and nobody has a code for it. No quota stops what the payer has approved.
 */
export async function ensureDebitCharge(
  context: BookingContext,
  provider: Pick<Provider, "name" | "account">,
  { subscription, cycle }: Cycle,
): Promise<TransactionRow> {
  const { env, deps, company } = context;
  const known = await findTransaction(env, company.id, cycle.transactionId);
  if (known !== null) return known;
  const request = requestOf(subscription, cycle);
  const idempotencyKey = debitChargeKey(subscription.id, cycle.cycle);
  const { transactionId: id } = cycle;
  const draft = await draftOf(context, provider, { id, request, idempotencyKey });
  const expiresAt = endOfDay(addDays(cycle.dueDate, EXPIRY_DAYS));
  const automatic = { cycle: cycle.cycle, dueDate: cycle.dueDate };
  const row = await insertPaymentCharge(
    env,
    {
      ...draft,
      idempotencyKey,
      status: "waiting_payment",
      pix: { automatic, subscriptionId: subscription.id },
      expiresAt,
      leaseUntil: 0,
      nextSweepAt: expiresAt,
    },
    chargeBytes(request),
  );
  await archiveCharge(env, row, deps.clock.now());
  return row;
}

/**
 * The charge that the payer pays while he approves: at once until he cannot approve any more (`QR_AND_PAY`), or on its due
 * date. Registered like any other PIX. Throws what its creation throws.
 */
export async function ensureApprovalCharge(
  context: BookingContext & { traceId: string },
  provider: Provider,
  { subscription, cycle }: Cycle,
): Promise<TransactionRow> {
  const { env, deps, company } = context;
  const request = {
    ...requestOf(subscription, cycle),
    pix: pixOf(context, { subscription, cycle }),
  };
  const idempotencyKey = approvalChargeKey(subscription.id);
  const { transactionId: id } = cycle;
  const draft = await draftOf(context, provider, { id, request, idempotencyKey });
  const row =
    (await findTransaction(env, company.id, id)) ??
    (await claimCharge(context, { subscription, request, draft }));
  const method = methodOf(row.paymentMethod);
  if (row.answeredAt !== null || method.initiation === "pull") return row;
  // One Worker has the step; the cron may have begun to resume it, under the same id.
  return registerCharge({ env, deps, company, traceId: context.traceId }, provider, row, method);
}

/**
 * The charge by which a payer pays a cycle by hand: an ordinary PIX at any account, made once under an id that was fixed
 * with the cycle. Throws what the creation of a charge throws.
 */
export async function ensureByHandCharge(
  context: ChargeContext,
  { subscription, cycle }: Cycle,
): Promise<TransactionRow> {
  const { env, deps, company } = context;
  const byHand = cycle.recovery?.byHand;
  assert(byHand !== undefined, "the charge is fixed with its cycle");
  const known = await findTransaction(env, company.id, byHand.id);
  if (known !== null && known.answeredAt !== null) return known;
  if (known === null && company.chargesStopped !== null) throw new Problem(CHARGES_FROZEN);
  const accounts = deps.providers(env);
  const provider =
    known === null
      ? accounts.routesFor(company, "PIX", cycle.amount)[0]
      : await accounts.ofAccount(company, known.account, "PIX");
  if (provider == null) throw noProvider({ paymentMethod: "PIX" });
  const row = known ?? (await claimByHand(context, provider, { subscription, cycle, byHand }));
  const method = methodOf(row.paymentMethod);
  if (row.answeredAt !== null || method.initiation === "pull") return row;
  return registerCharge(context, provider, row, method);
}

async function claimByHand(
  context: ChargeContext,
  provider: Provider,
  { subscription, cycle, byHand }: Cycle & { byHand: OtherCharge },
): Promise<TransactionRow> {
  const nowMs = context.deps.clock.now();
  const payableUntil = Math.max(nowMs, endOfDay(cycle.dueDate)) + BY_HAND_DAYS * DAY_MS;
  const expiresInSeconds = Math.ceil((payableUntil - nowMs) / 1_000);
  const request = { ...requestOf(subscription, cycle), pix: { expiresInSeconds } };
  const { id, secureRandom } = byHand;
  const idempotencyKey = byHandChargeKey(byHand.id);
  const draft = await draftOf(context, provider, { id, request, idempotencyKey });
  return claimCharge(context, { subscription, request, draft: { ...draft, secureRandom } });
}

/** The row of a subscription's charge that its payer pays by a code. */
async function claimCharge(
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

function pixOf({ deps }: BookingContext, { subscription, cycle }: Cycle) {
  const { terms, approvalExpiresAt } = subscription;
  if (terms.journey === "QR_ON_DUE") return { dueDate: cycle.dueDate };
  const seconds = Math.ceil((approvalExpiresAt - deps.clock.now()) / 1_000);
  return { expiresInSeconds: Math.max(60, seconds) };
}

function requestOf(
  { externalRef, description, customer, metadata }: Subscription,
  { amount }: SubscriptionCycle,
): CreateTransactionRequest {
  const { name, email, document, externalRef: ref } = customer;
  return {
    amount,
    paymentMethod: "PIX",
    externalRef,
    customer: { name, email, externalRef: ref, document },
    items: [{ title: description, unitPrice: amount, quantity: 1 }],
    ...(metadata === null ? {} : { metadata }),
  };
}

async function draftOf(
  { env, deps, company }: BookingContext,
  provider: Pick<Provider, "name" | "account">,
  about: { id: string; request: CreateTransactionRequest; idempotencyKey: string },
) {
  const { id, request, idempotencyKey } = about;
  return draftTransaction({
    id,
    request,
    company,
    provider,
    idempotencyKey,
    requestHash: await sha256Hex(canonicalJson({ idempotencyKey, amount: request.amount })),
    leadKey: await payerKeyOfRequest(env, company, request, deps.random),
    origin: "",
    traceId: null,
    deps,
  });
}
