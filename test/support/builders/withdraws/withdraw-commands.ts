import type {
  ClaimPayoutAnswer,
  PayoutReport,
  RecordPayoutAnswer,
  RequestWithdraw,
  RequestWithdrawAnswer,
} from "../../../../src/company/withdraws/command-types.ts";
import { FROM_THE_START } from "../../../../src/domain/access/standing.ts";
import { NO_FEE } from "../../../../src/domain/ledger/fees.ts";
import { NO_POLICY } from "../../../../src/domain/withdraws/withdraw-policy.ts";
import { callsTo } from "../companies/calls.ts";
import { MAIN_PIX_KEY, type TestCompany } from "../companies/company.ts";
import { endToEndId } from "../charges/charge-commands.ts";
import { CURRENT_VERSION } from "../companies/credentials.ts";

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
    policy: NO_POLICY,
    mainPixKey: { value: MAIN_PIX_KEY.value, since: null },
    requestedBy: { kind: "application", id: company.clientId, name: "default" },
    keyPrefix: "",
    standing: FROM_THE_START,
    spendingLimits: null,
    fee: NO_FEE,
    minimum: 1,
    quotaPercent: 100,
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
  return callsTo(company.id).requestWithdraw(withdrawCommand(company, overrides));
}

export function claimPayout(
  company: TestCompany,
  id = 1,
  account: string | null = "first",
): Promise<ClaimPayoutAnswer> {
  return callsTo(company.id).claimPayout({ companyId: company.id, id, account });
}

export function reportPayout(
  company: TestCompany,
  payout: PayoutReport,
  id = 1,
): Promise<RecordPayoutAnswer> {
  return callsTo(company.id).recordPayout({ companyId: company.id, id, report: payout });
}

export const PAID: PayoutReport = { kind: "paid", endToEndId: endToEndId(900) };

export const FAILED: PayoutReport = { kind: "failed", reason: "the account is closed" };

export const RETURNED: PayoutReport = { kind: "returned", endToEndId: endToEndId(900) };

/** A paid payout with a returned amount, in centavos. */
export function returnedReport(returnedAmount: number): PayoutReport {
  return { kind: "paid", endToEndId: endToEndId(900), returnedAmount };
}
