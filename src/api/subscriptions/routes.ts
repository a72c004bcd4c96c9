import { configOf } from "../../config.ts";
import type {
  ChargeAction,
  SubscriptionAction,
} from "../../company/subscriptions/command-types.ts";
import { seesPersonalData } from "../../domain/access/payer-masks.ts";
import { maskDocument, maskEmail } from "../../domain/access/masks.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { subscriptionView } from "../../domain/subscriptions/subscription-view.ts";
import type { Api } from "../../http/api.ts";
import { audited } from "../../http/audit.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { jsonBody, NO_FIELDS } from "../../http/body.ts";
import { companyDeps, type AppContext, type Caller } from "../../http/context.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../http/idempotency.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { assert } from "../../lib/assert.ts";
import { chargeViews, makeByHand } from "./by-hand.ts";
import {
  ChargeParam,
  ChargesQuery,
  OpenCharge,
  RetryCharge,
  SubscriptionChargeEnvelope,
  SubscriptionCharges,
} from "./charge-schemas.ts";
import { DUNNING_PROBLEMS, dunningOf } from "./dunning/policy.ts";
import {
  ChangeSubscription,
  CreateSubscription,
  SubscriptionEnvelope,
  SubscriptionParam,
  Subscriptions,
  SubscriptionsQuery,
} from "./schemas.ts";
import {
  actOnCharge,
  actOnSubscription,
  createSubscription,
  pageOfCharges,
  pageOfSubscriptions,
  requireSubscription,
} from "./service.ts";

const route = routesOf("Subscriptions");
const PATH = "/api/v1/subscriptions";

const create = route.post(PATH, {
  operationId: "createSubscription",
  summary: "Make a subscription (Pix Automático)",
  description:
    "The payer approves once in the bank's app; each cycle is then debited, tried again by the rules, and becomes a " +
    "transaction with `subscriptionId` and `pix.kind` AUTOMATIC. A day that a bank would refuse is 400, with the rule and " +
    "its `source`.",
  guard: requireScope("transactions:write"),
  body: jsonBody(CreateSubscription),
  idempotencyKey: optionalIdempotencyKey("subscription_1001"),
  answers: { 201: jsonResponse("The subscription", SubscriptionEnvelope) },
  problems: ["INVALID_STATE", ...DUNNING_PROBLEMS, "COMPANY_FROZEN", "QUOTA_EXCEEDED"],
});

const list = route.get(PATH, {
  operationId: "listSubscriptions",
  summary: "List the company's subscriptions",
  description: "Newest first.",
  guard: requireScope("transactions:read"),
  query: SubscriptionsQuery,
  answers: { 200: jsonResponse("One page", Subscriptions) },
  problems: ["VALIDATION_FAILED"],
});

const show = route.get(`${PATH}/{id}`, {
  operationId: "getSubscription",
  summary: "Show a subscription",
  guard: requireScope("transactions:read"),
  params: SubscriptionParam,
  answers: { 200: jsonResponse("The subscription", SubscriptionEnvelope) },
  problems: ["NOT_FOUND"],
});

