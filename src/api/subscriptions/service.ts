import type { z } from "@hono/zod-openapi";
import { callCompany } from "../../company-client/stub.ts";
import type {
  ActOnChargeAnswer,
  ChargeAction,
  SubscriptionAction,
} from "../../company/subscriptions/command-types.ts";
import type { Env } from "../../config.ts";
import type { Company } from "../../domain/shared/company.ts";
import {
  companyIdOfTransactionId,
  newSecureRandom,
  newTransactionId,
} from "../../domain/shared/ids.ts";
import { Problem, type ProblemDetails } from "../../domain/shared/problem.ts";
import { isSubscriptionOver } from "../../domain/subscriptions/subscription.ts";
import { approvalEndsAt, scheduleRefusal } from "../../domain/subscriptions/debit-window.ts";
import type { DebitRefusal } from "../../domain/subscriptions/debit-rules.ts";
import {
  SUBSCRIPTIONS_MAX,
  type Subscription,
  type SubscriptionCycle,
  type SubscriptionTerms,
} from "../../domain/subscriptions/records.ts";
import { markVerified, StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import type { Caller, CompanyDependencies } from "../../http/context.ts";
import { metadataText } from "../../http/fields/fields.ts";
import { keyReused } from "../../http/idempotency.ts";
import { CHARGES_FROZEN, invalidState, notFound } from "../../http/problems.ts";
import { quotaExceeded } from "../../http/quota.ts";
import { breaks } from "../../lib/fields/rules.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import type { Provider } from "../../providers/provider.ts";
import { payerKeyOfRequest } from "../transactions/payer-key.ts";
import { dunningObstacle, dunningOf, requireDunning } from "./dunning/policy.ts";
import { findSubscription, listCycles, listSubscriptions } from "./repository.ts";
import type { ChargesQuery } from "./charge-schemas.ts";
import type { CreateSubscription, SubscriptionsQuery } from "./schemas.ts";
import { runSubscription } from "./tasks.ts";

export interface SubscriptionContext {
  env: Env;
  deps: CompanyDependencies;
  caller: Pick<Caller, "company" | "cachedAuth">;
}

type CreateBody = z.output<typeof CreateSubscription>;

/**
 * Makes a subscription once per key, and asks its provider for the mandate: what the answer lacks comes as soon as the
 * provider answers. Throws 400 for days that a bank would refuse, with the rule's source, 409 for the key, 422 where no
 * account takes automatic debits or the charges of its dunning, 429 for the quota, and `StaleVersionError`.
 */
export async function createSubscription(
  context: SubscriptionContext,
  body: CreateBody,
  key: string | null,
): Promise<{ subscription: Subscription; replayed: boolean }> {
  const { env, deps, caller } = context;
  const { company } = caller;
  const nowMs = deps.clock.now();
  const terms = termsOf(body);
  const { customer, description, externalRef = "", metadata } = body;
  const about = {
    externalRef,
    description,
    customer: {
      name: customer.name,
      document: customer.document,
      email: customer.email ?? "",
      externalRef: customer.externalRef ?? "",
      city: customer.city ?? null,
    },
    terms,
    amount: terms.amount.kind === "fixed" ? terms.amount.amount : terms.amount.minimum,
    metadata: metadata === undefined ? null : metadataText(metadata),
  };
  const dunning = dunningOf(body.dunning) ?? null;
  const [account = null] = deps.providers(env).mandateRoutesFor(company, about.amount);
  const agreement = { schedule: terms, journey: terms.journey, city: about.customer.city };
  const obstacle =
    obstacleTo(company, agreement, account, nowMs) ??
    (await dunningObstacle({ env, deps, company }, { ...about, dunning }));
  const { id: companyId, credentialsVersion, quotaPercent } = company;
  const command = {
    companyId,
    credentialsVersion,
    quotaPercent,
    id: newTransactionId(companyId, nowMs, deps.random),
    subscription: {
      ...about,
      dunning,
      customer: { ...about.customer, ...(await payerKeyOf(context, body)) },
      account: account?.account ?? "",
      approvalExpiresAt: approvalEndsAt(agreement, nowMs),
      secureRandom: newSecureRandom(deps.random),
    },
    key,
    // Keys of requests from before this field have no trace of it.
    requestHash: await sha256Hex(canonicalJson(dunning === null ? about : { ...about, dunning })),
    isPossible: obstacle === null,
  };
  const answer = await callCompany(env, companyId, (object) => object.createSubscription(command));
  if (answer.kind === "version_conflict") throw new StaleVersionError(answer.newest);
  markVerified(caller.cachedAuth);
  switch (answer.kind) {
    case "written": {
      const { subscription, replayed } = answer;
      return { subscription: await advanced(context, subscription), replayed };
    }
    case "impossible":
      throw new Problem(obstacle ?? CHARGES_FROZEN);
    case "key_reused":
      throw keyReused();
    case "too_many":
      throw invalidState(
        `The company has made ${SUBSCRIPTIONS_MAX} subscriptions, which is its most`,
        "too_many",
      );
    case "quota_exceeded":
      throw quotaExceeded(companyId, answer, nowMs);
  }
}

/** By what a payer's subscriptions are found. */
async function payerKeyOf(
  { env, deps, caller }: SubscriptionContext,
  { customer: { document } }: CreateBody,
): Promise<{ leadKey?: string }> {
  const request = { customer: { document } };
  const leadKey = await payerKeyOfRequest(env, caller.company, request, deps.random);
  return leadKey === null ? {} : { leadKey };
}

function termsOf(body: CreateBody): SubscriptionTerms {
  const { period, firstDueDate, endDate = null, journey, retry = "none", payerAccount } = body;
  const { amount, minimumAmount = 1, firstPayment } = body;
  return {
    amount:
      amount === undefined
        ? { kind: "variable", minimum: minimumAmount }
        : { kind: "fixed", amount },
    period,
    firstDueDate,
    endDate,
    journey,
    retry: retry === "none" ? [] : retry,
    payerAccount:
      payerAccount === undefined
        ? null
        : {
            ispb: payerAccount.ispb,
            branch: payerAccount.branch ?? null,
            account: payerAccount.account,
            document: payerAccount.document ?? null,
          },
    firstPayment: firstPayment?.amount ?? null,
  };
}

/** Why a subscription cannot be made now; null if it can. */
function obstacleTo(
  { chargesStopped }: Company,
  agreement: Parameters<typeof scheduleRefusal>[0],
  account: Provider | null,
  nowMs: number,
): ProblemDetails | null {
  if (account === null)
    return {
      code: "PROVIDER_NOT_CONFIGURED",
      detail: "This company has no account that takes automatic debits.",
    };
  if (chargesStopped !== null) return CHARGES_FROZEN;
  const refusal = scheduleRefusal(agreement, nowMs);
  if (refusal === null) return null;
  const isOfEnd = refusal.rule === "ends_after_beginning" || refusal.rule === "settles_by_end";
  return refusedBy(refusal, isOfEnd ? "endDate" : "firstDueDate");
}

/** 400, with the rule of the scheme and its source at the field. */
function refusedBy({ rule, detail, source }: DebitRefusal, field: string): ProblemDetails {
  return {
    code: "VALIDATION_FAILED",
    detail,
    errors: { [field]: [breaks("bankRefuses", { debitRule: rule, why: detail })] },
    extensions: { source },
  };
}

/** A subscription after what it needs at its provider now. */
async function advanced(
  { env, deps }: SubscriptionContext,
  { number, id }: Subscription,
): Promise<Subscription> {
  const companyId = companyIdOfTransactionId(id) ?? 0;
  await runSubscription(env, deps, companyId, number);
  const current = await callCompany(env, companyId, (account) => account.findSubscription(id));
  if (current === null) throw notFound("subscription");
  return current;
}

/** A company's subscription by the id in a path. Throws 404 where there is none. */
export async function requireSubscription(
  env: Env,
  company: Pick<Company, "id">,
  id: string,
): Promise<Subscription> {
  const isOwn = companyIdOfTransactionId(id) === company.id;
  const found = isOwn ? await findSubscription(env, company.id, id.toLowerCase()) : null;
  if (found === null) throw notFound("subscription");
  return found;
}

/** A page of the company's subscriptions, newest first. */
export async function pageOfSubscriptions(
  env: Env,
  company: Pick<Company, "id">,
  { after, limit, status }: z.output<typeof SubscriptionsQuery>,
) {
  const page = { before: after, limit: limit + 1, status };
  const found = await listSubscriptions(env, company.id, page);
  return paged(found, limit, ({ number }) => number);
}

/** A page of a subscription's charges, newest first. */
export async function pageOfCharges(
  env: Env,
  company: Pick<Company, "id">,
  { id: subscriptionId }: Subscription,
  { after, limit }: z.output<typeof ChargesQuery>,
) {
  const page = { subscriptionId, before: after, limit: limit + 1 };
  const found = await listCycles(env, company.id, page);
  return paged(found, limit, ({ cycle }) => cycle);
}

function paged<Row>(found: Row[], limit: number, cursorOf: (row: Row) => number) {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    after: last === undefined ? null : String(cursorOf(last)),
    hasMore: found.length > limit,
  };
}

