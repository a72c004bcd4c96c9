import type { chargesRoute, showRoute } from "../../../../api/subscriptions/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";

export const SUBSCRIPTIONS_PATH = "/console/subscriptions";
/** What was recovered, and the backtest of a retry policy. */
export const RECOVERY_PATH = `${SUBSCRIPTIONS_PATH}/recovered`;

/** A subscription as the API shows it. Centavos. */
export type Subscription = RouteBody<typeof showRoute>["data"];
/** A cycle's charge as the API shows it. Centavos. */
export type Charge = RouteBody<typeof chargesRoute>["items"][number];

/** The path of a subscription's page. */
export function subscriptionPath(id: string): string {
  return `${SUBSCRIPTIONS_PATH}/${encodeURIComponent(id)}`;
}
