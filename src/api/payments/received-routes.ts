import { callCompany } from "../../company-client/stub.ts";
import { receivedPaymentView } from "../../domain/charges/received-payment.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { ReceivedPaymentsList, ReceivedPaymentsQuery } from "./received-schemas.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Payments");

const received = route.get("/api/v1/payments/received", {
  operationId: "searchReceivedPayments",
  summary: "Find a payment that arrived",
  description:
    "For a cashier. By `endToEndId`, or by `amount` (centavos) and `at`, the minute that the payer's receipt shows. " +
    "The ledger answers, so a payment is here as soon as it is booked. Of the payer only the first name and the " +
    "masked document are shown. An empty list means: not arrived.",
  guard: requireScope("transactions:read", { orScope: "cashier:write" }),
  query: ReceivedPaymentsQuery,
  answers: { 200: jsonResponse("The payments", ReceivedPaymentsList) },
  problems: ["VALIDATION_FAILED"],
});

export { received as searchReceivedPayments };

/** A merchant's route for a payment in question. */
export function receivedPaymentRoutes(app: Api): void {
  app.openapi(received, async (c) => {
    const { endToEndId, amount, at } = c.req.valid("query");
    const query = endToEndId === undefined ? { amount: amount!, at: at! } : { endToEndId };
    const { payments, isWhole } = await callCompany(c.env, c.get("caller").company.id, (account) =>
      account.findReceivedPayments(query),
    );
    return c.json({ items: payments.map(receivedPaymentView), isWhole }, 200);
  });
}
