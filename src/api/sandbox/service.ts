import { callCompany } from "../../company-client/stub.ts";
import {
  removeCallback,
  storeCallback,
  type NewCallback,
} from "../../db/reconciliation/callbacks.ts";
import {
  toTransactionRecord,
  type TransactionRow,
} from "../../db/projection/transaction-mapper.ts";
import { amountDue } from "../../methods/boleto/boleto-terms.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { canMoveCharge, creationWord, isOpenCharge } from "../../domain/charges/charge-status.ts";
import type { Company } from "../../domain/shared/company.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { withdrawObject } from "../../domain/shared/object-id.ts";
import { Problem } from "../../domain/shared/problem.ts";
import {
  asShown,
  providerChargeId,
  type TransactionRecord,
} from "../../domain/charges/transaction.ts";
import {
  returnedOf,
  SANDBOX_ACCOUNT,
  type WithdrawRecord,
} from "../../domain/withdraws/withdraw.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { invalidState } from "../../http/problems.ts";
import { paymentObject } from "../provider-callbacks/objects.ts";
import { readBack } from "../provider-callbacks/service.ts";
import { requireWithdraw } from "../withdraws/service.ts";

/** When the cron reads back what happened at the bank where the request was cut off. */
const READ_BACK_MS = 60_000;

/** Everything the sandbox does happens at its bank; the gateway then reads it back as from any other. */
export interface Sandbox {
  env: Env;
  deps: Dependencies;
  company: Company;
}

/** What a payer pays: centavos, and how. Left out is what is due, by the transaction's own method. */
interface Payment {
  amount?: Cents | undefined;
  method?: "BOLETO" | "PIX" | undefined;
}

/**
 * A payer pays, or the acquirer takes a card's money. Money that no open charge expects is set aside,
 * not refused. Throws 409 and 422 for a card that may not be charged, or not for that much.
 */
export async function payCharge(
  sandbox: Sandbox,
  row: TransactionRow,
  { amount = amountDueNow(sandbox, row), method }: Payment,
): Promise<TransactionRecord> {
  const isCard = row.paymentMethod === "CREDIT_CARD";
  if (method !== undefined && method !== row.paymentMethod && row.paymentMethod !== "BOLETO") {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "Invalid fields: method.",
      errors: { method: [`is not how a ${row.paymentMethod} is paid`] },
    });
  }
  if (isCard) requireChargeable(await recordNow(sandbox, row), amount);
  await announced(sandbox, row.id, () =>
    bankOf(sandbox).receivePayment(providerChargeId(row.id), amount, method ?? row.paymentMethod),
  );
  const after = await recordNow(sandbox, row);
  if (isCard && after.status !== "paid") throw notAllowed(after.status);
  return after;
}

/** Of a boleto with fine and interest when it is late, and its discount when it is early. */
function amountDueNow({ deps }: Sandbox, { boleto, amount }: TransactionRow): Cents {
  if (boleto === null) return amount;
  return amountDue(boleto, amount, saoPauloDay(deps.clock.now()));
}

/** A card pays once: where it is authorized, or its acquirer gave no answer. */
function requireChargeable({ status, amount: authorized }: TransactionRecord, amount: Cents): void {
  if (status !== "creating" && status !== "authorized") throw notAllowed(status);
  if (amount <= authorized) return;
  throw new Problem({
    code: "CAPTURE_EXCEEDS_AUTHORIZED",
    detail: "This is more than what the card is charged with.",
    extensions: { authorized },
  });
}

/** The charge ends at the bank without money. Throws 409 where it cannot end any more. */
export async function endCharge(
  sandbox: Sandbox,
  row: TransactionRow,
  status: "failed" | "expired",
): Promise<TransactionRecord> {
  const target = status === "failed" ? "failed" : "cancelled";
  const before = await recordNow(sandbox, row);
  if (before.status === target) return before;
  const shown = asShown(before, sandbox.deps.clock.now()).status;
  const isUnheardCard = shown === "creating" && row.paymentMethod === "CREDIT_CARD";
  const mayEnd = isOpenCharge(shown) || isUnheardCard;
  if (shown !== target && !(mayEnd && canMoveCharge(shown, target))) throw notAllowed(shown);
  await announced(sandbox, row.id, () =>
    bankOf(sandbox).endCharge(providerChargeId(row.id), status),
  );
  const ended = await recordNow(sandbox, row);
  if (ended.status !== target) throw notAllowed(ended.status);
  return ended;
}

/** The payer's bank disputes what is left of a payment. Throws 409 where there is nothing to dispute. */
export async function disputeCharge(
  sandbox: Sandbox,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const { before, after } = await askBack(sandbox, row, "DISPUTE");
  const fresh = after.dispute !== null && after.dispute.id !== before.dispute?.id;
  if (!fresh) throw notAllowed(after.status);
  return after;
}

/** The payer's bank takes back what is left of a payment. Throws 409 where nothing is. */
export async function chargeBack(
  sandbox: Sandbox,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const { before, after } = await askBack(sandbox, row, "CHARGEBACK");
  // A refund that gave the rest back meanwhile left nothing to take.
  const isOvertaken = before.refundReason === null && after.refundReason === "REQUESTED";
  if (isOvertaken || after.refundedAmount === before.refundedAmount) throw notAllowed(after.status);
  return after;
}

