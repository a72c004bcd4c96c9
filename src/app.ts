import { OpenAPIHono } from "@hono/zod-openapi";
import { methodNotAllowed } from "hono/method-not-allowed";
import { balanceRoutes } from "./api/balance/routes.ts";
import { boletoRoutes } from "./api/boletos/routes.ts";
import { cardRoutes } from "./api/cards/routes.ts";
import { checkoutRoutes } from "./api/checkout/routes.ts";
import { eventRoutes } from "./api/events/routes.ts";
import { describeWebhook } from "./api/events/webhook.ts";
import { pixApiRoutes } from "./api/operator/pix-api-routes.ts";
import { operatorRoutes } from "./api/operator/routes.ts";
import { pixRoutes } from "./api/pix/routes.ts";
import { callbackRoutes } from "./api/provider-callbacks/routes.ts";
import { chaosRoutes } from "./api/sandbox/chaos.ts";
import { sandboxRoutes } from "./api/sandbox/routes.ts";
import { settingsRoutes } from "./api/settings/routes.ts";
import { transactionRoutes } from "./api/transactions/routes.ts";
import { webhookRoutes } from "./api/webhooks/routes.ts";
import { withdrawRoutes } from "./api/withdraws/routes.ts";
import { systemDependencies } from "./dependencies.ts";
import type { AppEnv, Dependencies } from "./http/context.ts";
import { negotiates } from "./http/negotiation.ts";
import { onError, onNotFound, problemResponse } from "./http/problems.ts";
import { tracing } from "./http/tracing.ts";
import { onInvalid } from "./http/validation.ts";
import { boletoPages } from "./pages/boleto/routes.ts";
import { docsPage } from "./pages/docs.ts";

/** The HTTP API: order of middleware, mounts, and what happens when nothing fits. */
export function createApp(dependencies: Partial<Dependencies> = {}): OpenAPIHono<AppEnv> {
  const deps = { ...systemDependencies, ...dependencies };
  const app = new OpenAPIHono<AppEnv>({ defaultHook: onInvalid });
  app.use(async (c, next) => {
    c.set("deps", deps);
    await next();
  });
  app.use(tracing);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        problemResponse(c, {
          code: "METHOD_NOT_ALLOWED",
          detail: `This path takes ${methods.join(", ")}.`,
          headers: { Allow: methods.join(", ") },
        }),
    }),
  );
  app.use("/api/*", negotiates);

  transactionRoutes(app);
  withdrawRoutes(app);
  balanceRoutes(app);
  checkoutRoutes(app);
  cardRoutes(app);
  pixRoutes(app);
  boletoRoutes(app);
  webhookRoutes(app);
  eventRoutes(app);
  describeWebhook(app);
  settingsRoutes(app);
  sandboxRoutes(app);
  chaosRoutes(app);
  operatorRoutes(app);
  pixApiRoutes(app);
  callbackRoutes(app);

  app.openAPIRegistry.registerComponent("securitySchemes", "ClientId", {
    type: "apiKey",
    in: "header",
    name: "X-Client-Id",
    description: "The public identifier of the application.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "ApiKey", {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "The company's secret. For servers only.",
  });
  app.doc31("/openapi.json", (c) => ({
    openapi: "3.1.0",
    info: {
      title: "Centavo",
      version: "1.0.0",
      description: "A Brazilian payment gateway that a company runs itself.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: new URL(c.req.url).origin }],
  }));
  docsPage(app);
  boletoPages(app);

  app.notFound(onNotFound);
  app.onError(onError);
  return app;
}
