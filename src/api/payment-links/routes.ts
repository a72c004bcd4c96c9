import { publicOrigin } from "../../config.ts";
import { paymentLinkView, type PaymentLink } from "../../domain/links/payment-link.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { jsonBody } from "../../http/body.ts";
import { companyDeps, type AppContext } from "../../http/context.ts";
import { webhookUrlField } from "../../http/fields/webhook-url.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../http/idempotency.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { QR_ANSWERS, qrResponse, QrQuery } from "../pix/qr-answer.ts";
import {
  CreatePaymentLink,
  PaymentLinkEnvelope,
  PaymentLinkParam,
  PaymentLinks,
  PaymentLinksQuery,
  UpdatePaymentLink,
} from "./schemas.ts";
import {
  createPaymentLink,
  pageOfPaymentLinks,
  requirePaymentLink,
  updatePaymentLink,
} from "./service.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Payment links");
const PATH = "/api/v1/payment-links";

const create = route.post(PATH, {
  operationId: "createPaymentLink",
  summary: "Make a payment link",
  description:
    "A page that payers open to pay, as often as `maxPayments` says. One of `amount`, `amounts`, or `minimum` " +
    "and `maximum` says what is paid. A visit makes nothing; each payment becomes a transaction with " +
    "`paymentLinkId`. What is sold never changes: make another link for it. At most 10,000 links (409).",
  guard: requireScope("transactions:write"),
  body: jsonBody(CreatePaymentLink),
  idempotencyKey: optionalIdempotencyKey("link_course"),
  checks: [webhookUrlField("returnUrl")],
  answers: { 201: jsonResponse("The link", PaymentLinkEnvelope) },
  problems: ["INVALID_STATE", "PROVIDER_NOT_CONFIGURED", "QUOTA_EXCEEDED"],
});

const list = route.get(PATH, {
  operationId: "listPaymentLinks",
  summary: "List the company's payment links",
  description: "Newest first.",
  guard: requireScope("transactions:read"),
  query: PaymentLinksQuery,
  answers: { 200: jsonResponse("One page", PaymentLinks) },
  problems: ["VALIDATION_FAILED"],
});

const show = route.get(`${PATH}/{id}`, {
  operationId: "getPaymentLink",
  summary: "Show a payment link",
  guard: requireScope("transactions:read"),
  params: PaymentLinkParam,
  answers: { 200: jsonResponse("The link", PaymentLinkEnvelope) },
  problems: ["NOT_FOUND"],
});

const update = route.patch(`${PATH}/{id}`, {
  operationId: "changePaymentLink",
  summary: "Change a payment link",
  description:
    "What is left out stays. A payer who has acted already may still pay. A limit below what was paid, or is " +
    "being paid, is 409.",
  guard: requireScope("transactions:write"),
  params: PaymentLinkParam,
  body: jsonBody(UpdatePaymentLink),
  answers: { 200: jsonResponse("The link", PaymentLinkEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

const qr = route.get(`${PATH}/{id}/qr`, {
  operationId: "getPaymentLinkQr",
  summary: "Get the QR code of a payment link",
  description: "As SVG or PNG, by `format` or by `Accept`; SVG where neither says.",
  guard: requireScope("transactions:read"),
  params: PaymentLinkParam,
  query: QrQuery,
  answers: QR_ANSWERS,
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

export {
  create as createPaymentLink,
  list as listPaymentLinks,
  show as getPaymentLink,
  update as changePaymentLink,
  qr as getPaymentLinkQr,
};

/** `/api/v1/payment-links`: pages on which anybody pays a company. */
export function paymentLinkRoutes(app: Api): void {
  app.openapi(create, async (c) => {
    const body = c.req.valid("json");
    const { link, replayed } = await writeOptimistically(c, (caller) =>
      createPaymentLink(
        { env: c.env, deps: companyDeps(c), caller },
        body,
        c.get("idempotencyKey"),
      ),
    );
    if (replayed) c.header(REPLAYED_HEADER, "true");
    return c.json({ data: viewOf(c, link) }, 201);
  });

  app.openapi(list, async (c) => {
    const { company } = c.get("caller");
    const { links, ...page } = await pageOfPaymentLinks(c.env, company, c.req.valid("query"));
    return c.json({ items: links.map((link) => viewOf(c, link)), ...page }, 200);
  });

  app.openapi(show, async (c) => {
    const { id } = c.req.valid("param");
    const link = await requirePaymentLink(c.env, c.get("caller").company, id);
    return c.json({ data: viewOf(c, link) }, 200);
  });

  app.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const body = c.req.valid("json");
    await requirePaymentLink(c.env, c.get("caller").company, id);
    const link = await writeOptimistically(c, (caller) =>
      updatePaymentLink({ env: c.env, deps: companyDeps(c), caller }, id, body),
    );
    return c.json({ data: viewOf(c, link) }, 200);
  });

  app.openapi(qr, async (c) => {
    const { id } = c.req.valid("param");
    const link = await requirePaymentLink(c.env, c.get("caller").company, id);
    return qrResponse(c, viewOf(c, link).url, c.req.valid("query"));
  });
}

function viewOf(c: AppContext, link: PaymentLink) {
  const origin = publicOrigin(c.env, c.req.url);
  return paymentLinkView(link, origin, companyDeps(c).clock.now());
}
