import type { Api } from "../../http/api.ts";
import { deliveryRoutes } from "./deliveries/routes.ts";
import { endpointRoutes } from "./endpoint/routes.ts";
import { endpointsRoutes } from "./endpoints/routes.ts";
import { webhookKeyRoutes } from "./keys/routes.ts";
import { secretRoutes } from "./secrets/routes.ts";
import { testEventRoutes } from "./test-events/routes.ts";
import { verifyRoutes } from "./verify/routes.ts";

export function webhookRoutes(app: Api): void {
  endpointRoutes(app);
  endpointsRoutes(app);
  webhookKeyRoutes(app);
  secretRoutes(app);
  verifyRoutes(app);
  deliveryRoutes(app);
  testEventRoutes(app);
}
