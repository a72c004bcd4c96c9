import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { updateWithdrawPolicy } from "../../db/companies/companies.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import type { WithdrawPolicy } from "../../domain/withdraws/withdraw-policy.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import { integer } from "../../http/fields/fields.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../http/openapi/openapi.ts";
import { assert } from "../../lib/assert.ts";
import { updateCredentials } from "./update-credentials.ts";
import { ChangeTerms, changeTerms, showTerms, Terms } from "./service.ts";

const TAGS = ["Settings"];
const PATH = "/api/v1/company/settings";
const SANDBOX_PATH = "/api/v1/sandbox/settings";

const Settings = z
  .object({
    duplicateWithdrawGuard: z.boolean().openapi({
      description: "Refuse a withdraw of the same key and amount within ten minutes.",
      example: false,
    }),
    withdrawDailyLimit: z.int().nullable().openapi({
      description: "centavos a day (America/Sao_Paulo); null for no limit",
      example: null,
    }),
  })
  .openapi("CompanySettings");

const ChangeSettings = z
  .object({
    duplicateWithdrawGuard: z.boolean({ error: "must be true or false" }).optional(),
    withdrawDailyLimit: integer(0, MAX_AMOUNT_CENTS, "centavos").nullable().optional(),
  })
  .openapi("ChangeCompanySettings", { description: "Parts left out stay as they are." });

const show = createRoute({
  method: "get",
  path: PATH,
  summary: "Show the company's settings",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("settings:write")] as const,
  responses: { 200: jsonResponse("The settings", Settings), ...problemResponses() },
});

const change = createRoute({
  method: "put",
  path: PATH,
  summary: "Change the company's settings",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("settings:write"), jsonBody(ChangeSettings)] as const,
  request: {
    body: { required: true, content: { "application/json": { schema: ChangeSettings } } },
  },
  responses: {
    200: jsonResponse("The settings", Settings),
    ...problemResponses(...BODY_PROBLEMS),
  },
});

const showSandboxTerms = createRoute({
  method: "get",
  path: SANDBOX_PATH,
  summary: "Show the terms of a sandbox company",
  tags: ["Sandbox"],
  security: SECURITY,
  middleware: [requireScope("settings:write"), sandboxOnly] as const,
  responses: { 200: jsonResponse("The terms", Terms), ...problemResponses() },
});

const changeSandboxTerms = createRoute({
  method: "put",
  path: SANDBOX_PATH,
  summary: "Play the operator: change the terms of a sandbox company",
  tags: ["Sandbox"],
  security: SECURITY,
  middleware: [requireScope("settings:write"), sandboxOnly, jsonBody(ChangeTerms)] as const,
  request: { body: { required: true, content: { "application/json": { schema: ChangeTerms } } } },
  responses: {
    200: jsonResponse("The terms", Terms),
    ...problemResponses(...BODY_PROBLEMS),
  },
});

export function settingsRoutes(app: Api): void {
  app.openapi(showSandboxTerms, async (c) => {
    const { id, terms } = c.get("caller").company;
    return c.json(await showTerms(c.env, id, terms), 200);
  });

  app.openapi(changeSandboxTerms, async (c) => {
    const terms = await changeTerms(c.env, c.get("caller").company.id, c.req.valid("json"));
    assert(terms !== null, "the caller's company is there");
    return c.json(terms, 200);
  });

  app.openapi(show, (c) => c.json(settingsView(c.get("caller").company.withdrawPolicy), 200));

  app.openapi(change, async (c) => {
    const { company } = c.get("caller");
    const { duplicateWithdrawGuard, withdrawDailyLimit } = c.req.valid("json");
    const policy = await updateCredentials(c.env, company.id, () =>
      updateWithdrawPolicy(c.env, company.id, {
        ...(duplicateWithdrawGuard === undefined ? {} : { duplicateGuard: duplicateWithdrawGuard }),
        ...(withdrawDailyLimit === undefined ? {} : { dailyLimit: withdrawDailyLimit }),
      }),
    );
    return c.json(settingsView(policy), 200);
  });
}

function settingsView(policy: WithdrawPolicy) {
  return {
    duplicateWithdrawGuard: policy.duplicateGuard,
    withdrawDailyLimit: policy.dailyLimit,
  };
}
