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
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { methodOf } from "../../methods/registry.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import {
  canTransitionCharge,
  toCreateStatus,
  isOpenCharge,
  TRANSFER_METHOD,
  type PaymentMethod,
} from "../../domain/charges/charge-status.ts";
import type { ReportedPayer } from "../../domain/charges/payer-match.ts";
import { paymentOfCharge } from "../../domain/charges/payment-charge.ts";
import type { DisputeReason } from "../../domain/disputes/dispute.ts";
import type { Company } from "../../domain/shared/company.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { hasFault, heldUntil } from "../../domain/time/sandbox-fault.ts";
import { SANDBOX_ACCOUNT } from "../../domain/withdraws/withdraw.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { providerChargeId, type TransactionRecord } from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import type { CompanyDependencies } from "../../http/context.ts";
import { invalidState } from "../../http/problems.ts";
import { paymentSubject } from "../provider-callbacks/subjects.ts";
import { refresh } from "../provider-callbacks/service.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** The cron refreshes the object of an interrupted request after this. */
const REFRESH_AFTER_MS = 60_000;

/** Simulated events happen at the sandbox's bank only; the gateway then reads them as from any provider. */
export interface Sandbox {
  env: Env;
  deps: CompanyDependencies;
  company: Company;
}

/** A simulated payment in centavos; by default the amount due, by the transaction's own method. */
interface Payment {
  amount?: Cents | undefined;
  method?: PaymentMethod | undefined;
  /** Where left out the charge's customer. */
  payer?: ReportedPayer | undefined;
}

/**
 * Simulates a payer's payment, or the acquirer taking a card's money. Money that no open charge expects
 * is unexpected, not refused. Throws 409 and 422 for a card that may not be charged, or not for that much.
 */
export async function payCharge(
  sandbox: Sandbox,
  row: TransactionRow,
  { amount = currentAmountDue(sandbox, row), method, payer }: Payment,
): Promise<TransactionRecord> {
  if (paymentOfCharge(row) !== null) {
    throw invalidState(
      "This transaction was made of its payment, so nobody else can pay it",
      "transaction_status",
    );
  }
  const { initiation, payableBy } = methodOf(row.paymentMethod);
  const isPull = initiation === "pull";
  if (method !== undefined && !payableBy.includes(method)) {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "Invalid fields: method.",
      errors: { method: [breaks("notPaidSo", { method: row.paymentMethod })] },
    });
  }
  if (isPull) requireChargeable(await currentRecord(sandbox, row), amount);
  const isReported = await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).simulatePayment(
      providerChargeId(row.id),
      amount,
      method ?? row.paymentMethod,
      payer,
    ),
  );
  const after = await currentRecord(sandbox, row);
  if (isPull && isReported && after.status !== "paid") throw notAllowed(after.status);
  return after;
}

function currentAmountDue({ deps }: Sandbox, row: TransactionRow): Cents {
  return methodOf(row.paymentMethod).amountDue(row, saoPauloDay(deps.clock.now()));
}

/** A pull pays once: where it is authorized, or its provider gave no answer. */
function requireChargeable({ status, amount: authorized }: TransactionRecord, amount: Cents): void {
  if (status !== "creating" && status !== "authorized") throw notAllowed(status);
  if (amount <= authorized) return;
  throw new Problem({
    code: "CAPTURE_EXCEEDS_AUTHORIZED",
    detail: "The amount exceeds the authorized amount of the card.",
    extensions: { authorizedCents: authorized },
  });
}

/** Ends the charge at the bank without money. Throws 409 where it cannot end any more. */
export async function endCharge(
  sandbox: Sandbox,
  row: TransactionRow,
  status: "failed" | "expired",
): Promise<TransactionRecord> {
  const target = status === "failed" ? "failed" : "cancelled";
  const before = await currentRecord(sandbox, row);
  if (before.status === target) return before;
  const current = withExpiryApplied(before, sandbox.deps.clock.now()).status;
  const hasNoResponse = current === "creating" && methodOf(row.paymentMethod).initiation === "pull";
  const canEnd = isOpenCharge(current) || hasNoResponse;
  if (current !== target && !(canEnd && canTransitionCharge(current, target)))
    throw notAllowed(current);
  const isReported = await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).endCharge(providerChargeId(row.id), status),
  );
  const ended = await currentRecord(sandbox, row);
  if (isReported && ended.status !== target) throw notAllowed(ended.status);
  return ended;
}

/** What the payer's bank says of its dispute; `deadline` in epoch milliseconds. */
interface DisputeClaim {
  reason?: DisputeReason | undefined;
  deadline?: number | undefined;
}

/**
 * The payer's bank disputes what is left of a payment. Throws 400 where only a PIX has the reason, 409 where
 * there is nothing to dispute.
 */
