import type { getWithdraw, requestWithdraw } from "../../../../api/withdraws/routes.ts";
import type { WithdrawStatus } from "../../../../domain/withdraws/withdraw-status.ts";
import type { RouteAnswer, RouteBody } from "../../route-types.ts";
import type { Tone } from "../../ui/parts.tsx";

export const WITHDRAWS_PATH = "/console/withdraws";

/** `value` and `fee` are reais. */
export type Withdraw = RouteBody<typeof getWithdraw>;

/** What the API says of a withdraw that it did not make. Reais. */
export type DryRun = Extract<RouteAnswer<typeof requestWithdraw>, { status: 200 }>["body"];

export const TONES: Record<WithdrawStatus, Tone> = {
  Awaiting: "open",
  Processing: "open",
  Paid: "good",
  Failed: "bad",
  Cancelled: "quiet",
  Returned: "bad",
};