/** Cancels, pauses, resumes a subscription, or changes its next amounts. Throws 404, 409, 400, 422 and `StaleVersionError`. */
export async function actOnSubscription(
  context: SubscriptionContext,
  id: string,
  action: SubscriptionAction,
): Promise<Subscription> {
  const { env, deps, caller } = context;
  const { id: companyId, credentialsVersion } = caller.company;
  const command = { companyId, credentialsVersion, id: id.toLowerCase(), action };
  if (action.kind === "change" && action.dunning != null) {
    const { amount, dunning } = action;
    const found = await findSubscription(env, companyId, command.id);
    // Of one that has ended nothing changes any more, and its payer may be erased.
    if (found !== null && !isSubscriptionOver(found.status))
      await requireDunning(
        { env, deps, company: caller.company },
        { ...found, amount: amount ?? found.amount, dunning },
      );
  }
  const answer = await callCompany(env, companyId, (account) => account.actOnSubscription(command));
  if (answer.kind === "version_conflict") throw new StaleVersionError(answer.newest);
  markVerified(caller.cachedAuth);
  switch (answer.kind) {
    case "done":
      return advanced(context, answer.subscription);
    case "not_found":
      throw notFound("subscription");
    case "not_allowed":
      throw notAllowed();
    case "fixed":
      throw amountAgreed();
    case "below":
      throw belowMinimum(answer.minimum);
    case "no_email":
      throw new Problem({
        code: "VALIDATION_FAILED",
        detail: "Invalid fields: dunning.",
        errors: { dunning: [breaks("requiredWith", { field: "customer.email" })] },
      });
  }
}