export async function disputeCharge(
  sandbox: Sandbox,
  row: TransactionRow,
  claim: DisputeClaim = {},
): Promise<TransactionRecord> {
  const { before, after, isReported } = await openDispute(sandbox, row, {
    kind: "DISPUTE",
    ...claim,
  });
  const isNew = after.dispute !== null && after.dispute.id !== before.dispute?.id;
  if (isReported && !isNew) throw notAllowed(after.status);
  return after;
}

/** The payer's bank takes back what is left of a payment. Throws 409 where nothing is. */
export async function chargeBack(
  sandbox: Sandbox,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const { before, after, isReported } = await openDispute(sandbox, row, { kind: "CHARGEBACK" });
  if (!isReported) return after;
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
  const isReported = await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).reverseChargebacks(providerChargeId(row.id)),
  );
  const after = await currentRecord(sandbox, row);
  if (isReported && after.version === before.version) {
    throw invalidState("The transaction has no chargeback to reverse", "no_open_dispute");
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
    throw invalidState("The transaction has no open dispute", "no_open_dispute");
  }
  await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).resolveDispute(providerChargeId(row.id), outcome),
  );
  return currentRecord(sandbox, row);
}

async function openDispute(
  sandbox: Sandbox,
  row: TransactionRow,
  claim: { kind: "DISPUTE" | "CHARGEBACK" } & DisputeClaim,
): Promise<{ before: TransactionRecord; after: TransactionRecord; isReported: boolean }> {
  const before = await currentRecord(sandbox, row);
  if (before.paidAt === null) throw notAllowed(before.status);
  const { kind, reason, deadline } = claim;
  if (before.endToEndId === null && reason !== undefined && reason !== "OTHER") throw onlyOfPix();
  const isReported = await withStoredCallback(sandbox, row.id, () =>
    bankOf(sandbox).dispute(providerChargeId(row.id), before.endToEndId, {
      kind,
      ...(reason === undefined ? {} : { reason }),
      ...(deadline === undefined ? {} : { deadline }),
    }),
  );
  return { before, after: await currentRecord(sandbox, row), isReported };
}

function onlyOfPix(): Problem {
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: reason.",
    errors: { reason: [breaks("otherClaim")] },
  });
}

/** A payment to the company's key without a charge; it is unexpected. */
export async function payWithoutCharge(sandbox: Sandbox, amount: Cents, payer?: ReportedPayer) {
  const payment = bankOf(sandbox).newPayment(amount, TRANSFER_METHOD, payer);
  await withStoredCallback(sandbox, paymentSubject(payment.paymentId), () =>
    bankOf(sandbox).simulateTransfer(payment),
  );
  return payment;
}

/**
 * Runs an effect at the bank and reads it back. The callback is stored before, so that the cron reads
 * back the effect of an interrupted request. False where a faulty bank does not report it yet: the callback then stays
 * until it does, as for the second report of a bank that doubles them. Throws 503 where the bank could not be asked.
 */
export async function withStoredCallback(
  sandbox: Sandbox,
  objectId: string,
  effect: () => Promise<void>,
): Promise<boolean> {
  const { sandboxFaults: faults } = sandbox.company;
  const now = sandbox.deps.clock.now();
  const reportedAt = heldUntil(faults, "bank_late", now);
  const callback = newCallback(sandbox, objectId, reportedAt);
  await storeCallback(sandbox.env, callback);
  await effect();
  if (reportedAt > now) return false;
  const evidence = { report: null, account: SANDBOX_ACCOUNT };
  const outcome = await refresh(sandbox.env, sandbox.deps, sandbox.company, objectId, evidence);
  if (outcome === "unknown" && faults.length === 0) throw providerUnavailable();
  const isReported = outcome === "booked" || faults.length === 0;
  const isSaidAgain = hasFault(faults, "bank_doubled", now);
  if (isReported && !isSaidAgain) await removeCallback(sandbox.env, callback);
  return isReported;
}

function newCallback(
  { deps, company }: Sandbox,
  objectId: string,
  reportedAt: number,
): NewCallback {
  return {
    id: newUuid(deps.random),
    companyId: company.id,
    objectId,
    dueAt: reportedAt + REFRESH_AFTER_MS,
    attempts: 0,
  };
}

/** The transaction with its state from the object, because D1 may be a moment behind. */
export async function currentRecord(
  { env, company }: Sandbox,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const state = await callCompany(env, company.id, (account) => account.findCharge(row.id));
  return { ...toTransactionRecord(row), ...state };
}

export function bankOf({ env, deps, company }: Sandbox) {
  return deps.providers(env).sandbox(company);
}

export function providerUnavailable(): Problem {
  return new Problem({
    code: "PROVIDER_UNAVAILABLE",
    detail: "Recorded; it will be applied within a minute.",
    retryAfterSeconds: REFRESH_AFTER_MS / 1_000,
  });
}

function notAllowed(status: TransactionRecord["status"]): Problem {
  return invalidState(
    `This action is not allowed: the transaction is ${toCreateStatus(status)}`,
    "transaction_status",
  );
}
