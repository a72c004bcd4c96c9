import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../http/openapi/openapi.ts";
import { assert } from "../../lib/assert.ts";
import { ChangeSettings, ChangeTerms, Settings, Terms } from "./schemas.ts";
import { changeSettings, changeTerms, showTerms } from "./service.ts";
import { settingsView } from "./views.ts";

const TAGS = ["Settings"];
const PATH = "/api/v1/company/settings";
const SANDBOX_PATH = "/api/v1/sandbox/settings";

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
  summary: "Change the terms of a sandbox company, as its operator would",
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
    assert(terms !== null, "the caller's company exists");
    return c.json(terms, 200);
  });

  app.openapi(show, (c) => c.json(settingsView(c.get("caller").company), 200));

  app.openapi(change, async (c) => {
    const settings = await changeSettings(c.env, c.get("caller").company.id, c.req.valid("json"));
    return c.json(settingsView(settings), 200);
  });
}
