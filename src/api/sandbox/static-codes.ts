import { z } from "@hono/zod-openapi";
import { TRANSFER_METHOD } from "../../domain/charges/charge-status.ts";
import { paymentChargeKey } from "../../domain/charges/payment-charge.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import type { Api } from "../../http/api.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { optionalJsonBody } from "../../http/body.ts";
import { integer } from "../../http/fields/fields.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { takeQuota } from "../settings/take-quota.ts";
import type { StaticCodeRow } from "../pix/static-codes/repository.ts";
import { requireStaticCode } from "../pix/static-codes/service.ts";
import { findByIdempotencyKey } from "../transactions/repository.ts";
import { TransactionEnvelope } from "../transactions/schemas.ts";
import { paymentSubject } from "../provider-callbacks/subjects.ts";
import { transactionEnvelope } from "./envelope.ts";
import { bankPayer, SandboxPayer } from "./payer.ts";
import {
  bankOf,
  currentRecord,
  providerUnavailable,
  withStoredCallback,
  type Sandbox,
} from "./service.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { breaks } from "../../lib/fields/rules.ts";
import { companyDeps } from "../../http/context.ts";

const route = routesOf("Sandbox");

const PayStaticCode = z
  .object({
    amount: integer(1, MAX_AMOUNT_CENTS, "centavos").optional().openapi({
      description: "centavos; where left out the code's amount",
    }),
    payer: SandboxPayer.optional(),
  })
  .openapi("SandboxPayStaticCode", { example: { amount: 1_500 } });

const pay = route.post("/api/v1/sandbox/pix/static-codes/{id}/pay", {
  operationId: "payStaticCode",
  summary: "Play the payer: pay a static PIX code",
  description:
    "Each call is a payment of its own, which becomes a transaction, also of a deleted code.",
  guard: [requireScope("transactions:write"), sandboxOnly],
  params: z.object({ id: z.string() }),
  body: optionalJsonBody(PayStaticCode),
  answers: { 200: jsonResponse("The transaction", TransactionEnvelope) },
  problems: ["NOT_FOUND", "PROVIDER_UNAVAILABLE", "QUOTA_EXCEEDED"],
});

export function sandboxStaticCodeRoutes(app: Api): void {
  app.openapi(pay, async (c) => {
    const { company } = c.get("caller");
    const code = await requireStaticCode(c.env, company, c.req.valid("param").id);
    await takeQuota(c, SMALL_WRITE_BYTES);
    const body = (c.req.valid("json") as z.output<typeof PayStaticCode> | undefined) ?? {};
    const sandbox = { env: c.env, deps: companyDeps(c), company };
    const paid = await payStaticCode(sandbox, code, body);
    return c.json(transactionEnvelope(c, paid, "Payment received."), 200);
  });
}

/** A payer pays the code. Throws 400 without an amount, and 503 where the booking is left to the cron. */
async function payStaticCode(
  sandbox: Sandbox,
  code: StaticCodeRow,
  { amount = code.amount ?? undefined, payer }: z.output<typeof PayStaticCode>,
): Promise<TransactionRecord> {
  if (amount === undefined) {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "Invalid fields: amount.",
      errors: { amount: [breaks("requiredAmount")] },
    });
  }
  const bank = bankOf(sandbox);
  const payment = bank.newPayment(amount, TRANSFER_METHOD, bankPayer(payer));
  await withStoredCallback(sandbox, paymentSubject(payment.paymentId), () =>
    bank.simulateTransfer(payment, code.txid),
  );
  const { env, company } = sandbox;
  const key = paymentChargeKey(payment.paymentId);
  const row = await findByIdempotencyKey(env, company.id, key);
  if (row === null) throw providerUnavailable();
  return currentRecord(sandbox, row);
}
