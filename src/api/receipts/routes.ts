import { z, type RouteConfig } from "@hono/zod-openapi";
import { Problem } from "../../domain/shared/problem.ts";
import { publicOrigin } from "../../config.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { anyJson, documentBody } from "../../http/body.ts";
import { companyDeps, type AppContext } from "../../http/context.ts";
import { PDF_TYPE } from "../../http/negotiation.ts";
import { jsonResponse, publicProblemResponses } from "../../http/openapi/openapi.ts";
import { limitPublicRoute } from "../../http/rate-limits/enforce.ts";
import { PaymentReceipt, ReceiptToVerify, ReceiptVerdict, WithdrawReceipt } from "./schemas.ts";
import { repeatsNames } from "./repeated-names.ts";
import {
  NOT_GENUINE,
  receiptOfTransaction,
  receiptOfWithdraw,
  receiptPdf,
  signReceipt,
  VERIFY_PATH,
  verifyReceipt,
  verifyReceiptPdf,
} from "./service.ts";
import type { Receipt } from "./views.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Receipts");

const TAGS = ["Receipts"];
/** A PDF as the OpenAPI document describes it. */
const PDF = { schema: z.string().openapi({ format: "binary" }) };

const DESCRIPTION =
  "Signed with the company's Ed25519 key, as JSON or, with `Accept: application/pdf`, as a PDF for people. " +
  `Anybody may check either with \`POST ${VERIFY_PATH}\`. Documents and PIX keys are masked. Amounts in centavos.`;

const ofTransaction = route.get("/api/v1/transactions/{id}/receipt", {
  operationId: "getTransactionReceipt",
  summary: "Get the receipt of a paid transaction",
  description: DESCRIPTION,
  guard: requireScope("transactions:read"),
  params: z.object({ id: z.string() }),
  answers: {
    200: {
      description: "The receipt",
      content: { "application/json": { schema: PaymentReceipt }, [PDF_TYPE]: PDF },
    },
  },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const ofWithdraw = route.get("/api/v1/withdraws/{id}/receipt", {
  operationId: "getWithdrawReceipt",
  summary: "Get the receipt of a paid withdraw",
  description: DESCRIPTION,
  guard: requireScope("withdraws:read"),
  params: z.object({ id: z.string().openapi({ example: "1" }) }),
  answers: {
    200: {
      description: "The receipt",
      content: { "application/json": { schema: WithdrawReceipt }, [PDF_TYPE]: PDF },
    },
  },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const verify = {
  method: "post",
  path: VERIFY_PATH,
  operationId: "verifyReceipt",
  summary: "Check whether a receipt is genuine",
  description:
    "For anybody who was given a receipt: send it unchanged, as JSON or as the PDF file. `genuine` is true if a " +
    "company of this gateway signed exactly this. Nothing of it is kept.",
  tags: [...TAGS, "Public"],
  security: [],
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: ReceiptToVerify }, [PDF_TYPE]: PDF },
    },
  },
  responses: {
    200: jsonResponse("The verdict", ReceiptVerdict),
    ...publicProblemResponses("MALFORMED_JSON", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
  },
} satisfies RouteConfig;

export { ofTransaction as getTransactionReceipt, ofWithdraw as getWithdrawReceipt };

export function receiptRoutes(app: Api): void {
  app.openapi(ofTransaction, async (c) => {
    const { id } = c.req.valid("param");
    return answer(c, await receiptOfTransaction(c.env, c.get("caller"), id));
  });

  app.openapi(ofWithdraw, async (c) => {
    const { id } = c.req.valid("param");
    return answer(c, await receiptOfWithdraw(c.env, c.get("caller"), id));
  });

  // Its body is any JSON or a PDF, so no schema checks it; the document shows both.
  app.openAPIRegistry.registerPath(verify);
  app.post(VERIFY_PATH, limitPublicRoute, documentBody, async (c) => {
    const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
    if (type === PDF_TYPE) {
      return c.json(await verifyReceiptPdf(c.env, new Uint8Array(await c.req.arrayBuffer())), 200);
    }
    if (type === "application/json") {
      const document = await anyJson(c);
      const isAmbiguous = repeatsNames(await c.req.text(), document);
      return c.json(isAmbiguous ? NOT_GENUINE : await verifyReceipt(c.env, document), 200);
    }
    throw new Problem({
      code: "UNSUPPORTED_MEDIA_TYPE",
      detail: "The body must be sent as Content-Type: application/json or application/pdf.",
    });
  });
}

async function answer(c: AppContext, receipt: Receipt): Promise<Response> {
  const { company } = c.get("caller");
  const nowMs = companyDeps(c).clock.now();
  if (c.get("mediaType") !== PDF_TYPE) {
    return c.json(await signReceipt(c.env, company, receipt, nowMs), 200);
  }
  const verifyUrl = publicOrigin(c.env, c.req.url) + VERIFY_PATH;
  const pdf = await receiptPdf(c.env, company, receipt, { verifyUrl, nowMs });
  const name = receipt.type === "payment" ? receipt.transactionId : `saque-${receipt.withdrawId}`;
  return c.body(pdf, 200, {
    "Content-Type": PDF_TYPE,
    "Content-Disposition": `attachment; filename="comprovante-${name}.pdf"`,
  });
}
