import { z } from "@hono/zod-openapi";
import { toTransactionRecord } from "../../../db/projection/transaction-mapper.ts";
import { toCreateStatus } from "../../../domain/charges/charge-status.ts";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { invalidState } from "../../../http/problems.ts";
import { QR_ANSWERS, QrQuery, qrResponse } from "../../pix/qr-answer.ts";
import { currentRecord, requireTransaction } from "../service.ts";

const qr = routesOf("Transactions").get("/api/v1/transactions/{id}/qr", {
  operationId: "getTransactionQr",
  summary: "Get the QR code of a transaction",
  description:
    "The PIX code as SVG or PNG, by `format` or by `Accept`; SVG where neither says. " +
    "409 for one that has none or cannot be paid any more.",
  guard: requireScope("transactions:read"),
  params: z.object({ id: z.string() }),
  query: QrQuery,
  answers: QR_ANSWERS,
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "INVALID_STATE"],
});

/** The QR code of a charge that awaits its payment. */
export function transactionQrRoute(app: Api): void {
  app.openapi(qr, async (c) => {
    const { company } = c.get("caller");
    const row = await requireTransaction(c.env, company, c.req.valid("param").id);
    const { status, pix } = currentRecord(c, toTransactionRecord(row));
    const code = pix?.qrcode ?? null;
    if (status !== "waiting_payment" || code === null) {
      const has = code === null ? "it has no QR code" : `it is ${toCreateStatus(status)}`;
      throw invalidState(
        `Only a transaction that awaits a PIX has a QR code: ${has}`,
        "transaction_status",
      );
    }
    return qrResponse(c, code, c.req.valid("query"));
  });
}
