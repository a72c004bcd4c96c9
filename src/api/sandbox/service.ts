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
import {
  canTransitionCharge,
  toCreateStatus,
  isOpenCharge,
} from "../../domain/charges/charge-status.ts";
import type { Company } from "../../domain/shared/company.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { withdrawSubject } from "../../domain/shared/event-subject.ts";
import { Problem } from "../../domain/shared/problem.ts";
import {
  withExpiryApplied,
  providerChargeId,
  type TransactionRecord,
} from "../../domain/charges/transaction.ts";
import {
  returnedTotal,
  SANDBOX_ACCOUNT,
  type WithdrawRecord,
} from "../../domain/withdraws/withdraw.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { invalidState } from "../../http/problems.ts";
import { paymentSubject } from "../provider-callbacks/subjects.ts";
import { refresh } from "../provider-callbacks/service.ts";
import { requireWithdraw } from "../withdraws/service.ts";

/** When the cron reads back what happened at the bank where the request was cut off. */
const REFRESH_AFTER_MS = 60_000;

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
  { amount = currentAmountDue(sandbox, row), method }: Payment,
): Promise<TransactionRecord> {
  const isCard = row.paymentMethod === "CREDIT_CARD";
  if (method !== undefined && method !== row.paymentMethod && row.paymentMethod !== "BOLETO") {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "Invalid fields: method.",
      errors: { method: [`is not how a ${row.paymentMethod} is paid`] },
    });
  }
  if (isCard) requireChargeable(await currentRecord(sandbox, row), amount);
  await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).simulatePayment(providerChargeId(row.id), amount, method ?? row.paymentMethod),
  );
  const after = await currentRecord(sandbox, row);
  if (isCard && after.status !== "paid") throw notAllowed(after.status);
  return after;
}

/** Of a boleto with fine and interest when it is late, and its discount when it is early. */
function currentAmountDue({ deps }: Sandbox, { boleto, amount }: TransactionRow): Cents {
  if (boleto === null) return amount;
  return amountDue(boleto, amount, saoPauloDay(deps.clock.now()));
}

/** A card pays once: where it is authorized, or its acquirer gave no answer. */
function requireChargeable({ status, amount: authorized }: TransactionRecord, amount: Cents): void {
  if (status !== "creating" && status !== "authorized") throw notAllowed(status);
  if (amount <= authorized) return;
  throw new Problem({
    code: "CAPTURE_EXCEEDS_AUTHORIZED",
    detail: "The amount exceeds the authorized amount of the card.",
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
  const before = await currentRecord(sandbox, row);
  if (before.status === target) return before;
  const current = withExpiryApplied(before, sandbox.deps.clock.now()).status;
  const hasNoResponse = current === "creating" && row.paymentMethod === "CREDIT_CARD";
  const canEnd = isOpenCharge(current) || hasNoResponse;
  if (current !== target && !(canEnd && canTransitionCharge(current, target)))
    throw notAllowed(current);
  await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).endCharge(providerChargeId(row.id), status),
  );
  const ended = await currentRecord(sandbox, row);
  if (ended.status !== target) throw notAllowed(ended.status);
  return ended;
}

/** The payer's bank disputes what is left of a payment. Throws 409 where there is nothing to dispute. */
export async function disputeCharge(
  sandbox: Sandbox,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const { before, after } = await openDispute(sandbox, row, "DISPUTE");
  const isNew = after.dispute !== null && after.dispute.id !== before.dispute?.id;
  if (!isNew) throw notAllowed(after.status);
  return after;
}

/** The payer's bank takes back what is left of a payment. Throws 409 where nothing is. */
export async function chargeBack(
  sandbox: Sandbox,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const { before, after } = await openDispute(sandbox, row, "CHARGEBACK");
  // A refund that gave the rest back meanwhile left nothing to take.
  const wasRefundedMeanwhile = before.refundReason === null && after.refundReason === "REQUESTED";
  if (wasRefundedMeanwhile || after.refundedAmount === before.refundedAmount)
    throw notAllowed(after.status);
  return after;
}

/** The payer's bank gives a chargeback back. Throws 409 where there is none to reverse. */
export async function reverseChargeback(
  sandbox: Sandbox,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const before = await currentRecord(sandbox, row);
  await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).reverseChargebacks(providerChargeId(row.id)),
  );
  const after = await currentRecord(sandbox, row);
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
  const before = await currentRecord(sandbox, row);
  if (before.dispute?.status !== "OPEN") {
    throw new Problem({
      code: "INVALID_STATE",
      detail: "The transaction has no open dispute.",
    });
  }
  await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).resolveDispute(providerChargeId(row.id), outcome),
  );
  return currentRecord(sandbox, row);
}