const change = route.patch(`${PATH}/{id}`, {
  operationId: "changeSubscription",
  summary: "Change what the next cycles are debited, and how unpaid ones are dunned",
  description:
    "The amount only where the payer approved a minimum. Cycles that are open already keep theirs.",
  guard: requireScope("transactions:write"),
  params: SubscriptionParam,
  body: jsonBody(ChangeSubscription),
  answers: { 200: jsonResponse("The subscription", SubscriptionEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE", ...DUNNING_PROBLEMS],
});

const cancel = actionRoute(
  "cancel",
  "cancelSubscription",
  "Cancel a subscription",
  "Its mandate is ended, and each debit that can still be cancelled. A debit of tomorrow is, until 22:00.",
);
const pause = actionRoute(
  "pause",
  "pauseSubscription",
  "Pause a subscription",
  "Cycles that are due meanwhile are skipped. A debit that can no longer be cancelled goes on.",
);
const resume = actionRoute(
  "resume",
  "resumeSubscription",
  "Resume a paused subscription",
  "From the next cycle that can be ordered in time.",
);

const charges = route.get(`${PATH}/{id}/charges`, {
  operationId: "listSubscriptionCharges",
  summary: "List the charges of a subscription",
  description:
    "Cycles that were opened, newest first, with each attempt and why its days are these.",
  guard: requireScope("transactions:read"),
  params: SubscriptionParam,
  query: ChargesQuery,
  answers: { 200: jsonResponse("One page", SubscriptionCharges) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const open = route.post(`${PATH}/{id}/charges`, {
  operationId: "openSubscriptionCharge",
  summary: "Open the next cycle's charge before its time",
  description:
    "Each cycle is opened by itself five days before its debit. Opened earlier, it may have an amount of its own.",
  guard: requireScope("transactions:write"),
  params: SubscriptionParam,
  body: jsonBody(OpenCharge),
  idempotencyKey: optionalIdempotencyKey("charge_2027_01"),
  answers: { 201: jsonResponse("The charge", SubscriptionChargeEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const retry = route.post(`${PATH}/{id}/charges/{transactionId}/retry`, {
  operationId: "repeatSubscriptionCharge",
  summary: "Repeat a failed debit on another day",
  description:
    "At most three retries within seven days, on different business days, with the same amount, before the next cycle: " +
    "`retryDays` of the charge says which. A day that a bank would refuse is 400, with the rule and its `source`; so is " +
    "any day where the payer approved no retries.",
  guard: requireScope("transactions:write"),
  params: ChargeParam,
  body: jsonBody(RetryCharge),
  idempotencyKey: optionalIdempotencyKey("retry_1001_2"),
  answers: { 200: jsonResponse("The charge", SubscriptionChargeEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const byHand = route.post(`${PATH}/{id}/charges/{transactionId}/by-hand`, {
  operationId: "paySubscriptionChargeByHand",
  summary: "Have the payer pay one cycle by hand",
  description:
    "Makes a PIX charge for the cycle; a repeated call answers the same `byHand` until it is refused or ends, then another " +
    "(from the ninth on after a wait that grows by an hour). Paid before 22:00 of the day before the debit it ends the debit; " +
    "a cycle's second payment is unexpected (`SECOND_PAYMENT`). Once it is paid or cancelled, nobody can pay by hand.",
  guard: requireScope("transactions:write"),
  params: ChargeParam,
  body: NO_FIELDS,
  answers: { 201: jsonResponse("The charge", SubscriptionChargeEnvelope) },
  problems: [
    "NOT_FOUND",
    "INVALID_STATE",
    "PROVIDER_NOT_CONFIGURED",
    "PROVIDER_UNAVAILABLE",
    "CHARGE_REFUSED",
    "COMPANY_FROZEN",
    "QUOTA_EXCEEDED",
  ],
});

const cancelCharge = route.post(`${PATH}/{id}/charges/{transactionId}/cancel`, {
  operationId: "cancelSubscriptionCharge",
  summary: "Cancel the debit of one cycle",
  description:
    "Until 22:00 of the day before it settles (`cancellable`). The subscription goes on. A charge that has failed and waits " +
    "for a retry is ended at any time. `POST /api/v1/transactions/{id}/cancel` refuses a debited charge: this is its way.",
  guard: requireScope("transactions:write"),
  params: ChargeParam,
  body: NO_FIELDS,
  answers: { 200: jsonResponse("The charge", SubscriptionChargeEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

/** `/api/v1/subscriptions`: automatic debits that payers approve at their banks. */
export function subscriptionRoutes(app: Api): void {
  app.openapi(create, async (c) => {
    const body = c.req.valid("json");
    const { subscription, replayed } = await writeOptimistically(c, (caller) =>
      createSubscription(
        { env: c.env, deps: companyDeps(c), caller },
        body,
        c.get("idempotencyKey"),
      ),
    );
    if (replayed) c.header(REPLAYED_HEADER, "true");
    return c.json({ data: viewOf(c, subscription) }, 201);
  });

  app.openapi(list, async (c) => {
    const { company } = c.get("caller");
    const { rows, ...page } = await pageOfSubscriptions(c.env, company, c.req.valid("query"));
    return c.json({ items: rows.map((row) => viewOf(c, row)), ...page }, 200);
  });

  app.openapi(show, async (c) => {
    const { id } = c.req.valid("param");
    const found = await requireSubscription(c.env, c.get("caller").company, id);
    return c.json({ data: viewOf(c, found) }, 200);
  });

  app.openapi(change, async (c) => {
    const { amount, dunning } = c.req.valid("json");
    const action = { kind: "change", amount, dunning: dunningOf(dunning) } as const;
    return c.json({ data: await act(c, c.req.valid("param").id, action) }, 200);
  });

  for (const [declared, kind] of [
    [cancel, "cancel"],
    [pause, "pause"],
    [resume, "resume"],
  ] as const) {
    app.openapi(declared, async (c) =>
      c.json({ data: await act(c, c.req.valid("param").id, { kind }) }, 200),
    );
  }

  chargeRoutes(app);
}

function chargeRoutes(app: Api): void {
  app.openapi(charges, async (c) => {
    const { company } = c.get("caller");
    const found = await requireSubscription(c.env, company, c.req.valid("param").id);
    const query = c.req.valid("query");
    const { rows, ...page } = await pageOfCharges(c.env, company, found, query);
    const now = companyDeps(c).clock.now();
    return c.json({ items: await chargeViews(c.env, found, rows, now), ...page }, 200);
  });

  app.openapi(open, async (c) => {
    const { id } = c.req.valid("param");
    const { dueDate, amount = null } = c.req.valid("json");
    await requireSubscription(c.env, c.get("caller").company, id);
    const action = { kind: "open", dueDate, amount } as const;
    const { subscription, cycle, replayed } = await writeOptimistically(c, (caller) =>
      actOnCharge(
        { env: c.env, deps: companyDeps(c), caller },
        { id, action, key: c.get("idempotencyKey") },
      ),
    );
    if (replayed) c.header(REPLAYED_HEADER, "true");
    return c.json({ data: await viewOfCharge(c, subscription, cycle) }, 201);
  });

  app.openapi(retry, async (c) => {
    const { id, transactionId } = c.req.valid("param");
    const { date: day } = c.req.valid("json");
    const action = { kind: "retry", transactionId: transactionId.toLowerCase(), day } as const;
    return c.json({ data: await actOn(c, id, action, c.get("idempotencyKey")) }, 200);
  });

  app.openapi(byHand, async (c) => {
    const { id } = c.req.valid("param");
    const transactionId = c.req.valid("param").transactionId.toLowerCase();
    const made = await auditedCharge(c, { id, transactionId, kind: "by_hand" }, (caller) =>
      makeByHand(
        { env: c.env, deps: companyDeps(c), caller, traceId: c.get("traceId") },
        { id, transactionId },
      ),
    );
    return c.json({ data: made }, 201);
  });

  app.openapi(cancelCharge, async (c) => {
    const { id, transactionId } = c.req.valid("param");
    const action = { kind: "cancel", transactionId: transactionId.toLowerCase() } as const;
    return c.json({ data: await actOn(c, id, action, null) }, 200);
  });
}

/** Changes a subscription, with an entry in the company's audit trail. */
async function act(c: AppContext, id: string, action: SubscriptionAction) {
  const { company } = c.get("caller");
  const { amount, dunning } = await requireSubscription(c.env, company, id);
  const values =
    action.kind === "change"
      ? {
          before: { amount, dunning },
          after: {
            amount: action.amount ?? amount,
            dunning: action.dunning === undefined ? dunning : action.dunning,
          },
        }
      : {};
  const entry = {
    companyId: company.id,
    action: `subscription.${action.kind}`,
    target: `subscription:${id}`,
    ...values,
  };
  const changed = await audited(c, entry, () =>
    writeOptimistically(c, (caller) =>
      actOnSubscription({ env: c.env, deps: companyDeps(c), caller }, id, action),
    ),
  );
  return viewOf(c, changed);
}

/** Changes a charge of a subscription, with an entry in the company's audit trail. */
function actOn(
  c: AppContext,
  id: string,
  action: Exclude<ChargeAction, { kind: "open" }>,
  key: string | null,
) {
  return auditedCharge(c, { id, ...action }, (caller) =>
    actOnCharge({ env: c.env, deps: companyDeps(c), caller }, { id, action, key }),
  );
}

async function auditedCharge(
  c: AppContext,
  about: { id: string; transactionId: string; kind: string },
  perform: (caller: Caller) => ReturnType<typeof actOnCharge>,
) {
  const { company } = c.get("caller");
  await requireSubscription(c.env, company, about.id);
  const entry = {
    companyId: company.id,
    action: `subscription.charge_${about.kind}`,
    target: `transaction:${about.transactionId}`,
  };
  const { subscription, cycle, replayed } = await audited(c, entry, () =>
    writeOptimistically(c, perform),
  );
  if (replayed) c.header(REPLAYED_HEADER, "true");
  return viewOfCharge(c, subscription, cycle);
}

async function viewOfCharge(c: AppContext, subscription: Subscription, cycle: SubscriptionCycle) {
  const now = companyDeps(c).clock.now();
  const [view] = await chargeViews(c.env, subscription, [cycle], now);
  assert(view !== undefined, "each cycle has a view");
  return view;
}

/** A subscription as the caller may see it: personal data masked without `pii:read`. */
function viewOf(c: AppContext, subscription: Subscription) {
  const view = subscriptionView(subscription, configOf(c.env).publicUrl);
  if (seesPersonalData(c.get("caller").scopes)) return view;
  const { customer, payerAccount } = view;
  return {
    ...view,
    customer: {
      ...customer,
      email: maskEmail(customer.email),
      document: { ...customer.document, number: maskDocument(customer.document.number) },
    },
    payerAccount:
      payerAccount === null ? null : { ...payerAccount, account: "***", document: null },
  };
}

function actionRoute<Action extends string>(
  action: Action,
  operationId: string,
  summary: string,
  description: string,
) {
  return route.post(`${PATH}/{id}/${action}` as const, {
    operationId,
    summary,
    description,
    guard: requireScope("transactions:write"),
    params: SubscriptionParam,
    body: NO_FIELDS,
    answers: { 200: jsonResponse("The subscription", SubscriptionEnvelope) },
    problems: ["NOT_FOUND", "INVALID_STATE"],
  });
}

export {
  byHand as byHandRoute,
  cancel as cancelRoute,
  cancelCharge as cancelChargeRoute,
  change as changeRoute,
  charges as chargesRoute,
  create as createRoute,
  list as listRoute,
  open as openRoute,
  pause as pauseRoute,
  resume as resumeRoute,
  retry as retryRoute,
  show as showRoute,
};
