import type { getWithdraw, requestWithdraw } from "../../../../api/withdraws/routes.ts";
import type { RouteAnswer, RouteBody } from "../../../../http/openapi/route-types.ts";

export const WITHDRAWS_PATH = "/console/withdraws";

/** `value` and `fee` are reais. */
export type Withdraw = RouteBody<typeof getWithdraw>;

/** What the API says of a withdraw that it did not make. Reais. */
export type DryRun = Extract<RouteAnswer<typeof requestWithdraw>, { status: 200 }>["body"];
