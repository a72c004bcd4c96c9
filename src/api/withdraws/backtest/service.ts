import type { z } from "@hono/zod-openapi";
import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { ALLOWED_PIX_KEYS_MAX } from "../../../domain/withdraws/allowed-pix-key.ts";
import { stoppedByPolicy, type PastWithdraw } from "../../../domain/withdraws/backtest.ts";
import type { WithdrawPolicy } from "../../../domain/withdraws/withdraw-policy.ts";
import type { WithdrawStatus } from "../../../domain/withdraws/withdraw-status.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { policyChangeOf } from "../../settings/service.ts";
import type { BacktestBody } from "./schemas.ts";

const BACKTEST_MS = 90 * 86_400_000;
/** Withdraws that a call reads: 20 calls to the object. */
const WITHDRAWS_MAX = 10_000;
const WITHDRAWS_PER_CALL = 500;
/** Stopped withdraws that the answer lists. */
const LISTED_MAX = 1_000;
/** These gave their money back, so they count for no limit. */
const REVERSED: ReadonlySet<WithdrawStatus> = new Set(["Failed", "Cancelled", "Returned"]);

/** What a change of the withdraw settings would have stopped in the last 90 days. Changes nothing. */
export async function backtestPolicy(
  env: Env,
  company: Company,
  { settings }: z.output<typeof BacktestBody>,
  nowMs: number,
) {
  const change = policyChangeOf(settings);
  const policy: WithdrawPolicy = {
    ...company.withdrawPolicy,
    ...change,
    allowedPixKeys: { ...company.withdrawPolicy.allowedPixKeys, ...change.allowedPixKeys },
  };
  const since = nowMs - BACKTEST_MS;
  const { withdraws, isComplete } = await withdrawsSince(env, company.id, since);
  const listed = await callCompany(env, company.id, (account) =>
    account.listAllowedPixKeys({ after: 0, limit: ALLOWED_PIX_KEYS_MAX }),
  );
  const allowed = new Set([company.mainPixKey?.value, ...listed.map(({ pixKey }) => pixKey)]);
  const stopped = stoppedByPolicy(policy, withdraws, (pixKey) => allowed.has(pixKey));
  return {
    from: isoTime(isComplete ? since : (withdraws[0]?.createdAt ?? since)),
    to: isoTime(nowMs),
    checked: withdraws.length,
    stopped: stopped.slice(-LISTED_MAX).map(({ withdraw, rule }) => ({
      withdrawId: withdraw.id,
      amount: withdraw.amount,
      createdAt: isoTime(withdraw.createdAt),
      rule,
    })),
    stoppedCount: stopped.length,
    stoppedAmount: stopped.reduce((sum, { withdraw }) => sum + withdraw.amount, 0),
    truncated: !isComplete || stopped.length > LISTED_MAX,
  };
}

/** The withdraws since a time that kept their money, in their order; `isComplete` unless there are too many. */
async function withdrawsSince(
  env: Env,
  companyId: number,
  since: number,
): Promise<{ withdraws: PastWithdraw[]; isComplete: boolean }> {
  const pageFrom = (offset: number, size: number) =>
    callCompany(env, companyId, (account) =>
      account.listWithdraws({ offset, size, newestFirst: false }),
    );
  const { totalItems } = await pageFrom(0, 1);
  const pages: PastWithdraw[][] = [];
  const end = Math.max(0, totalItems - WITHDRAWS_MAX);
  for (let last = totalItems; last > end; last -= WITHDRAWS_PER_CALL) {
    const offset = Math.max(end, last - WITHDRAWS_PER_CALL);
    // Ids are dense: withdraws that come meanwhile shift no page.
    const { items } = await pageFrom(offset, last - offset);
    const young = items.filter(({ createdAt }) => createdAt >= since);
    pages.push(
      young
        .filter(({ status }) => !REVERSED.has(status))
        .map(({ id, amount, pixKey, createdAt }) => ({ id, amount, pixKey, createdAt })),
    );
    if (young.length < items.length)
      return { withdraws: pages.toReversed().flat(), isComplete: true };
  }
  return { withdraws: pages.toReversed().flat(), isComplete: end === 0 };
}
