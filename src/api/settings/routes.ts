import { accountsOfCompanies } from "../../db/watch/providers.ts";
import type { Api } from "../../http/api.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { audited } from "../../http/audit.ts";
import { callerRequester } from "../../http/audit.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { requesterOf, companyDeps, type AppContext } from "../../http/context.ts";
import { jsonBody } from "../../http/body.ts";
import { embedOriginsField } from "../../http/fields/embed-origins.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { notFound } from "../../http/problems.ts";
import { takeQuota, takeReservedQuota } from "./take-quota.ts";
import { assert } from "../../lib/assert.ts";
import {
  ChangeSettings,
  ChangeTerms,
  CompanyProviders,
  OwnTerms,
  PendingParam,
  Settings,
  Terms,
} from "./schemas.ts";
import { typedCallbackUrls } from "./callback-urls.ts";
import { changeSettings, refusePending } from "./change.ts";
import { changeTerms, showOwnTerms, showTerms, termsChange } from "./service.ts";
import { providerView, settingsView } from "./views.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Settings");
const route2 = routesOf("Sandbox");
const PATH = "/api/v1/company/settings";
/** A sandbox company freezes itself to try what that does. */
const SANDBOX_FREEZE = "the sandbox's own setting";
const SANDBOX_PATH = "/api/v1/sandbox/settings";

const show = route.get(PATH, {
  operationId: "getCompanySettings",
  summary: "Show the company's settings",
  guard: requireScope("balance:read", { orScope: "settings:write" }),
  answers: { 200: jsonResponse("The settings", Settings) },
});

const change = route.put(PATH, {
  operationId: "changeCompanySettings",
  summary: "Change the company's settings",
  description:
    "What is tighter holds at once. What is looser (a higher limit, a shorter cool-down, a list that is no longer " +
    "enforced) holds after the cool-down of before, at least 24 hours, and stands in `pending` until then (202). The same " +
    "value again keeps its time; another one replaces it.",
  guard: requireScope("settings:write"),
  body: jsonBody(ChangeSettings),
  checks: [embedOriginsField],
  answers: {
    200: jsonResponse("The settings", Settings),
    202: jsonResponse("The settings; some of what was sent waits in `pending`", Settings),
  },
  problems: ["QUOTA_EXCEEDED"],
});

const refuse = route.delete(`${PATH}/pending/{field}`, {
  operationId: "refusePendingSetting",
  summary: "Refuse a loosened setting that waits",
  description: "What holds now goes on to hold.",
  guard: requireScope("settings:write"),
  params: PendingParam,
  answers: { 200: jsonResponse("The settings", Settings) },
  problems: ["NOT_FOUND", "QUOTA_EXCEEDED"],
});

const ownTerms = route.get("/api/v1/company/terms", {
  operationId: "getOwnTerms",
  summary: "Show the company's fees and release days",
  description:
    "As its operator agreed with it, for charges created from now on. A charge keeps the terms of its creation.",
  guard: requireScope("balance:read"),
  answers: { 200: jsonResponse("The terms", OwnTerms) },
});

const showSandboxTerms = route2.get(SANDBOX_PATH, {
  operationId: "getSandboxTerms",
  summary: "Show the terms of a sandbox company",
  guard: [requireScope("settings:write"), sandboxOnly],
  answers: { 200: jsonResponse("The terms", Terms) },
});

const changeSandboxTerms = route2.put(SANDBOX_PATH, {
  operationId: "changeSandboxTerms",
  summary: "Change the terms of a sandbox company, as its operator would",
  guard: [requireScope("settings:write"), sandboxOnly],
  body: jsonBody(ChangeTerms),
  answers: { 200: jsonResponse("The terms", Terms) },
  problems: ["QUOTA_EXCEEDED"],
});

function settingsContext(c: AppContext) {
  const caller = c.get("caller");
  return {
    companyId: caller.company.id,
    by: requesterOf(caller),
    nowMs: companyDeps(c).clock.now(),
  };
}

const providers = route.get("/api/v1/company/providers", {
  operationId: "listCompanyProviders",
  summary: "Show the company's accounts at PSPs, and when their access ends",
  description:
    "Accounts that the gateway has called, or whose end an operator entered. Charges by an account whose certificate or " +
    "credentials have ended fail; the operator takes new ones.",
  guard: requireScope("balance:read", { orScope: "settings:write" }),
  answers: { 200: jsonResponse("The accounts", CompanyProviders) },
});

export {
  providers as listCompanyProviders,
  show as getCompanySettings,
  change as changeCompanySettings,
  refuse as refusePendingSetting,
  ownTerms as getOwnTerms,
  showSandboxTerms as getSandboxTerms,
  changeSandboxTerms,
};

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

  app.openapi(providers, async (c) => {
    const { company, scopes } = c.get("caller");
    const accounts = await accountsOfCompanies(c.env, [company.id]);
    const callbackUrls = scopes.has("settings:write")
      ? await typedCallbackUrls(c.env, company)
      : [];
    return c.json(
      { items: accounts.map((each) => providerView(company, each)), callbackUrls },
      200,
    );
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
