import { z } from "@hono/zod-openapi";
import { callCompany } from "../../company-client/stub.ts";
import { TIME_ZONE } from "../../domain/shared/business-day.ts";
import { SCOPES } from "../../domain/shared/company.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import type { Api } from "../../http/api.ts";
import { requireCaller } from "../../http/auth/auth.ts";
import type { AppContext } from "../../http/context.ts";
import { isoTimeText } from "../../http/fields/fields.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { SpendingLimits } from "../applications/schemas.ts";
import { spendingLimitsView } from "../applications/views.ts";

const Me = z
  .object({
    data: z.object({
      company: z.object({
        id: z.int().openapi({ description: "What the contract's balance asks for." }),
        name: z.string(),
        mode: z.enum(["sandbox", "live"]),
        frozen: z.boolean().openapi({
          description: "Whether operators stopped its withdraws or its charges.",
        }),
      }),
      application: z.object({
        id: z.string().openapi({ description: "The client id." }),
        name: z.string(),
        scopes: z.array(z.enum(SCOPES).openapi("Scope")),
        spendingLimits: SpendingLimits.nullable(),
      }),
      serverTime: isoTimeText,
      timezone: z.string().openapi({ description: "Of every day without a time." }),
    }),
  })
  .openapi("Me", {
    example: {
      data: {
        company: { id: 1, name: "Loja Exemplo", mode: "sandbox", frozen: false },
        application: {
          id: "app_kq3vX9r2TfWm0sZbY1hUeA",
          name: "Shop",
          scopes: ["transactions:read", "transactions:write"],
          spendingLimits: null,
        },
        serverTime: "2026-11-21T12:00:00.000Z",
        timezone: TIME_ZONE,
      },
    },
  });

const me = routesOf("Applications").get("/api/v1/me", {
  operationId: "getMe",
  summary: "Tell whose credentials these are",
  description: "The company, the application with its scopes, and the service's time.",
  guard: requireCaller(),
  answers: { 200: jsonResponse("Company and application", Me) },
});

/** `GET /api/v1/me`: the first call of every integration. */
export function meRoutes(app: Api): void {
  app.openapi(me, async (c) => c.json({ data: await meView(c) }, 200));
}

async function meView(c: AppContext) {
  const { company, application, scopes } = c.get("caller");
  const { balances } = await callCompany(c.env, company.id, (account) => account.balances());
  return {
    company: {
      id: company.id,
      name: company.name,
      mode: company.mode,
      frozen: balances.frozen || company.chargesStopped === "freeze",
    },
    application: {
      id: application.clientId,
      name: application.name,
      scopes: SCOPES.filter((scope) => scopes.has(scope)),
      spendingLimits: spendingLimitsView(application.spendingLimits),
    },
    serverTime: isoTime(c.get("deps").platformClock.now()),
    timezone: TIME_ZONE,
  };
}
