import type { TransactionRow } from "../../db/transaction-mapper.ts";
import { creationWord } from "../../domain/charge-status.ts";
import type { Company } from "../../domain/company.ts";
import type { Cents } from "../../domain/money.ts";
import { Problem } from "../../domain/problem.ts";
import { providerChargeId } from "../../domain/transaction.ts";
import type { WithdrawRecord } from "../../domain/withdraw.ts";
import type { Env } from "../../env.ts";
import type { Dependencies } from "../../http/context.ts";
import { postponeSweep } from "../transactions/repository.ts";
import { requireTransaction } from "../transactions/service.ts";
import { syncCharge } from "../transactions/sync.ts";
import { processPayout, syncPayout } from "../withdraws/payout.ts";
import { requireWithdraw } from "../withdraws/service.ts";

/** When the sweep reads a charge back whose payment's request was cut off. */
const READ_BACK_MS = 60_000;

/** Everything the sandbox does happens at its bank; the gateway then reads it back as from any other. */
export interface Sandbox {
  env: Env;
  deps: Dependencies;
  company: Company;
}

/** A payer pays `amount` centavos. Money that no open charge expects is set aside, not refused. */
export async function payCharge(
  sandbox: Sandbox,
  row: TransactionRow,
  amount: Cents,
): Promise<TransactionRow> {
  const { env, deps } = sandbox;
  // Should we not live to read it back, the sweep does.
  await postponeSweep(env, row, deps.clock.now() + READ_BACK_MS);
  await bankOf(sandbox).receivePayment(providerChargeId(row.id), amount);
  return readBack(sandbox, row);
}

/** The charge ends at the bank without money. Throws 409 where it cannot end any more. */
export async function endCharge(
  sandbox: Sandbox,
  row: TransactionRow,
  status: "failed" | "expired",
): Promise<TransactionRow> {
  const target = status === "failed" ? "failed" : "cancelled";
  if (row.status === target) return row;
  if (row.status !== "waiting_payment") {
    throw invalidState("transaction", creationWord(row.status));
  }
  await bankOf(sandbox).endCharge(providerChargeId(row.id), status);
  const ended = await readBack(sandbox, row);
  if (ended.status !== target) throw invalidState("transaction", creationWord(ended.status));
  return ended;
}

/** The payer's bank disputes what is left of a payment. Throws 409 where there is nothing to dispute. */
export async function disputeCharge(
  sandbox: Sandbox,
  row: TransactionRow,
): Promise<TransactionRow> {
  const disputed = await askBack(sandbox, row, "DISPUTE");
  const fresh = disputed.dispute !== null && disputed.dispute.id !== row.dispute?.id;
  if (!fresh) throw invalidState("transaction", creationWord(disputed.status));
  return disputed;
}

/** The payer's bank takes back what is left of a payment. Throws 409 where nothing is. */
export async function chargeBack(sandbox: Sandbox, row: TransactionRow): Promise<TransactionRow> {
  const after = await askBack(sandbox, row, "CHARGEBACK");
  if (after.refundedAmount === row.refundedAmount) {
    throw invalidState("transaction", creationWord(after.status));
  }
  return after;
}

/** The dispute ends. Throws 409 where none is open. */
export async function resolveDispute(
  sandbox: Sandbox,
  row: TransactionRow,
  outcome: "won" | "lost",
): Promise<TransactionRow> {
  if (row.dispute?.status !== "OPEN") {
    throw new Problem({
      code: "INVALID_STATE",
      detail: "The transaction has no open dispute.",
    });
  }
  await bankOf(sandbox).resolveDispute(providerChargeId(row.id), outcome);
  return readBack(sandbox, row);
}

async function askBack(
  sandbox: Sandbox,
  row: TransactionRow,
  kind: "DISPUTE" | "CHARGEBACK",
): Promise<TransactionRow> {
  if (row.endToEndId === null) throw invalidState("transaction", creationWord(row.status));
  await bankOf(sandbox).dispute(providerChargeId(row.id), row.endToEndId, kind);
  return readBack(sandbox, row);
}

export async function payWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
): Promise<WithdrawRecord> {
  return decideWithdraw(sandbox, withdraw, "paid", "Paid");
}

export async function failWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
): Promise<WithdrawRecord> {
  return decideWithdraw(sandbox, withdraw, "failed", "Failed");
}

/** The receiving bank sends a paid withdraw back. Throws 409 where it is not paid. */
export async function returnWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
): Promise<WithdrawRecord> {
  const status = await bankOf(sandbox).returnPayout(withdraw.payoutId);
  if (status !== "returned") throw invalidState("withdraw", withdraw.status);
  return settled(sandbox, withdraw, "Returned");
}

/** The receiving bank decides before the payout is sent, so that even a fresh withdraw can be told. */
async function decideWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
  decision: "paid" | "failed",
  target: "Paid" | "Failed",
): Promise<WithdrawRecord> {
  const decided = await bankOf(sandbox).decidePayout(withdraw.payoutId, decision);
  if (decided !== decision) throw invalidState("withdraw", withdraw.status);
  return settled(sandbox, withdraw, target);
}

/** Lets the gateway learn what its bank decided: it sends where it had not, then reads back. */
async function settled(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
  target: WithdrawRecord["status"],
): Promise<WithdrawRecord> {
  const { env, deps, company } = sandbox;
  await processPayout(env, deps.providers(env), company.id, withdraw.id);
  await syncPayout(env, bankOf(sandbox), company, withdraw);
  const after = await requireWithdraw(env, company, String(withdraw.id));
  if (after.status !== target) throw invalidState("withdraw", after.status);
  return after;
}

async function readBack(sandbox: Sandbox, row: TransactionRow): Promise<TransactionRow> {
  const { env, deps, company } = sandbox;
  const outcome = await syncCharge(env, bankOf(sandbox), row, deps.clock.now());
  if (outcome === "unknown") throw providerUnavailable();
  return requireTransaction(env, company, row.id);
}

function bankOf({ env, deps, company }: Sandbox) {
  return deps.providers(env).sandbox(company);
}

function providerUnavailable(): Problem {
  return new Problem({
    code: "PROVIDER_UNAVAILABLE",
    detail: "The bank has it, but could not be read back. The transaction will follow by itself.",
    retryAfterSeconds: READ_BACK_MS / 1_000,
  });
}

function invalidState(what: string, status: string): Problem {
  return new Problem({
    code: "INVALID_STATE",
    detail: `The ${what} is ${status}, which does not allow this.`,
  });
}
