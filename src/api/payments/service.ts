import type { z } from "@hono/zod-openapi";
import type {
  CreditTarget,
  DecidePayment,
  DecidePaymentAnswer,
} from "../../company/charges/payment-types.ts";
import type { OperationReply } from "../../company/operations/command-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import { chargeTerms } from "../../db/projection/transaction-mapper.ts";
import { visiblePayment } from "../../domain/access/payer-masks.ts";
import {
  unexpectedPaymentView,
  type UnexpectedPayment,
} from "../../domain/charges/unexpected-payment.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import type { ProblemDetails } from "../../domain/shared/problem.ts";
import type { Env } from "../../config.ts";
import type { Caller } from "../../http/context.ts";
import { StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import { keyReused } from "../../http/idempotency.ts";
import { disconnected, invalidState, notFound } from "../../http/problems.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import type { AskedBy } from "../refunds/asked-by.ts";
import { exitRefused } from "../refunds/problems.ts";
import { requireTransaction } from "../transactions/service.ts";
import { findTransaction } from "../transactions/repository.ts";
import { creditPayment } from "./credit.ts";
import { executeAndRecord, sendRefund, type BookingContext } from "./provider-order.ts";
import { findUnexpected, listUnexpected } from "./repository.ts";
import type { UnexpectedPaymentsQuery } from "./schemas.ts";

/** A merchant's decision about an unexpected payment. */
export interface PaymentRequest extends BookingContext {
  paymentId: string;
  askedBy: AskedBy;
  idempotencyKey: string | null;
  traceId: string;
}

/** 202 while the provider has not answered; `problem` where it refuses, as the key replays it. */
export type ReturnResult = { replayed: boolean } & (
  | { status: 200 | 202; payment: UnexpectedPayment }
  | { problem: ProblemDetails; traceId: string }
);

/** A page of a company's unexpected payments, newest first, as the caller may see them. */
export async function pageOfPayments(
  env: Env,
  { company, scopes }: Pick<Caller, "company" | "scopes">,
  { status, reason, after, limit }: z.output<typeof UnexpectedPaymentsQuery>,
) {
  const { payments, scannedTo } = await listUnexpected(env, company.id, {
    status,
    reason,
    before: after ?? null,
    limit: limit + 1,
  });
  const page = payments.slice(0, limit);
  const next = scannedTo ?? (payments.length > limit ? page.at(-1)?.number : undefined);
  return {
    items: page.map((payment) => unexpectedPaymentView(visiblePayment(scopes, payment))),
    after: next === undefined ? null : String(next),
    hasMore: next !== undefined,
  };
}

/** An unexpected payment by its id. Throws 404. */
export async function requirePayment(
  env: Env,
  companyId: number,
  paymentId: string,
): Promise<UnexpectedPayment> {
  const payment = await findUnexpected(env, companyId, paymentId);
  if (payment === null) throw notFound("unexpected payment");
  return payment;
}

/**
 * Sends an unexpected payment back to its payer. Idempotent by key and by state. Throws 404, 409 once it is
 * credited or while the payer's bank disputes it, 422 where its account is no longer connected, beyond a limit and
 * while the company is frozen.
 */
export async function returnPayment(request: PaymentRequest): Promise<ReturnResult> {
  const { env, deps, company, paymentId, idempotencyKey: key, traceId } = request;
  const payment = await requirePayment(env, company.id, paymentId);
  await requireConnectedAccount(request);
  const { id: companyId, credentialsVersion } = company;
  const keyed = { key, traceId, requestHash: await sha256Hex(canonicalJson({ paymentId })) };
  const command: DecidePayment = {
    companyId,
    credentialsVersion,
    paymentId,
    action: "return",
    target: null,
    operationId: newUuid(deps.random),
    ...request.askedBy,
    request: keyed,
  };
  const answer = await callCompany(env, companyId, (account) => account.decidePayment(command));
  if (answer.kind === "claimed") {
    const { claimed } = answer;
    const reply = await executeAndRecord(request, claimed, { key, traceId }, (provider) =>
      sendRefund(companyId, provider, claimed),
    );
    return resultOf(request, await requirePayment(env, companyId, paymentId), reply, false);
  }
  if (answer.kind === "answered") {
    const asked = await requirePayment(env, companyId, paymentId);
    return resultOf(request, asked, answer.reply, key !== null && !answer.isNew);
  }
  if (answer.kind === "returning")
    return { replayed: false, status: 202, payment: { ...payment, status: "returning" } };
  throw refusal(answer);
}

/**
 * Credits an unexpected payment to a transaction: to the one that is named, else to its own if that can
 * still be paid, else to one that is made for it. Idempotent by key and by state. Throws 404, 409 where it
 * cannot be credited.
 */
export async function creditRequested(
  request: PaymentRequest,
  transactionId: string | undefined,
): Promise<{ payment: UnexpectedPayment; replayed: boolean }> {
  const { env, company, paymentId, idempotencyKey: key, traceId } = request;
  const payment = await requirePayment(env, company.id, paymentId);
  const target = await targetOf(request, payment, transactionId);
  const requestHash = await sha256Hex(canonicalJson({ paymentId, transactionId }));
  const answer = await creditPayment(request, {
    paymentId,
    target,
    ...request.askedBy,
    request: { key, traceId, requestHash },
  });
  if (answer.kind !== "credited") throw refusal(answer);
  return answer;
}

async function targetOf(
  { env, company }: PaymentRequest,
  payment: UnexpectedPayment,
  chosen: string | undefined,
): Promise<CreditTarget | null> {
  if (chosen !== undefined) {
    return { kind: "chosen", terms: chargeTerms(await requireTransaction(env, company, chosen)) };
  }
  const own =
    payment.transactionId === null
      ? null
      : await findTransaction(env, company.id, payment.transactionId);
  return own === null ? null : { kind: "own", terms: chargeTerms(own) };
}

/** Throws 422 if the account that received an unexpected payment is no longer connected. */
async function requireConnectedAccount({
  env,
  deps,
  company,
  paymentId,
}: PaymentRequest): Promise<void> {
  const inSuspense = await callCompany(env, company.id, (account) =>
    account.findPaymentInSuspense(paymentId),
  );
  if (inSuspense === null) return;
  const provider = await deps.providers(env).ofAccount(company, inSuspense.account);
  if (provider === null) throw disconnected("took this payment");
}

function resultOf(
  { traceId }: PaymentRequest,
  found: UnexpectedPayment,
  reply: OperationReply,
  replayed: boolean,
): ReturnResult {
  if (reply.outcome === "FAILED") {
    const detail = `The provider refused this return. ${reply.reason ?? ""}`.trim();
    const problem = { code: "REFUND_REFUSED" as const, detail };
    return { replayed, problem, traceId: reply.traceId ?? traceId };
  }
  // As it was at the moment of the answer, so that a replay shows the same.
  const payment = { ...found, ...reply.payment };
  return reply.outcome === "DONE"
    ? { replayed, status: 200, payment: { ...payment, status: "returned" } }
    : { replayed, status: 202, payment: { ...payment, status: "returning" } };
}

function refusal(answer: DecidePaymentAnswer): Error {
  switch (answer.kind) {
    case "not_possible":
      return invalidState(answer.reason, "payment_status");
    case "not_found":
      return notFound("unexpected payment");
    case "key_reused":
      return keyReused();
    case "version_conflict":
      return new StaleVersionError(answer.newest);
    case "frozen":
    case "exit_limit_exceeded":
      return exitRefused(answer);
    case "answered":
    case "claimed":
    case "credited":
    case "make":
    case "returning":
      return new Error(`a decision is not refused with ${answer.kind}`);
  }
}
