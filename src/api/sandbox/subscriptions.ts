import { z } from "@hono/zod-openapi";
import { configOf } from "../../config.ts";
import { callCompany } from "../../company-client/stub.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import { DEBIT_OUTCOMES } from "../../domain/subscriptions/debit-outcome.ts";
import type { Subscription } from "../../domain/subscriptions/records.ts";
import { subscriptionView } from "../../domain/subscriptions/subscription-view.ts";
import type { Api } from "../../http/api.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { jsonBody, NO_FIELDS } from "../../http/body.ts";
import { companyDeps, type AppContext } from "../../http/context.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { invalidState, notFound } from "../../http/problems.ts";
import { assert } from "../../lib/assert.ts";
import { breaks } from "../../lib/fields/rules.ts";
import { chargeViews } from "../subscriptions/by-hand.ts";
import { SubscriptionChargeEnvelope } from "../subscriptions/charge-schemas.ts";
import { SubscriptionEnvelope, SubscriptionParam } from "../subscriptions/schemas.ts";
import { requireSubscription } from "../subscriptions/service.ts";
import { readMandateBack } from "../subscriptions/read-back.ts";
import { takeQuota } from "../settings/take-quota.ts";
import { requireTransaction } from "../transactions/service.ts";
import type { ProviderRegistry } from "../../providers/registry.ts";

const route = routesOf("Sandbox");

type PayersBank = NonNullable<ReturnType<ProviderRegistry["sandbox"]>["payersBank"]>;

const AttemptBody = z
  .object({
    outcome: z
      .enum(DEBIT_OUTCOMES, { error: breaks("oneOf", { values: DEBIT_OUTCOMES.join(", ") }) })
      .openapi({
        description:
          "paid on its day, no balance by its evening, above the payer's limit, account closed, or no answer by the end of " +
          "its day",
      }),
  })
  .openapi("SandboxAttempt", { example: { outcome: "no_balance" } });

const approve = mandateRoute(
  "approve",
  "approveSandboxSubscription",
  "Play the payer: approve a subscription",
);
const reject = mandateRoute(
  "reject",
  "refuseSandboxSubscription",
  "Play the payer: refuse a subscription",
);
const payerCancel = mandateRoute(
  "payer-cancel",
  "cancelSandboxSubscription",
  "Play the payer: cancel a subscription in the bank's app",
);

const decideAttempt = route.post("/api/v1/sandbox/transactions/{id}/attempt", {
  operationId: "decideSandboxAttempt",
  summary: "Play the payer's bank: what becomes of the next attempt to debit",
  description:
    "Without it a debit is paid on its day. The clock brings the day (`/api/v1/sandbox/clock`).",
  guard: [requireScope("transactions:write"), sandboxOnly],
  params: z.object({ id: z.string() }),
  body: jsonBody(AttemptBody),
  answers: { 200: jsonResponse("The charge", SubscriptionChargeEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

/** The payer and his bank, as a tester plays them. What they do is read back as from any bank. */
export function sandboxSubscriptionRoutes(app: Api): void {
  app.openapi(approve, async (c) =>
    c.json(
      await play(c, async (bank, { mandate, terms, amount }) => {
        const first = terms.journey === "QR_AND_PAY" ? (terms.firstPayment ?? amount) : null;
        return bank.approve(mandate.id ?? "", first);
      }),
      200,
    ),
  );
  app.openapi(reject, async (c) =>
    c.json(await play(c, (bank, { mandate }) => bank.reject(mandate.id ?? "")), 200),
  );
  app.openapi(payerCancel, async (c) =>
    c.json(await play(c, (bank, { mandate }) => bank.payerCancels(mandate.id ?? "")), 200),
  );
  app.openapi(decideAttempt, async (c) => {
    await takeQuota(c);
    const { company } = c.get("caller");
    const row = await requireTransaction(c.env, company, c.req.valid("param").id);
    const cycle = await callCompany(c.env, company.id, (account) =>
      account.findCycleOfCharge(row.id),
    );
    if (cycle === null) throw notFound("charge of a subscription");
    const { outcome } = c.req.valid("json");
    const isTaken = await bankOf(c).decideAttempt(providerChargeId(row.id), outcome);
    if (!isTaken) throw invalidState("No attempt of this charge comes any more", "charge_closed");
    const subscription = await requireSubscription(c.env, company, cycle.subscriptionId);
    const now = companyDeps(c).clock.now();
    const [data] = await chargeViews(c.env, subscription, [cycle], now);
    assert(data !== undefined, "each cycle has a view");
    return c.json({ data }, 200);
  });
}

/** What the payer does with a mandate, read back at once. */
async function play(
  c: AppContext,
  act: (bank: PayersBank, subscription: Subscription) => Promise<boolean>,
) {
  await takeQuota(c);
  const { company } = c.get("caller");
  const deps = companyDeps(c);
  const subscription = await requireSubscription(c.env, company, c.req.param("id") ?? "");
  if (!(await act(bankOf(c), subscription)))
    throw invalidState("The payer's bank has no such mandate to decide", "subscription_status");
  const current = await readMandateBack({ env: c.env, deps, company }, subscription);
  return { data: subscriptionView(current, configOf(c.env).publicUrl) };
}

function bankOf(c: AppContext): PayersBank {
  const { payersBank } = companyDeps(c).providers(c.env).sandbox(c.get("caller").company);
  assert(payersBank !== null, "the sandbox has a bank for the payers");
  return payersBank;
}

function mandateRoute<Action extends string>(action: Action, operationId: string, summary: string) {
  return route.post(`/api/v1/sandbox/subscriptions/{id}/${action}` as const, {
    operationId,
    summary,
    guard: [requireScope("transactions:write"), sandboxOnly],
    params: SubscriptionParam,
    body: NO_FIELDS,
    answers: { 200: jsonResponse("The subscription", SubscriptionEnvelope) },
    problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
  });
}

export {
  approve as approveRoute,
  decideAttempt as attemptRoute,
  payerCancel as payerCancelRoute,
  reject as rejectRoute,
};
