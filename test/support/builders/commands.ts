import type {
  ClaimPayoutAnswer,
  TransitionCharge,
  TransitionChargeAnswer,
  PayoutReport,
  RecordPayoutAnswer,
  RequestWithdraw,
  RequestWithdrawAnswer,
  SettlePayment,
  SettlePaymentAnswer,
} from "../../../src/company/rpc-types.ts";
import { NO_FEE } from "../../../src/domain/ledger/fees.ts";
import { companyStub } from "../../../src/company-client/stub.ts";
import { env, inAccount, MAIN_PIX_KEY, type TestCompany } from "./company.ts";

/** BACEN's end-to-end id of a payment that a test names by a number. */
export function endToEndId(number: number): string {
  return `E00000000202611200000${String(number).padStart(11, "0")}`;
}

/** Tells the object of a payment that the provider confirmed, as a callback would. */
export function settle(
  company: TestCompany,
  transaction: { id: string; amount: number },
  payment: Partial<SettlePayment["payment"]> = {},
  terms: Partial<TransitionCharge["terms"]> = {},
): Promise<SettlePaymentAnswer> {
  return companyStub(env, company.id).settlePayment({
    companyId: company.id,
    terms: { ...termsOf(transaction), ...terms },
    payment: {
      paymentId: payment.paymentId ?? endToEndId(1),
      method: payment.method ?? "PIX",
      amount: payment.amount ?? transaction.amount,
      paidAt: payment.paidAt ?? Date.now(),
    },
  });
}

/** Tells the object that a charge ended without money. */
export function endCharge(
  company: TestCompany,
  transaction: { id: string; amount: number },
  newStatus: TransitionCharge["to"],
): Promise<TransitionChargeAnswer> {
  return companyStub(env, company.id).transitionCharge({
    companyId: company.id,
    terms: termsOf(transaction),
    to: newStatus,
    ...(newStatus === "cancelled" ? { cancelReason: "EXPIRED" as const } : {}),
  });
}

/** The version of credentials that nothing is newer than. */
export const CURRENT_VERSION = Number.MAX_SAFE_INTEGER;

export function withdrawCommand(
  company: TestCompany,
  overrides: Partial<RequestWithdraw> = {},
): RequestWithdraw {
  return {
    companyId: company.id,
    idempotencyKey: "wd_1",
    requestHash: "the hash of the request",
    amount: 1_000,
    currency: "BRL",
    pixKey: MAIN_PIX_KEY,
    creditorDocument: MAIN_PIX_KEY.value,
    description: "",
    metadata: null,
    policy: { duplicateGuard: false, dailyLimit: null },
    fee: NO_FEE,
    minimum: 1,
    sandbox: false,
    confirmedDuplicate: null,
    credentialsVersion: CURRENT_VERSION,
    ...overrides,
  };
}

export function withdraw(
  company: TestCompany,
  overrides: Partial<RequestWithdraw> = {},
): Promise<RequestWithdrawAnswer> {
  return companyStub(env, company.id).requestWithdraw(withdrawCommand(company, overrides));
}

export function claimPayout(
  company: TestCompany,
  id = 1,
  account: string | null = "first",
): Promise<ClaimPayoutAnswer> {
  return companyStub(env, company.id).claimPayout(company.id, id, account);
}

export function reportPayout(
  company: TestCompany,
  payout: PayoutReport,
  id = 1,
): Promise<RecordPayoutAnswer> {
  return companyStub(env, company.id).recordPayout(company.id, id, payout);
}

/** Waits until what the object's commits owe D1 was tried; some calls answer before that. */
export function waitUntilDrained(company: TestCompany): Promise<void> {
  return inAccount(company.id, (account) => account.runNow());
}

export function termsOf(transaction: { id: string; amount: number }): TransitionCharge["terms"] {
  return {
    transactionId: transaction.id,
    amount: transaction.amount,
    paymentMethod: "PIX",
    installments: 1,
    status: "waiting_payment",
    card: null,
    fee: NO_FEE,
    releaseDays: 0,
    account: "first",
  };
}

export const PAID: PayoutReport = { kind: "paid", endToEndId: endToEndId(900) };
export const FAILED: PayoutReport = { kind: "failed", reason: "the account is closed" };
export const RETURNED: PayoutReport = { kind: "returned", endToEndId: endToEndId(900) };

/** Paid, of which so many centavos have come back in all. */
export function returnedReport(returnedAmount: number): PayoutReport {
  return { kind: "paid", endToEndId: endToEndId(900), returnedAmount };
}
