import { callCompany } from "../../../company-client/stub.ts";
import type { StepResult } from "../../../company/subscriptions/command-types.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import type { SavedCard } from "../../../domain/cards/saved-card.ts";
import { byHandChargeKey } from "../../../domain/charges/payment-charge.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type {
  OtherCharge,
  SkippedCard,
  Subscription,
  SubscriptionCycle,
} from "../../../domain/subscriptions/records.ts";
import { isCardOpen, isToBeMade } from "../../../domain/subscriptions/dunning/offers.ts";
import { CHARGES_FROZEN } from "../../../http/problems.ts";
import { cardMethod } from "../../../methods/card/method.ts";
import type { BookingContext } from "../../payments/provider-order.ts";
import { openSavedCard } from "../../cards/saved.ts";
import { cardHash, payerKeyOfRequest } from "../../transactions/payer-key.ts";
import type { ChargeContext } from "../../transactions/attempts/create-at-accounts.ts";
import { endWithoutAccount, pullCharge, resumePull } from "../../transactions/register-charge.ts";
import { syncCharge } from "../../transactions/sync.ts";
import type { CreateTransactionRequest } from "../../transactions/schemas.ts";
import { chargeFaults } from "./possible.ts";
import { claimCharge, draftOf, requestOf, type ChargedSubscription } from "./draft.ts";

/**
 * `not_made`: its cycle is not to be paid by the card any more, or not now. `unknown`: nobody has said yet what became of it,
 * or whether the card may be charged.
 */
export type CardCharge =
  | { kind: "made"; row: TransactionRow }
  | Extract<StepResult, { kind: "card_skipped" }>
  | { kind: "not_made" | "unknown" };

interface CardOfCycle {
  subscription: Subscription;
  cycle: SubscriptionCycle;
  byHand: OtherCharge;
}

/**
 * Charges a payer's saved card for a cycle, once, marked as begun by the merchant. What may have been sent before is asked for
 * first. Skipped where the card is gone, no account takes it, or its brand allows no attempt now: nothing is stored then, nor
 * for a cycle that was paid, paused or cancelled since the step was planned.
 */
export async function chargeSavedCard(
  context: ChargeContext,
  about: CardOfCycle,
  known: TransactionRow | null,
): Promise<CardCharge> {
  const { env, deps, company } = context;
  const { subscription, cycle, byHand } = about;
  if (known !== null) return resumeSavedCard(context, about, known);
  if (company.chargesStopped !== null) throw new Problem(CHARGES_FROZEN);
  const { savedCardId = null } = subscription.dunning ?? {};
  const saved = savedCardId === null ? null : await savedCardOf(context, subscription, savedCardId);
  if (saved === null) return skipped("deleted");
  const { paymentMethod } = SAVED_CARD;
  const provider = deps.providers(env).accountFor(company, paymentMethod, saved.account);
  if (provider === null) return skipped("no_account");
  const { id, secureRandom } = byHand;
  const request = savedCardRequest(subscription, cycle, saved.id);
  const idempotencyKey = byHandChargeKey(id);
  const draft = await draftOf(context, provider, { id, request, idempotencyKey });
  if (chargeFaults(company, provider, { request, draft, savedCard: saved.ref }) !== null)
    return skipped("no_account");
  const refused = await refusalOf(context, saved, { id, amount: cycle.amount });
  if (refused !== null) return refused;
  if (!(await isStillWanted(context, about))) return { kind: "not_made" };
  const made = { subscription, request, draft: { ...draft, secureRandom } };
  const row = await claimCharge(context, made);
  const order = cardMethod.order(row, request, saved.ref);
  return { kind: "made", row: await pullCharge(context, provider, row, order) };
}

