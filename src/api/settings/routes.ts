import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { audited } from "../../http/audit.ts";
import { callerRequester } from "../../http/audit.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { requesterOf, type AppContext } from "../../http/context.ts";
import { jsonBody } from "../../http/body.ts";
import { embedOriginsField } from "../../http/fields/embed-origins.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../http/openapi/openapi.ts";
import { notFound } from "../../http/problems.ts";
import { takeQuota, takeReservedQuota } from "./take-quota.ts";
import { assert } from "../../lib/assert.ts";
import { ChangeSettings, ChangeTerms, OwnTerms, PendingParam, Settings, Terms } from "./schemas.ts";
import { changeSettings, refusePending } from "./change.ts";
import { changeTerms, showOwnTerms, showTerms, termsChange } from "./service.ts";
import { settingsView } from "./views.ts";

const TAGS = ["Settings"];
const PATH = "/api/v1/company/settings";
/** A sandbox company freezes itself to try what that does. */
const SANDBOX_FREEZE = "the sandbox's own setting";
const SANDBOX_PATH = "/api/v1/sandbox/settings";

const show = createRoute({
  method: "get",
  path: PATH,
  operationId: "getCompanySettings",
  summary: "Show the company's settings",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("balance:read", { orScope: "settings:write" })] as const,
  responses: { 200: jsonResponse("The settings", Settings), ...problemResponses() },
});

const change = createRoute({
  method: "put",
  path: PATH,
  operationId: "changeCompanySettings",
  summary: "Change the company's settings",
  description:
    "What is tighter holds at once. What is looser (a higher limit, a shorter cool-down, a list that is no longer " +
    "enforced) holds after the cool-down of before, at least 24 hours, and stands in `pending` until then (202). The same " +
    "value again keeps its time; another one replaces it.",
  tags: TAGS,
  security: SECURITY,
  middleware: [
    requireScope("settings:write"),
    jsonBody(ChangeSettings),
    embedOriginsField,
  ] as const,
  request: {
    body: { required: true, content: { "application/json": { schema: ChangeSettings } } },
  },
  responses: {
    200: jsonResponse("The settings", Settings),
    202: jsonResponse("The settings; some of what was sent waits in `pending`", Settings),
    ...problemResponses(...BODY_PROBLEMS, "QUOTA_EXCEEDED"),
  },
});

const refuse = createRoute({
  method: "delete",
  path: `${PATH}/pending/{field}`,
  operationId: "refusePendingSetting",
  summary: "Refuse a loosened setting that waits",
  description: "What holds now goes on to hold.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("settings:write")] as const,
  request: { params: PendingParam },
  responses: {
    200: jsonResponse("The settings", Settings),
    ...problemResponses("NOT_FOUND", "QUOTA_EXCEEDED"),
  },
});

const ownTerms = createRoute({
  method: "get",
  path: "/api/v1/company/terms",
  operationId: "getOwnTerms",
  summary: "Show the company's fees and release days",
  description:
    "As its operator agreed with it, for charges created from now on. A charge keeps the terms of its creation.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("balance:read")] as const,
  responses: { 200: jsonResponse("The terms", OwnTerms), ...problemResponses() },
});

const showSandboxTerms = createRoute({
  method: "get",
  path: SANDBOX_PATH,
  operationId: "getSandboxTerms",
  summary: "Show the terms of a sandbox company",
  tags: ["Sandbox"],
  security: SECURITY,
  middleware: [requireScope("settings:write"), sandboxOnly] as const,
  responses: { 200: jsonResponse("The terms", Terms), ...problemResponses() },
});

const changeSandboxTerms = createRoute({
  method: "put",
  path: SANDBOX_PATH,
  operationId: "changeSandboxTerms",
  summary: "Change the terms of a sandbox company, as its operator would",
  tags: ["Sandbox"],
  security: SECURITY,
  middleware: [requireScope("settings:write"), sandboxOnly, jsonBody(ChangeTerms)] as const,
  request: { body: { required: true, content: { "application/json": { schema: ChangeTerms } } } },
  responses: {
    200: jsonResponse("The terms", Terms),
    ...problemResponses(...BODY_PROBLEMS, "QUOTA_EXCEEDED"),
  },
});

function settingsContext(c: AppContext) {
  const caller = c.get("caller");
  return {
    companyId: caller.company.id,
    by: requesterOf(caller),
    nowMs: c.get("deps").clock.now(),
  };
}

export function settingsRoutes(app: Api): void {
  app.openapi(ownTerms, async (c) => {
    const { id, terms } = c.get("caller").company;
    return c.json(await showOwnTerms(c.env, id, terms), 200);
  });

  app.openapi(showSandboxTerms, async (c) => {
    const { id, terms } = c.get("caller").company;
    return c.json(await showTerms(c.env, id, terms), 200);
  });

  app.openapi(changeSandboxTerms, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { id, terms: before } = c.get("caller").company;
    const request = c.req.valid("json");
    const by = { reason: SANDBOX_FREEZE, by: callerRequester(c) };
    const entry = termsChange(id, await showTerms(c.env, id, before), request);
    const terms = await audited(c, entry, () => changeTerms(c.env, id, request, by));
    assert(terms !== null, "the caller's company exists");
    return c.json(terms, 200);
  });

  app.openapi(show, (c) => c.json(settingsView(c.get("caller").company), 200));

  app.openapi(change, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { company } = c.get("caller");
    const request = c.req.valid("json");
    const { settings, loosened } = await audited(
      c,
      {
        companyId: company.id,
        action: "settings.change",
        target: `company:${company.id}`,
        before: settingsView(company),
        after: request,
      },
      () => changeSettings(c.env, settingsContext(c), request),
    );
    return c.json(settingsView(settings), loosened.length === 0 ? 200 : 202);
  });

  app.openapi(refuse, async (c) => {
    const { field } = c.req.valid("param");
    const { company } = c.get("caller");
    const waiting = company.pendingSettings.find((each) => each.field === field);
    if (waiting === undefined) throw notFound("pending setting");
    await takeReservedQuota(c);
    const { from, to } = waiting;
    const action = {
      companyId: company.id,
      action: "settings.refuse",
      target: `company:${company.id}`,
      before: { [field]: to },
      after: { [field]: from },
    };
    const settings = await audited(c, action, () =>
      refusePending(c.env, settingsContext(c), field),
    );
    return c.json(settingsView(settings), 200);
  });
}
