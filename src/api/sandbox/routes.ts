import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { visibleWithdraw } from "../../domain/access/payer-masks.ts";
import { DISPUTE_REASONS } from "../../domain/disputes/dispute.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { METHODS } from "../../methods/registry.ts";
import { withdrawView, type WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { NO_FIELDS, jsonBody, optionalJsonBody } from "../../http/body.ts";
import { companyDeps, type AppContext } from "../../http/context.ts";
import { isoInstant, isoTimeText, integer } from "../../http/fields/fields.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { takeQuota } from "../settings/take-quota.ts";
import { TransactionEnvelope } from "../transactions/schemas.ts";
import { requireTransaction } from "../transactions/service.ts";
import { Withdraw } from "../withdraws/schemas.ts";
import { requireWithdraw } from "../withdraws/service.ts";
import { transactionEnvelope } from "./envelope.ts";
import { bankPayer, SandboxPayer } from "./payer.ts";
import { clockRoutes } from "./clock/routes.ts";
import { sandboxSubscriptionRoutes } from "./subscriptions.ts";
import { sandboxStaticCodeRoutes } from "./static-codes.ts";
import {
  chargeBack,
  disputeCharge,
  endCharge,
  payCharge,
  payWithoutCharge,
  resolveDispute,
  reverseChargeback,
} from "./service.ts";
import { failWithdraw, payWithdraw, returnWithdraw } from "./withdraws.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { breaks } from "../../lib/fields/rules.ts";

const route = routesOf("Sandbox");

const idParam = z.object({ id: z.string() });

/** A chargeback has a route of its own. */
const CLAIM_REASONS = DISPUTE_REASONS.filter((reason) => reason !== "CHARGEBACK");

/** Methods that a payer pays by. */
const PUSH_METHODS = METHODS.filter(({ initiation }) => initiation === "push")
  .map(({ name }) => name)
  .toSorted();

const PayBody = z
  .object({
    amount: integer(1, MAX_AMOUNT_CENTS, "centavos").optional().openapi({
      description:
        "centavos; where left out the transaction's amount, of a boleto what is due that day",
    }),
    payer: SandboxPayer.optional(),
    method: z
      .enum(PUSH_METHODS, { error: breaks("value", { values: PUSH_METHODS.join(" or ") }) })
      .optional()
      .openapi({ description: "PIX: a boleto is paid by its PIX code" }),
  })
  .openapi("SandboxPay");

const PaymentBody = z
  .object({
    amount: integer(1, MAX_AMOUNT_CENTS, "centavos"),
    payer: SandboxPayer.optional(),
  })
  .openapi("SandboxPayment");

const CHARGE_PROBLEMS = [
  "NOT_FOUND",
  "INVALID_STATE",
  "PROVIDER_UNAVAILABLE",
  "QUOTA_EXCEEDED",
] as const;

const payTransaction = route.post("/api/v1/sandbox/transactions/{id}/pay", {
  operationId: "paySandboxTransaction",
  summary: "Play the payer: pay a transaction",
  description:
    "Each call is a payment of its own; a second one of the same charge is unexpected. A card is charged once: authorized, it is captured.",
  guard: [requireScope("transactions:write"), sandboxOnly],
  params: idParam,
  body: optionalJsonBody(PayBody),
  answers: { 200: jsonResponse("The transaction", TransactionEnvelope) },
  problems: [
    "NOT_FOUND",
    "INVALID_STATE",
    "CAPTURE_EXCEEDS_AUTHORIZED",
    "PROVIDER_UNAVAILABLE",
    "QUOTA_EXCEEDED",
  ],
});

const payCompany = route.post("/api/v1/sandbox/payments", {
  operationId: "createSandboxPayment",
  summary: "Play a payer who pays without a charge",
  description:
    "To the company's key, as a transfer: nobody expected it, so it is an unexpected payment.",
  guard: [requireScope("transactions:write"), sandboxOnly],
  body: jsonBody(PaymentBody),
  answers: {
    200: jsonResponse(
      "The payment",
      z
        .object({
          paymentId: z.string(),
          amount: z.int().openapi({ description: "centavos" }),
          paidAt: isoTimeText,
        })
        .openapi("SandboxPaid"),
    ),
  },
  problems: ["QUOTA_EXCEEDED"],
});

const failTransaction = transactionActionRoute(
  "fail",
  "failSandboxTransaction",
  "Play the bank: the charge fails",
);
const expireTransaction = transactionActionRoute(
  "expire",
  "expireSandboxTransaction",
  "Play the clock: the charge expires",
);
const DisputeBody = z
  .object({
    reason: z
      .enum(CLAIM_REASONS, { error: breaks("value", { values: CLAIM_REASONS.join(", ") }) })
      .optional()
      .openapi({ description: "By default MED_FRAUD for a PIX, else OTHER." }),
    deadline: isoInstant.optional().openapi({
      description: "Until when the bank takes evidence; by default seven days for a MED.",
    }),
  })
  .openapi("SandboxDispute", { example: { reason: "MED_FRAUD" } });

const disputeTransaction = route.post("/api/v1/sandbox/transactions/{id}/dispute", {
  operationId: "disputeSandboxTransaction",
  summary: "Play the payer's bank: it disputes the payment (PIX: MED)",
  guard: [requireScope("transactions:write"), sandboxOnly],
  params: idParam,
  body: optionalJsonBody(DisputeBody),
  answers: { 200: jsonResponse("The transaction", TransactionEnvelope) },
  problems: CHARGE_PROBLEMS,
});
const chargeBackTransaction = transactionActionRoute(
  "chargeback",
  "chargeBackSandboxTransaction",
  "Play the payer's bank: it takes the payment back",
);
const reverseTransaction = transactionActionRoute(
  "chargeback/reverse",
  "reverseSandboxChargeback",
  "Play the payer's bank: it gives a chargeback back",
);

const ResolveBody = z
  .object({
    outcome: z.enum(["won", "lost"], { error: breaks("value", { values: "won or lost" }) }),
  })
  .openapi("SandboxResolveDispute");

const resolveTransaction = route.post("/api/v1/sandbox/transactions/{id}/dispute/resolve", {
  operationId: "resolveSandboxDispute",
  summary: "Play the payer's bank: it decides the dispute",
  guard: [requireScope("transactions:write"), sandboxOnly],
  params: idParam,
  body: jsonBody(ResolveBody),
  answers: { 200: jsonResponse("The transaction", TransactionEnvelope) },
  problems: CHARGE_PROBLEMS,
});

const payWithdrawRoute = withdrawActionRoute(
  "pay",
  "paySandboxWithdraw",
  "Play the receiving bank: it has the money",
);
const failWithdrawRoute = withdrawActionRoute(
  "fail",
  "failSandboxWithdraw",
  "Play the receiving bank: it refuses the money",
);

const ReturnBody = z
  .object({
    amount: integer(1, MAX_AMOUNT_CENTS, "centavos").optional().openapi({
      description: "centavos that have come back in all; where left out the whole",
    }),
  })
  .openapi("SandboxReturn");

const returnWithdrawRoute = route.post("/api/v1/sandbox/withdraws/{id}/return", {
  operationId: "returnSandboxWithdraw",
  summary: "Play the receiving bank: it sends a withdraw back, or a part of it",
  guard: [requireScope("withdraws:write"), sandboxOnly],
  params: idParam,
  body: optionalJsonBody(ReturnBody),
  answers: { 200: jsonResponse("The withdraw", Withdraw) },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

export {
  payTransaction as paySandboxTransaction,
  expireTransaction as expireSandboxTransaction,
  failTransaction as failSandboxTransaction,
  disputeTransaction as disputeSandboxTransaction,
  resolveTransaction as resolveSandboxDispute,
  chargeBackTransaction as chargeBackSandboxTransaction,
  reverseTransaction as reverseSandboxChargeback,
};

export function sandboxRoutes(app: Api): void {
  sandboxStaticCodeRoutes(app);
  sandboxSubscriptionRoutes(app);
  clockRoutes(app);
  app.openapi(payTransaction, async (c) => {
    const row = await requireOwnTransaction(c);
    const { payer, ...payment } =
      (c.req.valid("json") as z.output<typeof PayBody> | undefined) ?? {};
    const paid = await payCharge(sandboxOf(c), row, { ...payment, payer: bankPayer(payer) });
    return c.json(transactionEnvelope(c, paid, "Payment received."), 200);
  });
  app.openapi(payCompany, async (c) => {
    const { amount, payer } = c.req.valid("json");
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { paymentId, paidAt } = await payWithoutCharge(sandboxOf(c), amount, bankPayer(payer));
    return c.json({ paymentId, amount, paidAt: isoTime(paidAt) }, 200);
  });
  app.openapi(failTransaction, async (c) => {
    const failed = await endCharge(sandboxOf(c), await requireOwnTransaction(c), "failed");
    return c.json(transactionEnvelope(c, failed, "Transaction failed."), 200);
  });
  app.openapi(expireTransaction, async (c) => {
    const expired = await endCharge(sandboxOf(c), await requireOwnTransaction(c), "expired");
    return c.json(transactionEnvelope(c, expired, "Transaction expired."), 200);
  });
  app.openapi(disputeTransaction, async (c) => {
    const disputed = await disputeCharge(
      sandboxOf(c),
      await requireOwnTransaction(c),
      c.req.valid("json"),
    );
    return c.json(transactionEnvelope(c, disputed, "Transaction disputed."), 200);
  });
  app.openapi(resolveTransaction, async (c) => {
    const { outcome } = c.req.valid("json");
    const resolved = await resolveDispute(sandboxOf(c), await requireOwnTransaction(c), outcome);
    return c.json(transactionEnvelope(c, resolved, `Dispute ${outcome}.`), 200);
  });
  app.openapi(chargeBackTransaction, async (c) => {
    const taken = await chargeBack(sandboxOf(c), await requireOwnTransaction(c));
    return c.json(transactionEnvelope(c, taken, "Transaction charged back."), 200);
  });
  app.openapi(reverseTransaction, async (c) => {
    const reversed = await reverseChargeback(sandboxOf(c), await requireOwnTransaction(c));
    return c.json(transactionEnvelope(c, reversed, "Chargeback reversed."), 200);
  });
  app.openapi(payWithdrawRoute, async (c) =>
    c.json(shownWithdraw(c, await payWithdraw(sandboxOf(c), await requireOwnWithdraw(c))), 200),
  );
  app.openapi(failWithdrawRoute, async (c) =>
    c.json(shownWithdraw(c, await failWithdraw(sandboxOf(c), await requireOwnWithdraw(c))), 200),
  );
  app.openapi(returnWithdrawRoute, async (c) =>
    c.json(
      shownWithdraw(
        c,
        await returnWithdraw(sandboxOf(c), await requireOwnWithdraw(c), c.req.valid("json").amount),
      ),
      200,
    ),
  );
}

function transactionActionRoute<Move extends string>(
  action: Move,
  operationId: string,
  summary: string,
) {
  return route.post(`/api/v1/sandbox/transactions/{id}/${action}` as const, {
    operationId,
    summary,
    guard: [requireScope("transactions:write"), sandboxOnly],
    params: idParam,
    body: NO_FIELDS,
    answers: { 200: jsonResponse("The transaction", TransactionEnvelope) },
    problems: CHARGE_PROBLEMS,
  });
}

function withdrawActionRoute<Move extends string>(
  action: Move,
  operationId: string,
  summary: string,
) {
  return route.post(`/api/v1/sandbox/withdraws/{id}/${action}` as const, {
    operationId,
    summary,
    guard: [requireScope("withdraws:write"), sandboxOnly],
    params: idParam,
    body: NO_FIELDS,
    answers: { 200: jsonResponse("The withdraw", Withdraw) },
    problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
  });
}

function sandboxOf(c: AppContext) {
  return { env: c.env, deps: companyDeps(c), company: c.get("caller").company };
}

async function requireOwnTransaction(c: AppContext): Promise<TransactionRow> {
  await takeQuota(c);
  return requireTransaction(c.env, c.get("caller").company, c.req.param("id") ?? "");
}

async function requireOwnWithdraw(c: AppContext): Promise<WithdrawRecord> {
  await takeQuota(c);
  return requireWithdraw(c.env, c.get("caller").company, c.req.param("id") ?? "");
}

function shownWithdraw(c: AppContext, withdraw: WithdrawRecord) {
  return withdrawView(visibleWithdraw(c.get("caller").scopes, withdraw));
}
