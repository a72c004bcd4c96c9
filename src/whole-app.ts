import { balanceRoutes } from "./api/balance/routes.ts";
import { boletoRoutes } from "./api/boletos/routes.ts";
import { cardRoutes } from "./api/cards/routes.ts";
import { checkoutRoutes } from "./api/checkout/routes.ts";
import { eventRoutes } from "./api/events/routes.ts";
import { describeWebhook } from "./api/events/webhook.ts";
import { keyRoutes } from "./api/operator/key-routes.ts";
import { moveRoutes } from "./api/operator/move-routes.ts";
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
import { boletoPages } from "./pages/boleto/routes.ts";
import { docsPage } from "./pages/docs.ts";
import { documentRoute } from "./http/document.ts";
import type { Api } from "./http/api.ts";
import { assemble } from "./http/assemble.ts";
import type { Dependencies } from "./http/context.ts";

/** The HTTP API with all that it has: the order of its mounts is the order of its document. */
export function wholeApp(deps: Dependencies): Api {
  return assemble(deps, [
    transactionRoutes,
    withdrawRoutes,
    balanceRoutes,
    checkoutRoutes,
    cardRoutes,
    pixRoutes,
    boletoRoutes,
    webhookRoutes,
    eventRoutes,
    describeWebhook,
    settingsRoutes,
    sandboxRoutes,
    chaosRoutes,
    operatorRoutes,
    keyRoutes,
    moveRoutes,
    pixApiRoutes,
    callbackRoutes,
    documentRoute,
    docsPage,
    boletoPages,
  ]);
}