/** The payer's bank gives a chargeback back. Throws 409 where there is none to reverse. */
export async function reverseChargeback(
  sandbox: Sandbox,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const before = await recordNow(sandbox, row);
  await announced(sandbox, row.id, () =>
    bankOf(sandbox).reverseChargebacks(providerChargeId(row.id)),
  );
  const after = await recordNow(sandbox, row);
  if (after.version === before.version) {
    throw new Problem({
      code: "INVALID_STATE",
      detail: "The transaction has no chargeback to reverse.",
    });
  }
  return after;
}

/** The dispute ends. Throws 409 where none is open. */
export async function resolveDispute(
  sandbox: Sandbox,
  row: TransactionRow,
  outcome: "won" | "lost",
): Promise<TransactionRecord> {
  const before = await recordNow(sandbox, row);
  if (before.dispute?.status !== "OPEN") {
    throw new Problem({
      code: "INVALID_STATE",
      detail: "The transaction has no open dispute.",
    });
  }
  await announced(sandbox, row.id, () =>
    bankOf(sandbox).resolveDispute(providerChargeId(row.id), outcome),
  );
  return recordNow(sandbox, row);
}

async function askBack(
  sandbox: Sandbox,
  row: TransactionRow,
  kind: "DISPUTE" | "CHARGEBACK",
): Promise<{ before: TransactionRecord; after: TransactionRecord }> {
  const before = await recordNow(sandbox, row);
  if (before.paidAt === null) throw notAllowed(before.status);
  await announced(sandbox, row.id, () =>
    bankOf(sandbox).dispute(providerChargeId(row.id), before.endToEndId, kind),
  );
  return { before, after: await recordNow(sandbox, row) };
}

/** A payer pays to the company's key, without any charge: set aside for the operator. */
export async function payWithoutCharge(sandbox: Sandbox, amount: Cents) {
  const payment = bankOf(sandbox).newPayment(amount, "PIX");
  await announced(sandbox, paymentObject(payment.paymentId), () =>
    bankOf(sandbox).receiveTransfer(payment),
  );
  return payment;
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

/**
 * The receiving bank sends a paid withdraw back: `amount` centavos of it in all, or the whole. Throws 409
 * where it is not paid, or more of it came back before.
 */
export async function returnWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
  amount: Cents = withdraw.amount,
): Promise<WithdrawRecord> {
  const back = amount < withdraw.amount ? amount : null;
  await announced(sandbox, withdrawObject(withdraw.id), async () => {
    await bankOf(sandbox).returnPayout(withdraw.payoutId, back);
  });
  const after = await settled(sandbox, withdraw, back === null ? "Returned" : "Paid");
  const returned = returnedOf(after);
  if (back === null || returned === back) return after;
  throw invalidState(`${returned} centavos of the withdraw have come back`);
}

/**
 * The receiving bank decides a payout that is on its way: it is claimed first, as whoever sends it
 * does, so that it cannot be cancelled any more and is asked about after the claim's lease. Throws 409 where another decision stands.
 */
async function decideWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
  decision: "paid" | "failed",
  target: "Paid" | "Failed",
): Promise<WithdrawRecord> {
  const { env, company } = sandbox;
  const claim = await callCompany(env, company.id, (account) =>
    account.claimPayout(company.id, withdraw.id, SANDBOX_ACCOUNT),
  );
  if (claim.kind === "held") throw invalidState(`The withdraw is ${withdraw.status}`);
  if (claim.kind === "settled") return settled(sandbox, withdraw, target);
  await announced(sandbox, withdrawObject(withdraw.id), async () => {
    await bankOf(sandbox).decidePayout(withdraw.payoutId, decision);
  });
  return settled(sandbox, withdraw, target);
}

async function settled(
  { env, company }: Sandbox,
  withdraw: WithdrawRecord,
  target: WithdrawRecord["status"],
): Promise<WithdrawRecord> {
  const after = await requireWithdraw(env, company, String(withdraw.id));
  if (after.status !== target) throw invalidState(`The withdraw is ${after.status}`);
  return after;
}

/**
 * Lets something happen at the bank. Its callback is stored before, so that the cron reads it back where
 * this request does not live to.
 */
async function announced(
  sandbox: Sandbox,
  objectId: string,
  happen: () => Promise<void>,
): Promise<void> {
  const callback = callbackOf(sandbox, objectId);
  await storeCallback(sandbox.env, callback);
  await happen();
  await readBackNow(sandbox, objectId);
  await removeCallback(sandbox.env, callback);
}

/** The sandbox's bank tells at once what it did: nothing means that nothing happened. */
async function readBackNow({ env, deps, company }: Sandbox, objectId: string): Promise<void> {
  if ((await readBack(env, deps, company, objectId)) === "unknown") throw providerUnavailable();
}

function callbackOf({ deps, company }: Sandbox, objectId: string): NewCallback {
  return {
    id: newUuid(deps.random),
    companyId: company.id,
    objectId,
    dueAt: deps.clock.now() + READ_BACK_MS,
    attempts: 0,
  };
}

/** The transaction as its owner has it: D1's copy may be a moment behind. */
async function recordNow(
  { env, company }: Sandbox,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const state = await callCompany(env, company.id, (account) => account.findCharge(row.id));
  return { ...toTransactionRecord(row), ...state };
}

function bankOf({ env, deps, company }: Sandbox) {
  return deps.providers(env).sandbox(company);
}

function providerUnavailable(): Problem {
  return new Problem({
    code: "PROVIDER_UNAVAILABLE",
    detail: "The bank has it, but could not be read back. What it did will follow by itself.",
    retryAfterSeconds: READ_BACK_MS / 1_000,
  });
}

function notAllowed(status: TransactionRecord["status"]): Problem {
  return invalidState(`The transaction is ${creationWord(status)}`);
}
