import type { Api } from "../../../http/api.ts";
import { publicOrigin } from "../../../config.ts";
import { pixApiAccount } from "../../../domain/psp/psp-account.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { NO_FIELDS, jsonBody, optionalJsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { pspFields } from "../../../http/fields/psp-fields.ts";
import { proposed } from "../proposals/propose.ts";
import type { ProposalRequest } from "../proposals/service.ts";
import { OneProposal } from "../proposals/schemas.ts";
import { auditedSettings } from "./audit.ts";
import {
  ConfiguredPixApi,
  PixApi,
  PixApiBody,
  RemovedPixApi,
  RotateCallbackToken,
  RotatedCallbackToken,
  WebhookRegistration,
  type PixApiRequest,
} from "./schemas.ts";
import { visiblePixApi } from "./views.ts";
import {
  retryOnStaleCompany,
  COMPANY,
  CompanyParam,
  companyContext,
  requireCompany,
} from "../company-param.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import {
  configurePixApi,
  disconnectPixApi,
  registerWebhook,
  rotateCallbackToken,
  showPixApi,
  takesTwoOperators,
} from "./service.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const route = routesOf("Operator");
const PIX_API = `${COMPANY}/providers/pix-api`;

const put = route.put(PIX_API, {
  operationId: "configurePixApi",
  summary: "Configure the PSP of a live company",
  description:
    "A PSP with the central bank's Pix API 2.9.0. The gateway registers its callback URL there at once. " +
    "A new account makes the current one a former account, which still serves queries, refunds and " +
    "reconciliation of the payments that it received. A first connection, and another secret or certificate of " +
    "the same one, act at once. Another `baseUrl`, `tokenUrl`, `clientId`, `pixKey`, `payouts`, `headers` or " +
    "`callbackOrigin` than the company's, or than it had last, needs a `reason` and is proposed (202): another " +
    "operator approves it.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(PixApiBody),
  checks: [pspFields],
  answers: {
    200: jsonResponse("The configuration, and the callback URL's registration", ConfiguredPixApi),
    202: jsonResponse("The proposal of another connection", OneProposal),
  },
  problems: ["NOT_FOUND", "INVALID_STATE", "SECOND_OPERATOR_REQUIRED"],
});

const show = route.get(PIX_API, {
  operationId: "getPixApi",
  summary: "Get the PSP configuration of a company",
  description:
    "The role `read` sees PIX keys and the token of `callbackUrl` masked, and no query of a URL.",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  answers: { 200: jsonResponse("The configuration", PixApi) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const remove = route.delete(PIX_API, {
  operationId: "disconnectPixApi",
  summary: "Disconnect the PSP of a company",
  description:
    "Also its former accounts. 409 while a charge, withdraw, refund, return, dispute or callback is open. " +
    "Later refunds of their payments are refused (`PROVIDER_DISCONNECTED`).",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  answers: { 200: jsonResponse("The PSP is disconnected", RemovedPixApi) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "INVALID_STATE"],
});

const webhook = route.post(`${PIX_API}/webhook`, {
  operationId: "registerPixApiWebhook",
  summary: "Register the callback URL at the PSP of a company",
  description: "Repeats the registration made with the configuration. Idempotent.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: NO_FIELDS,
  answers: { 200: jsonResponse("The result of the registration", WebhookRegistration) },
  problems: ["NOT_FOUND"],
});

const rotate = route.post(`${PIX_API}/callback-token/rotate`, {
  operationId: "rotateCallbackToken",
  summary: "Replace the token of a company's callback URL",
  description:
    "Registers the new URL at the PSP. The token before stays valid for `overlapHours`. If `webhook` is " +
    "`failed`, register the URL again before they end.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: optionalJsonBody(RotateCallbackToken),
  answers: { 200: jsonResponse("The new URL, and its registration", RotatedCallbackToken) },
  problems: ["NOT_FOUND"],
});

export { show as getPixApi, webhook as registerPixApiWebhook };

/** An operator's routes for the PSPs of live companies. */
export function pixApiRoutes(app: Api): void {
  app.openapi(put, async (c) => {
    const origin = publicOrigin(c.env, c.req.url);
    const { companyId } = c.req.valid("param");
    const request = c.req.valid("json");
    const company = await requireCompany(c, companyId);
    if (await takesTwoOperators({ env: c.env, company }, request)) {
      return c.json(await proposed(c, connectionProposal(companyId, request)), 202);
    }
    const current = pixApiAccount(company.accounts);
    const values = {
      before: current === null ? null : auditedSettings(current.settings),
      after: auditedSettings(request),
    };
    const configured = await audited(c, { ...pspAction(companyId, "connect"), ...values }, () =>
      retryOnStaleCompany(c, companyId, (context) =>
        configurePixApi(context, { request, origin, isApproved: false }),
      ),
    );
    return c.json(configured, 200);
  });

  app.openapi(show, async (c) => {
    const shown = await showPixApi(await companyContext(c, c.req.valid("param").companyId));
    return c.json(visiblePixApi(c, shown), 200);
  });

  app.openapi(remove, async (c) => {
    const { companyId } = c.req.valid("param");
    const { accounts } = await requireCompany(c, companyId);
    const current = pixApiAccount(accounts);
    const before = current === null ? null : auditedSettings(current.settings);
    const removed = await audited(c, { ...pspAction(companyId, "disconnect"), before }, () =>
      retryOnStaleCompany(c, companyId, async (context) => disconnectPixApi(context)),
    );
    return c.json(removed, 200);
  });

  app.openapi(rotate, async (c) => {
    const { overlapHours } = c.req.valid("json");
    const { companyId } = c.req.valid("param");
    await requireCompany(c, companyId);
    const action = { ...pspAction(companyId, "rotate_callback_token"), after: { overlapHours } };
    const rotated = await audited(c, action, () =>
      retryOnStaleCompany(c, companyId, async (context) =>
        rotateCallbackToken(context, overlapHours),
      ),
    );
    return c.json(rotated, 200);
  });

  app.openapi(webhook, async (c) => {
    const context = await companyContext(c, c.req.valid("param").companyId);
    const action = pspAction(context.company.id, "register_webhook");
    return c.json(await audited(c, action, () => registerWebhook(context)), 200);
  });
}

/** The proposal of another connection. Throws 400 without a reason. */
function connectionProposal(
  companyId: number,
  { reason = "", ...request }: PixApiRequest,
): ProposalRequest {
  if (reason.trim() === "") {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "Invalid fields: reason.",
      errors: { reason: [breaks("requiredForApproval")] },
    });
  }
  return {
    action: "company.provider",
    companyId,
    target: `company:${companyId}`,
    request,
    reason,
    evidence: null,
  };
}

function pspAction(companyId: number, verb: string) {
  return { companyId, action: `provider.${verb}`, target: `company:${companyId}` };
}