/** A payer's saved card, with what its house charges it by; null where the payer has none of this id. */
export async function savedCardOf(
  { env, deps, company }: BookingContext,
  { customer: { document } }: Pick<Subscription, "customer">,
  id: string,
): Promise<SavedCard | null> {
  const leadKey = await payerKeyOfRequest(env, company, { customer: { document } }, deps.random);
  return leadKey === null ? null : openSavedCard(env, company, id, leadKey);
}

const SAVED_CARD = { paymentMethod: "CREDIT_CARD" } as const;

/** The create request of a cycle's charge by a saved card. */
export function savedCardRequest(
  subscription: ChargedSubscription,
  cycle: Pick<SubscriptionCycle, "amount">,
  savedCardId: string,
): CreateTransactionRequest {
  const request = requestOf(subscription, cycle, SAVED_CARD.paymentMethod);
  return { ...request, card: { savedCardId, initiatedBy: "merchant" } };
}

/** What became of a charge whose order may have been sent; the order is sent again only where its house has none. */
async function resumeSavedCard(
  context: ChargeContext,
  about: CardOfCycle,
  known: TransactionRow,
): Promise<CardCharge> {
  const { env, deps, company } = context;
  const { subscription, cycle } = about;
  const provider = await deps.providers(env).ofAccount(company, known.account, known.paymentMethod);
  if (known.answeredAt !== null) {
    // After a restore the object may not know how it ended.
    const outcome = provider === null ? "open" : await syncCharge(context, provider, known);
    return outcome === "unknown" ? { kind: "unknown" } : { kind: "made", row: known };
  }
  if (provider === null) return { kind: "made", row: await endWithoutAccount(context, known) };
  const { savedCardId = null } = subscription.dunning ?? {};
  const saved = savedCardId === null ? null : await savedCardOf(context, subscription, savedCardId);
  const mayBeSent =
    saved !== null &&
    (await refusalOf(context, saved, known)) === null &&
    (await isStillWanted(context, about));
  const order = mayBeSent
    ? cardMethod.order(known, savedCardRequest(subscription, cycle, saved.id), saved.ref)
    : null;
  const row = await resumePull(context, provider, known, order);
  return row.answeredAt === null ? { kind: "unknown" } : { kind: "made", row };
}

/** Whether the object still wants a card charged that it has planned: merchant, payer and bank may have ended that since. */
async function isStillWanted(
  { env, company }: BookingContext,
  { cycle: { transactionId, subscriptionId }, byHand }: CardOfCycle,
): Promise<boolean> {
  const current = await callCompany(env, company.id, (account) =>
    account.findCycleOfAnyCharge(transactionId),
  );
  const subscription = await callCompany(env, company.id, (account) =>
    account.findSubscription(subscriptionId),
  );
  if (current === null || subscription === null || current.isPaid) return false;
  const isSame = current.recovery?.byHand?.id === byHand.id;
  const undecided = { ...current, byHandOverAt: null, byHandRefusal: null };
  const isOpen = isSame && current.status === "open" && isCardOpen(undecided);
  return isOpen && isToBeMade(subscription, undecided);
}

/** Why a card may not be charged now, counted as any attempt with it; null where it may. */
async function refusalOf(
  {
    env,
    deps,
    company,
  }: { env: ChargeContext["env"]; deps: ChargeContext["deps"]; company: Company },
  saved: SavedCard,
  { id, amount }: Pick<TransactionRow, "id" | "amount">,
): Promise<Exclude<CardCharge, { kind: "made" }> | null> {
  const attempt = {
    transactionId: id,
    attempt: id,
    amount,
    source: "api" as const,
    address: null,
    card: await cardHash(env, company, saved.card, deps.random),
    payer: null,
  };
  const answer = await callCompany(env, company.id, (account) => account.admitCardAttempt(attempt));
  if (answer.kind === "admitted") return null;
  return answer.kind === "forbidden"
    ? skipped("brand_rules", answer.notBefore)
    : { kind: "unknown" };
}

function skipped(why: SkippedCard["why"], notBefore: number | null = null) {
  return { kind: "card_skipped" as const, why, notBefore };
}
