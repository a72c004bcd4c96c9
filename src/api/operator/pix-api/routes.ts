import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { publicOrigin } from "../../../config.ts";
import { requireOperator } from "../../../http/auth/auth.ts";
import { NO_FIELDS, noFieldsBody, jsonBody, optionalJsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { pspFields } from "../../../http/fields/psp-fields.ts";
import {
  configurePixApi,
  disconnectPixApi,
  registerWebhook,
  rotateCallbackToken,
  showPixApi,
} from "./service.ts";
import {
  ConfiguredPixApi,
  PixApi,
  PixApiBody,
  RemovedPixApi,
  RotateCallbackToken,
  RotatedCallbackToken,
  WebhookRegistration,
} from "./schemas.ts";
import { retryOnStaleCompany, COMPANY, CompanyParam, companyContext } from "../company-param.ts";

const TAGS = ["Operator"];
const PIX_API = `${COMPANY}/providers/pix-api`;

const put = createRoute({
  method: "put",
  path: PIX_API,
  summary: "Configure the PSP of a live company",
  description:
    "A PSP with the central bank's Pix API 2.9.0. The gateway registers its callback URL there at once. " +
    "A new account makes the current one a former account, which still serves queries, refunds and " +
    "reconciliation of the payments that it received.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator, jsonBody(PixApiBody), pspFields] as const,
  request: {
    params: CompanyParam,
    body: { required: true, content: { "application/json": { schema: PixApiBody } } },
  },
  responses: {
    200: jsonResponse("The configuration, and the callback URL's registration", ConfiguredPixApi),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND", "INVALID_STATE"),
  },
});

const show = createRoute({
  method: "get",
  path: PIX_API,
  summary: "Get the PSP configuration of a company",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator] as const,
  request: { params: CompanyParam },
  responses: {
    200: jsonResponse("The configuration", PixApi),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

const remove = createRoute({
  method: "delete",
  path: PIX_API,
  summary: "Disconnect the PSP of a company",
  description:
    "Also its former accounts. 409 while a charge, withdraw, refund, return, dispute or callback is open. " +
    "Later refunds of their payments are refused (`PROVIDER_DISCONNECTED`).",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator] as const,
  request: { params: CompanyParam },
  responses: {
    200: jsonResponse("The PSP is disconnected", RemovedPixApi),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND", "INVALID_STATE"),
  },
});

const webhook = createRoute({
  method: "post",
  path: `${PIX_API}/webhook`,
  summary: "Register the callback URL at the PSP of a company",
  description: "Repeats the registration made with the configuration. Idempotent.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator, noFieldsBody] as const,
  request: { params: CompanyParam, body: NO_FIELDS },
  responses: {
    200: jsonResponse("The result of the registration", WebhookRegistration),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND"),
  },
});

const rotate = createRoute({
  method: "post",
  path: `${PIX_API}/callback-token/rotate`,
  summary: "Replace the token of a company's callback URL",
  description:
    "Registers the new URL at the PSP. The token before stays valid for `overlapHours`. If `webhook` is " +
    "`failed`, register the URL again before they end.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator, optionalJsonBody(RotateCallbackToken)] as const,
  request: {
    params: CompanyParam,
    body: { required: false, content: { "application/json": { schema: RotateCallbackToken } } },
  },
  responses: {
    200: jsonResponse("The new URL, and its registration", RotatedCallbackToken),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND"),
  },
});

/** An operator's routes for the PSPs of live companies. */
export function pixApiRoutes(app: Api): void {
  app.openapi(put, async (c) => {
    const origin = publicOrigin(c.env, c.req.url);
    const configured = await retryOnStaleCompany(c, c.req.valid("param").companyId, (context) =>
      configurePixApi(context, c.req.valid("json"), origin),
    );
    return c.json(configured, 200);
  });

  app.openapi(show, async (c) => {
    return c.json(await showPixApi(await companyContext(c, c.req.valid("param").companyId)), 200);
  });

  app.openapi(remove, async (c) => {
    return c.json(
      await retryOnStaleCompany(c, c.req.valid("param").companyId, disconnectPixApi),
      200,
    );
  });

  app.openapi(rotate, async (c) => {
    const { overlapHours } = c.req.valid("json");
    const rotated = await retryOnStaleCompany(c, c.req.valid("param").companyId, (context) =>
      rotateCallbackToken(context, overlapHours),
    );
    return c.json(rotated, 200);
  });

  app.openapi(webhook, async (c) => {
    return c.json(
      await registerWebhook(await companyContext(c, c.req.valid("param").companyId)),
      200,
    );
  });
}
