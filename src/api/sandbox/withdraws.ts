import { callCompany } from "../../company-client/stub.ts";
import { withdrawSubject } from "../../domain/shared/event-subject.ts";
import type { Cents } from "../../domain/shared/money.ts";
import {
  returnedTotal,
  SANDBOX_ACCOUNT,
  type WithdrawRecord,
} from "../../domain/withdraws/withdraw.ts";
import { invalidState } from "../../http/problems.ts";
import { requireWithdraw } from "../withdraws/service.ts";
import { bankOf, withStoredCallback, type Sandbox } from "./service.ts";

/** The receiving bank has the money of a withdraw. Throws 409 where it cannot have it. */
export async function payWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
): Promise<WithdrawRecord> {
  return decidePayoutAtBank(sandbox, withdraw, "paid", "Paid");
}

/** The receiving bank refuses a withdraw. Throws 409 where it is decided otherwise. */
export async function failWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
): Promise<WithdrawRecord> {
  return decidePayoutAtBank(sandbox, withdraw, "failed", "Failed");
}

/**
 * The receiving bank sends a paid withdraw back: `amount` centavos of it in all, or the whole. Throws 409
 * where it is not paid, or more of it came back before.
 */
export async function returnWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
  amount: Cents = withdraw.amount,
): Promise<WithdrawRecord> {
  const partialAmount = amount < withdraw.amount ? amount : null;
  const isReported = await withStoredCallback(sandbox, withdrawSubject(withdraw.id), async () => {
    await bankOf(sandbox).returnPayout(withdraw.payoutId, partialAmount);
  });
  if (!isReported) return currentWithdraw(sandbox, withdraw);
  const after = await requireStatus(
    sandbox,
    withdraw,
    partialAmount === null ? "Returned" : "Paid",
  );
  const returned = returnedTotal(after);
  if (partialAmount === null || returned === partialAmount) return after;
  throw invalidState(
    `${returned} centavos of the withdraw are already returned`,
    "withdraw_status",
  );
}

/**
 * Decides a payout at the receiving bank. It is claimed first, as a real sender does, so that it cannot
 * be cancelled any more and is queried after the claim's lease. Throws 409 where another decision stands.
 */
async function decidePayoutAtBank(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
  decision: "paid" | "failed",
  target: "Paid" | "Failed",
): Promise<WithdrawRecord> {
  const { env, company } = sandbox;
  const claim = await callCompany(env, company.id, (account) =>
    account.claimPayout({ companyId: company.id, id: withdraw.id, account: SANDBOX_ACCOUNT }),
  );
  if (claim.kind === "awaiting_approval")
    throw invalidState(
      "This action is not allowed: the withdraw waits for its approval",
      "withdraw_status",
    );
  if (claim.kind === "frozen")
    throw invalidState(
      `This action is not allowed: the withdraw is ${withdraw.status}`,
      "withdraw_status",
    );
  if (claim.kind === "settled") return requireStatus(sandbox, withdraw, target);
  const isReported = await withStoredCallback(sandbox, withdrawSubject(withdraw.id), async () => {
    await bankOf(sandbox).decidePayout(withdraw.payoutId, decision);
  });
  if (!isReported) return currentWithdraw(sandbox, withdraw);
  return requireStatus(sandbox, withdraw, target);
}

function currentWithdraw(
  { env, company }: Sandbox,
  { id }: WithdrawRecord,
): Promise<WithdrawRecord> {
  return requireWithdraw(env, company, String(id));
}

async function requireStatus(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
  target: WithdrawRecord["status"],
): Promise<WithdrawRecord> {
  const after = await currentWithdraw(sandbox, withdraw);
  if (after.status !== target)
    throw invalidState(
      `This action is not allowed: the withdraw is ${after.status}`,
      "withdraw_status",
    );
  return after;
}
