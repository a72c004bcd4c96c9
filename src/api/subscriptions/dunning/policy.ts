import type { z } from "@hono/zod-openapi";
import { byHandChargeKey } from "../../../domain/charges/payment-charge.ts";
import { newTransactionId } from "../../../domain/shared/ids.ts";
import { Problem, type ProblemDetails } from "../../../domain/shared/problem.ts";
import { linkMethodOf } from "../../../domain/subscriptions/dunning.ts";
import type { Subscription } from "../../../domain/subscriptions/records.ts";
import type { Dunning } from "../../../domain/subscriptions/subscription.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import type { Provider } from "../../../providers/provider.ts";
import type { BookingContext } from "../../payments/provider-order.ts";
import { noProvider } from "../../transactions/register-charge.ts";
import type { CreateTransactionRequest } from "../../transactions/schemas.ts";
import { draftOf, requestOf, type ChargedSubscription } from "../charges/draft.ts";
import { chargeFaults } from "../charges/possible.ts";
import { savedCardOf, savedCardRequest } from "../charges/saved-card.ts";
import type { DunningInput } from "./schemas.ts";

/** The problems of a dunning that the company's accounts cannot carry out. */
export const DUNNING_PROBLEMS = [
  "PROVIDER_NOT_CONFIGURED",
  "NOT_SUPPORTED_BY_PROVIDER",
  "AMOUNT_TOO_LARGE",
] as const;

type DunnedSubscription = ChargedSubscription & Pick<Subscription, "amount" | "dunning">;

/** What a request says of dunning: null for nothing to be done, undefined where it says nothing. */
export function dunningOf(
  sent: z.output<typeof DunningInput> | undefined,
): Dunning | null | undefined {
  if (sent === undefined) return undefined;
  const { link, days, then, method = "PIX", savedCardId } = sent;
  if (link === "none" && then === "none" && savedCardId === undefined) return null;
  return {
    link,
    days,
    then,
    // Those of before these fields have no trace of them.
    ...(method === "PIX" ? {} : { method }),
    ...(savedCardId === undefined ? {} : { savedCardId }),
  };
}

/** Why a subscription cannot be dunned as it says, by its payer's saved card or by a boleto; null where it can. */
export async function dunningObstacle(
  context: BookingContext,
  subscription: DunnedSubscription,
): Promise<ProblemDetails | null> {
  return (await cardObstacle(context, subscription)) ?? boletoObstacle(context, subscription);
}

/** Throws what is in the way of a dunning (`dunningObstacle`). */
export async function requireDunning(
  context: BookingContext,
  subscription: DunnedSubscription,
): Promise<void> {
  const obstacle = await dunningObstacle(context, subscription);
  if (obstacle !== null) throw new Problem(obstacle);
}

async function cardObstacle(
  context: BookingContext,
  subscription: DunnedSubscription,
): Promise<ProblemDetails | null> {
  const { savedCardId } = subscription.dunning ?? {};
  if (savedCardId === undefined) return null;
  const saved = await savedCardOf(context, subscription, savedCardId);
  if (saved === null)
    return {
      code: "VALIDATION_FAILED",
      detail: "The saved card is unknown.",
      errors: { "dunning.savedCardId": [breaks("savedCardOfCustomer")] },
    };
  const { env, deps, company } = context;
  const request = savedCardRequest(subscription, subscription, saved.id);
  const accounts = deps.providers(env);
  const provider = accounts.accountFor(company, request.paymentMethod, saved.account);
  if (provider === null) return noProvider(request).details;
  return obstacleAt(context, provider, { request, savedCard: saved.ref });
}

async function boletoObstacle(
  context: BookingContext,
  subscription: DunnedSubscription,
): Promise<ProblemDetails | null> {
  const { link } = subscription.dunning ?? {};
  const method = linkMethodOf(subscription);
  if (method === "PIX" || link === "none") return null;
  const { env, deps, company } = context;
  const [provider] = deps.providers(env).routesFor(company, method, subscription.amount);
  const request = requestOf(subscription, subscription, method);
  return provider === undefined
    ? noProvider(request).details
    : obstacleAt(context, provider, { request });
}

/** As the charge of a cycle of today: what an account asks of a payer is the same on any day. */
async function obstacleAt(
  context: BookingContext,
  provider: Provider,
  asked: { request: CreateTransactionRequest; savedCard?: string },
): Promise<ProblemDetails | null> {
  const { deps, company } = context;
  const id = newTransactionId(company.id, deps.clock.now(), deps.random);
  const about = { id, request: asked.request, idempotencyKey: byHandChargeKey(id) };
  const draft = await draftOf(context, provider, about);
  return chargeFaults(company, provider, { ...asked, draft });
}