async function openDispute(
  sandbox: Sandbox,
  row: TransactionRow,
  kind: "DISPUTE" | "CHARGEBACK",
): Promise<{ before: TransactionRecord; after: TransactionRecord }> {
  const before = await currentRecord(sandbox, row);
  if (before.paidAt === null) throw notAllowed(before.status);
  await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).dispute(providerChargeId(row.id), before.endToEndId, kind),
  );
  return { before, after: await currentRecord(sandbox, row) };
}

/** A payer pays to the company's key, without any charge: set aside for the operator. */
export async function payWithoutCharge(sandbox: Sandbox, amount: Cents) {
  const payment = bankOf(sandbox).newPayment(amount, "PIX");
  await withStoredCallback(sandbox, paymentSubject(payment.paymentId), () =>
    bankOf(sandbox).simulateTransfer(payment),
  );
  return payment;
}

export async function payWithdraw(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
): Promise<WithdrawRecord> {
  return decidePayoutAtBank(sandbox, withdraw, "paid", "Paid");
}

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
  await withStoredCallback(sandbox, withdrawSubject(withdraw.id), async () => {
    await bankOf(sandbox).returnPayout(withdraw.payoutId, partialAmount);
  });
  const after = await requireStatus(
    sandbox,
    withdraw,
    partialAmount === null ? "Returned" : "Paid",
  );
  const returned = returnedTotal(after);
  if (partialAmount === null || returned === partialAmount) return after;
  throw invalidState(`${returned} centavos of the withdraw are already returned`);
}

/**
 * The receiving bank decides a payout that is on its way: it is claimed first, as whoever sends it
 * does, so that it cannot be cancelled any more and is asked about after the claim's lease. Throws 409 where another decision stands.
 */
async function decidePayoutAtBank(
  sandbox: Sandbox,
  withdraw: WithdrawRecord,
  decision: "paid" | "failed",
  target: "Paid" | "Failed",
): Promise<WithdrawRecord> {
  const { env, company } = sandbox;
  const claim = await callCompany(env, company.id, (account) =>
    account.claimPayout(company.id, withdraw.id, SANDBOX_ACCOUNT),
  );
  if (claim.kind === "frozen")
    throw invalidState(`This action is not allowed: the withdraw is ${withdraw.status}`);
  if (claim.kind === "settled") return requireStatus(sandbox, withdraw, target);
  await withStoredCallback(sandbox, withdrawSubject(withdraw.id), async () => {
    await bankOf(sandbox).decidePayout(withdraw.payoutId, decision);
  });
  return requireStatus(sandbox, withdraw, target);
}

async function requireStatus(
  { env, company }: Sandbox,
  withdraw: WithdrawRecord,
  target: WithdrawRecord["status"],
): Promise<WithdrawRecord> {
  const after = await requireWithdraw(env, company, String(withdraw.id));
  if (after.status !== target)
    throw invalidState(`This action is not allowed: the withdraw is ${after.status}`);
  return after;
}

/**
 * Lets something happen at the bank. Its callback is stored before, so that the cron reads it back where
 * this request does not live to.
 */
async function withStoredCallback(
  sandbox: Sandbox,
  objectId: string,
  effect: () => Promise<void>,
): Promise<void> {
  const callback = newCallback(sandbox, objectId);
  await storeCallback(sandbox.env, callback);
  await effect();
  await refreshNow(sandbox, objectId);
  await removeCallback(sandbox.env, callback);
}

/** The sandbox's bank tells at once what it did: nothing means that nothing happened. */
async function refreshNow({ env, deps, company }: Sandbox, objectId: string): Promise<void> {
  if ((await refresh(env, deps, company, objectId)) === "unknown") throw providerUnavailable();
}

function newCallback({ deps, company }: Sandbox, objectId: string): NewCallback {
  return {
    id: newUuid(deps.random),
    companyId: company.id,
    objectId,
    dueAt: deps.clock.now() + REFRESH_AFTER_MS,
    attempts: 0,
  };
}

/** The transaction as its owner has it: D1's copy may be a moment behind. */
async function currentRecord(
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
    detail: "Recorded; it will be applied within a minute.",
    retryAfterSeconds: REFRESH_AFTER_MS / 1_000,
  });
}

function notAllowed(status: TransactionRecord["status"]): Problem {
  return invalidState(`This action is not allowed: the transaction is ${toCreateStatus(status)}`);
}
