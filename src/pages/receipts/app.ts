import { Hono } from "hono";
import { findForPayer } from "../../api/checkout/payer.ts";
import type { AppContext } from "../../http/context.ts";
import type { CheckoutContext, CheckoutEnv } from "../checkout/context.ts";
import { failedPage, notFoundPage } from "../checkout/errors.tsx";
import { payersPage } from "../checkout/ui/headers.ts";
import { findReceipt, receiptFile } from "./receipt.ts";
import { receiptPage } from "./receipt-page.tsx";
import { checkedPage, verifyPage } from "./verify-page.tsx";

const receiptsApp = new Hono<CheckoutEnv>();
receiptsApp.use(payersPage);
receiptsApp.get("/receipts/verify", verifyPage);
receiptsApp.post("/receipts/check", checkedPage);
receiptsApp.get("/r/:secureId", async (c) => {
  const found = await receiptOf(c);
  return found === null ? notFoundPage(c) : receiptPage(c, found);
});
receiptsApp.get("/r/:secureId/:file{receipt\\.(?:pdf|json)}", async (c) => {
  const found = await receiptOf(c);
  if (found === null) return notFoundPage(c);
  return receiptFile(c, found, c.req.param("file") === "receipt.pdf" ? "pdf" : "json");
});
receiptsApp.notFound(notFoundPage);
receiptsApp.onError(failedPage);

async function receiptOf(c: CheckoutContext) {
  const found = await findForPayer(c.env.outer.env, c.req.param("secureId") ?? "");
  return found === null ? null : findReceipt(found);
}

/** The answer to a request for a receipt or its check. */
export async function serveReceipts(outer: AppContext): Promise<Response> {
  return receiptsApp.fetch(outer.req.raw, { outer });
}