/** Opens a cycle, orders a retry, fixes a payment by hand, or ends the debit of a charge. Throws 404, 409, 400 and `StaleVersionError`. */
export async function actOnCharge(
  context: SubscriptionContext,
  { id, action, key }: { id: string; action: ChargeAction; key: string | null },
): Promise<{ subscription: Subscription; cycle: SubscriptionCycle; replayed: boolean }> {
  const { env, deps, caller } = context;
  const { id: companyId, credentialsVersion } = caller.company;
  const named = action.kind === "open" ? { ...action, transactionId: null } : action;
  const requestHash = await sha256Hex(canonicalJson({ id, ...named }));
  const command = { companyId, credentialsVersion, id: id.toLowerCase(), action, key, requestHash };
  const answer = await callCompany(env, companyId, (account) => account.actOnCharge(command));
  if (answer.kind === "version_conflict") throw new StaleVersionError(answer.newest);
  markVerified(caller.cachedAuth);
  if (answer.kind !== "done") throw problemOf(answer, action);
  await runSubscription(env, deps, companyId, answer.subscription.number);
  const cycle = await callCompany(env, companyId, (account) =>
    account.findCycleOfCharge(answer.cycle.transactionId),
  );
  return { ...answer, cycle: cycle ?? answer.cycle };
}

function problemOf(
  answer: Exclude<ActOnChargeAnswer, { kind: "done" | "version_conflict" }>,
  action: ChargeAction,
): Problem {
  switch (answer.kind) {
    case "not_found":
      return notFound(action.kind === "open" ? "subscription" : "charge of this subscription");
    case "key_reused":
      return keyReused();
    case "no_payer":
      return invalidState("The payer is erased, or is to be", "subscription_status");
    case "not_allowed":
      return action.kind === "open"
        ? notAllowed()
        : invalidState("The charge has no failed attempt to repeat now", "charge_closed");
    case "closed":
      return invalidState("The charge is paid or has ended", "charge_closed");
    case "card_open":
      return cardOpen();
    case "invited":
      return invalidState("The charge is paid by a code, not debited", "charge_closed");
    case "fixed":
      return amountAgreed();
    case "below":
      return belowMinimum(answer.minimum);
    case "not_next":
      return new Problem({
        code: "VALIDATION_FAILED",
        detail:
          answer.dueDate === null
            ? "The subscription has no more cycles."
            : `The next cycle is due on ${answer.dueDate}.`,
        errors: { dueDate: [breaks("value", { values: answer.dueDate ?? "none" })] },
      });
    case "refused":
      return action.kind === "cancel"
        ? invalidState(answer.refusal.detail, "charge_closed")
        : new Problem(refusedBy(answer.refusal, action.kind === "open" ? "dueDate" : "date"));
  }
}

/** 409: its payer's saved card is being charged for a cycle, which is paid once. */
export function cardOpen(): Problem {
  return invalidState("A saved card is being charged for it", "charge_closed");
}

function notAllowed(): Problem {
  return invalidState("The subscription's status does not allow this", "subscription_status");
}

function amountAgreed(): Problem {
  return invalidState("The payer approved one amount, which never changes", "amount_agreed");
}

function belowMinimum(min: number): Problem {
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: amount.",
    errors: { amount: [breaks("minCentavos", { min })] },
  });
}
