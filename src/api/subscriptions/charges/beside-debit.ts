import { byHandChargeKey } from "../../../domain/charges/payment-charge.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import type { StepResult } from "../../../company/subscriptions/command-types.ts";
import type { MethodWithCode } from "../../../domain/charges/charge-status.ts";
import { endOfDay } from "../../../domain/shared/business-day.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { linkMethodOf } from "../../../domain/subscriptions/dunning.ts";
import { isOfSavedCard, linkDueDate } from "../../../domain/subscriptions/dunning/offers.ts";
import type {
  OtherCharge,
  Subscription,
  SubscriptionCycle,
} from "../../../domain/subscriptions/records.ts";
import { CHARGES_FROZEN } from "../../../http/problems.ts";
import { assert } from "../../../lib/assert.ts";
import { methodOf } from "../../../methods/registry.ts";
import type { Provider } from "../../../providers/provider.ts";
import type { ChargeContext } from "../../transactions/attempts/create-at-accounts.ts";
import { noProvider, registerCharge } from "../../transactions/register-charge.ts";
import { findTransaction } from "../../transactions/repository.ts";
import { claimCharge, draftOf, requestOf } from "./draft.ts";
import { chargeSavedCard, type CardCharge } from "./saved-card.ts";
import { chargeFaults } from "./possible.ts";

/** How long after its due date, or after it is made, a cycle can be paid by a PIX. */
const BY_HAND_DAYS = 60;
const DAY_MS = 24 * 3_600_000;

interface Cycle {
  subscription: Subscription;
  cycle: SubscriptionCycle;
}

/**
 * The charge beside a cycle's debit, which its payer pays by hand or his saved card pays: made once, at any account, under an
 * id that was fixed with the cycle. Throws what the creation of a charge throws.
 */
export async function ensureBesideDebit(
  context: ChargeContext,
  { subscription, cycle }: Cycle,
): Promise<CardCharge> {
  const byHand = cycle.recovery?.byHand;
  assert(byHand !== undefined, "the charge is fixed with its cycle");
  const known = await findTransaction(context.env, context.company.id, byHand.id);
  // After a restore of the object it may be another one than it knows.
  const isOfCard = known === null ? isOfSavedCard(byHand) : isCharged(known);
  const about = { subscription, cycle, byHand };
  if (isOfCard) return chargeSavedCard(context, about, known);
  return { kind: "made", row: await ensureLink(context, about, known) };
}

/** Whether a charge takes its money itself, so that nobody pays it by a link. */
export function isCharged({ paymentMethod }: Pick<TransactionRow, "paymentMethod">): boolean {
  return methodOf(paymentMethod).initiation === "pull";
}

/** What the object is told of a charge beside a debit that is made. */
export function madeBesideDebit({
  secureRandom,
  paymentMethod: method,
  boleto,
}: TransactionRow): StepResult {
  const digitableLine = boleto?.registered?.digitableLine;
  return {
    kind: "made_by_hand",
    secureRandom,
    ...(method === "PIX" ? {} : { method }),
    ...(digitableLine === undefined ? {} : { digitableLine }),
  };
}

async function ensureLink(
  context: ChargeContext,
  about: Cycle & { byHand: OtherCharge },
  known: TransactionRow | null,
): Promise<TransactionRow> {
  const { env, deps, company } = context;
  if (known !== null && known.answeredAt !== null) return known;
  if (known === null && company.chargesStopped !== null) throw new Problem(CHARGES_FROZEN);
  const { row, provider } =
    known === null
      ? await claimLink(context, about)
      : {
          row: known,
          provider: await deps
            .providers(env)
            .ofAccount(company, known.account, known.paymentMethod),
        };
  if (provider === null) throw noProvider(row);
  const method = methodOf(row.paymentMethod);
  if (row.answeredAt !== null || method.initiation === "pull") return row;
  return registerCharge(context, provider, row, method);
}

/** A link is paid by a PIX where no account can make the boleto that its dunning asks for. */
async function claimLink(
  context: ChargeContext,
  about: Cycle & { byHand: OtherCharge },
): Promise<{ row: TransactionRow; provider: Provider }> {
  const { env, deps, company } = context;
  const { subscription, cycle } = about;
  const wanted = linkMethodOf(subscription);
  for (const method of new Set([wanted, "PIX" as const])) {
    const [provider] = deps.providers(env).routesFor(company, method, cycle.amount);
    if (provider === undefined) continue;
    const request = linkRequest(about, method, deps.clock.now());
    const { id, secureRandom } = about.byHand;
    const idempotencyKey = byHandChargeKey(id);
    const draft = await draftOf(context, provider, { id, request, idempotencyKey });
    const faults = method === "PIX" ? null : chargeFaults(company, provider, { request, draft });
    if (faults !== null) continue;
    const made = { subscription, request, draft: { ...draft, secureRandom } };
    return { row: await claimCharge(context, made), provider };
  }
  throw noProvider({ paymentMethod: wanted });
}

function linkRequest({ subscription, cycle }: Cycle, method: MethodWithCode, nowMs: number) {
  const request = requestOf(subscription, cycle, method);
  if (method === "BOLETO")
    return { ...request, boleto: { dueDate: linkDueDate(subscription, cycle, nowMs) } };
  const payableUntil = Math.max(nowMs, endOfDay(cycle.dueDate)) + BY_HAND_DAYS * DAY_MS;
  const expiresInSeconds = Math.ceil((payableUntil - nowMs) / 1_000);
  return { ...request, pix: { expiresInSeconds } };
}
