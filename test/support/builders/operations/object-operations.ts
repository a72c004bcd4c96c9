import { decideInObject } from "./decide.ts";
import { createExecutionContext } from "cloudflare:test";
import type {
  ClaimOperationAnswer,
  OperationReport,
  RecordOperationAnswer,
  RequestCancelOrCapture,
  RequestOperationAnswer,
  RequestRefund,
  RequestRefundAnswer,
} from "../../../../src/company/operations/command-types.ts";
import type {
  DisputeReport,
  RecordDisputeAnswer,
} from "../../../../src/company/disputes/command-types.ts";
import type { DecideByOperatorsAnswer } from "../../../../src/company/operators/command-types.ts";
import type {
  SettlePayment,
  SettlePaymentAnswer,
} from "../../../../src/company/charges/command-types.ts";
import { processOperation } from "../../../../src/api/transactions/operations.ts";
import { callsTo } from "../companies/calls.ts";
import { systemRandom, type Clock } from "../../../../src/domain/shared/clock.ts";
import type { ExitLimits } from "../../../../src/domain/exits/exit-limits.ts";
import type { Requester } from "../../../../src/domain/access/requester.ts";
import { FROM_THE_START } from "../../../../src/domain/access/standing.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import type { ChargeTerms } from "../../../../src/domain/charges/transaction.ts";
import type { Env } from "../../../../src/config.ts";
import { handleQueue } from "../../../../src/queue.ts";
import { endToEndId, termsOf } from "../charges/charge-commands.ts";
import { CURRENT_VERSION } from "../companies/credentials.ts";
import { cronDeps } from "../../fakes/cron.ts";
import { env, type TestCompany } from "../companies/company.ts";
import type { FakeBank } from "../../fakes/fake-bank.ts";
import { givenTransaction } from "../charges/transaction.ts";

export type Charge = { id: string; amount: number };

/** Longer than any lease: an earlier claim has expired. */
export const CLAIM_EXPIRED_MS = 60_000;
export const DAY_MS = 86_400_000;

let payments = 100_000;

/** An unused end-to-end id. */
export function freshEndToEndId(): string {
  payments += 1;
  return endToEndId(payments);
}

/** Reports a payment to the object, with the test's terms of the charge. */
export function settleCharge(
  company: TestCompany,
  transaction: Charge,
  options: { terms?: Partial<ChargeTerms>; payment?: Partial<SettlePayment["payment"]> } = {},
): Promise<SettlePaymentAnswer> {
  const payment = {
    paymentId: freshEndToEndId(),
    method: "PIX" as const,
    amount: transaction.amount,
    paidAt: Date.now(),
    ...options.payment,
  };
  return callsTo(company.id).settlePayment({
    companyId: company.id,
    terms: { ...termsOf(transaction), ...options.terms },
    payment,
  });
}

/** A new transaction whose payment the object has credited. */
export async function givenSettled(
  company: TestCompany,
  amount: number,
  options: Parameters<typeof settleCharge>[2] = {},
): Promise<Charge> {
  const { id } = await givenTransaction(company, { amount });
  const answer = await settleCharge(company, { id, amount }, options);
  if (answer.kind !== "credited") throw new Error(`the payment was ${answer.kind}`);
  return { id, amount };
}

interface OperationInput {
  amount?: number;
  /** The dispute that a refund stands instead of. */
  insteadOf?: string;
  key?: string;
  operationId?: string;
  /** Of who asks; by default an application that no limit holds for. */
  limits?: Partial<ExitLimits>;
  requestedBy?: Requester;
}

/** Who asks for what a test does not ask for by an application of its own. */
const REQUESTER: Requester = { kind: "application", id: "app_test", name: "Test" };
const NO_LIMITS: ExitLimits = {
  standing: FROM_THE_START,
  coolDownMs: 0,
  ownLimit: null,
  dailyLimit: null,
  approvalAbove: null,
};

export function refundCommand(
  company: TestCompany,
  transaction: Charge,
  input: OperationInput = {},
): RequestRefund {
  const amount = input.amount ?? null;
  return {
    ...operationKeyOf(company, input),
    terms: termsOf(transaction),
    amount,
    insteadOf: input.insteadOf ?? null,
    requestedBy: input.requestedBy ?? REQUESTER,
    limits: { ...NO_LIMITS, ...input.limits },
    quotaPercent: 100,
    requestHash: `${transaction.id} ${amount}`,
  };
}

/** The command of a cancel. */
export function captureOrCancelCommand(
  company: TestCompany,
  transaction: Charge,
  input: OperationInput = {},
): RequestCancelOrCapture {
  return {
    ...operationKeyOf(company, input),
    kind: "cancel",
    amount: null,
    requestedBy: REQUESTER,
    terms: termsOf(transaction),
    quotaPercent: 100,
    requestHash: transaction.id,
  };
}

export function requestRefund(
  company: TestCompany,
  transaction: Charge,
  input: OperationInput = {},
): Promise<RequestRefundAnswer> {
  return callsTo(company.id).requestRefund(refundCommand(company, transaction, input));
}

/** Two operators return an unexpected payment: the claimed return, or the object's refusal. */
export async function requestReturn(
  company: TestCompany,
  paymentId: string,
): Promise<RequestOperationAnswer | DecideByOperatorsAnswer> {
  const answer = await decideInObject(company, { kind: "payment", paymentId });
  return answer.kind === "decided" ? (answer.claimed ?? { kind: "in_progress" }) : answer;
}

function operationKeyOf(company: TestCompany, input: OperationInput) {
  return {
    companyId: company.id,
    credentialsVersion: CURRENT_VERSION,
    operationId: input.operationId ?? newUuid(systemRandom),
    key: input.key ?? null,
    traceId: "0".repeat(32),
  };
}

export function claimOperation(company: TestCompany, id = 1): Promise<ClaimOperationAnswer> {
  return callsTo(company.id).claimOperation({ companyId: company.id, id });
}

export function reportOperation(
  company: TestCompany,
  operation: OperationReport,
  id = 1,
): Promise<RecordOperationAnswer> {
  return callsTo(company.id).recordOperation({
    companyId: company.id,
    id,
    report: operation,
    reply: null,
  });
}

export function dispute(
  company: TestCompany,
  transaction: Charge,
  report: Partial<DisputeReport> = {},
): Promise<RecordDisputeAnswer> {
  return callsTo(company.id).recordDispute({
    companyId: company.id,
    terms: termsOf(transaction),
    report: {
      id: `dispute of ${transaction.id}`,
      kind: "DISPUTE",
      amount: transaction.amount,
      status: "OPEN",
      ...report,
    },
  });
}

/** Runs an operation as the queue consumer does, with a test's bank. */
export function runOperation(
  company: TestCompany,
  bank: FakeBank,
  clock: Clock,
  options: { id?: number; env?: Env } = {},
): Promise<void> {
  return processOperation(options.env ?? env, cronDeps(clock, bank), company.id, options.id ?? 1);
}

/** Passes one message to the payouts consumer; returns whether it was acknowledged. */
export async function consumePayoutMessage(body: object): Promise<"acked" | "retried"> {
  let outcome: "acked" | "retried" = "retried";
  const message = {
    body,
    ack: () => {
      outcome = "acked";
    },
    retry: () => undefined,
  };
  await handleQueue(
    { queue: "payouts", messages: [message] } as unknown as MessageBatch,
    env,
    createExecutionContext(),
  );
  return outcome;
}
