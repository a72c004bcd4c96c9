import type {
  OperationReply,
  RequestCancelOrCapture,
  RequestOperationAnswer,
  RequestRefund,
} from "../../company/operations/command-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import {
  chargeTerms,
  toTransactionRecord,
  type TransactionRow,
} from "../../db/projection/transaction-mapper.ts";
import { toCreateStatus, type ChargeStatus } from "../../domain/charges/charge-status.ts";
import type { OperationKind } from "../../domain/charges/operation.ts";
import { isDebitedCharge } from "../../domain/charges/payment-charge.ts";
import { withChangedBoleto } from "../../domain/charges/payment-details.ts";
import type { Company } from "../../domain/shared/company.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { Problem, type ProblemDetails } from "../../domain/shared/problem.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import type { Env } from "../../config.ts";
import type { CompanyDependencies } from "../../http/context.ts";
import { StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import { keyInProgress, keyReused } from "../../http/idempotency.ts";
import { quotaExceeded } from "../../http/quota.ts";
import { CHARGES_FROZEN, disconnected, invalidState, notFound } from "../../http/problems.ts";
import { assert } from "../../lib/assert.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import type { Provider } from "../../providers/provider.ts";
import type { AskedBy } from "../refunds/asked-by.ts";
import { exitRefused } from "../refunds/problems.ts";
import { dueDateErrors, dueDateOrder, keepsDueDate, wrongDueDate } from "./due-date.ts";
import { executeOperation } from "./operations.ts";
import { requireWholeTransaction } from "./service.ts";
import { syncCharge } from "./sync.ts";

export interface OperationRequest {
  env: Env;
  deps: CompanyDependencies;
  company: Company;
  askedBy: AskedBy;
  transactionId: string;
  idempotencyKey: string | null;
  traceId: string;
}

/** `amount` in centavos. `insteadOf`: the provider's id of the dispute that it stands instead of. */
export interface RefundAsked {
  amount?: Cents | undefined;
  insteadOf?: string | undefined;
}

/** `problem` where the answer that belongs to the key is a refusal; 202 while it is still open. */
export type OperationResult = { replayed: boolean } & (
  | { status: 200 | 202; record: TransactionRecord }
  | { problem: ProblemDetails; traceId: string }
);

/**
 * Gives a payment back, wholly or in part (`amount` in centavos; all that is left where undefined).
 * Its money is held before the provider is asked, or somebody else is; instead of a dispute (`insteadOf`) what that has
 * blocked is. Throws 409 and 422 where it is not accepted.
 */
export async function refundTransaction(
  request: OperationRequest,
  { amount, insteadOf }: RefundAsked,
): Promise<OperationResult> {
  const { env, deps, company, askedBy, idempotencyKey: key, traceId } = request;
  const row = await requireWholeTransaction(env, company, request.transactionId);
  const command = {
    companyId: company.id,
    credentialsVersion: company.credentialsVersion,
    quotaPercent: company.quotaPercent,
    terms: chargeTerms(row),
    operationId: newUuid(deps.random),
    amount: amount ?? null,
    insteadOf: insteadOf ?? null,
    ...askedBy,
    requestHash: await sha256Hex(
      canonicalJson({
        transactionId: row.id,
        amount,
        ...(insteadOf === undefined ? {} : { insteadOf }),
      }),
    ),
    key,
    traceId,
  };
  const accepted = await requestAtTaker(request, row, command);
  return toResult(request, row, accepted, refundRefused);
}

/**
 * Asks for a refund where the payment's account is connected: nearly always that of the charge. Which other one it is
 * only the object knows. Throws 422 where it is not, or gives nothing back, before any money is held.
 */
async function requestAtTaker(
  request: OperationRequest,
  row: TransactionRow,
  command: Omit<RequestRefund, "connected">,
): Promise<RequestOperationAnswer> {
  const { env, deps, company } = request;
  const ask = (connected: string | null) =>
    callCompany(env, company.id, (object) => object.requestRefund({ ...command, connected }));
  const shown = await providerOf(request, row);
  if (shown !== null) requireRefunds(shown, row);
  const answer = await ask(shown === null ? null : row.account);
  if (answer.kind !== "taken_by") return answer;
  const taker = await deps.providers(env).ofAccount(company, answer.account, row.paymentMethod);
  if (taker === null) throw disconnected("took this payment");
  // Where both are connected the charge's was looked at: a payment of another method is given back as its taker's own.
  if (shown === null) requireRefunds(taker, row);
  const accepted = await ask(answer.account);
  assert(accepted.kind !== "taken_by", "a payment stays at its account");
  return accepted;
}

function requireRefunds({ refundMethods }: Provider, { paymentMethod }: TransactionRow): void {
  if (refundMethods.includes(paymentMethod)) return;
  throw new Problem({
    code: "NOT_SUPPORTED_BY_PROVIDER",
    detail: "The account that took this payment gives no payments of its method back by API.",
  });
}

/** Ends a charge that nobody paid. Throws 409 where it was paid or has ended. */
export async function cancelTransaction(request: OperationRequest): Promise<OperationResult> {
  return requestChargeOperation(request, { kind: "cancel", amount: null }, cancelRefused);
}

/**
 * Takes the money of an authorized card, once, wholly or in part (`amount` in centavos; all of it where
 * undefined). Throws 409 where it is not authorized, 422 where it is not for that much.
 */
export async function captureTransaction(
  request: OperationRequest,
  amount: Cents | undefined,
): Promise<OperationResult> {
  return requestChargeOperation(
    request,
    { kind: "capture", amount: amount ?? null },
    captureRefused,
  );
}

/**
 * Gives a boleto that waits for its payment another due date. Throws 409 where it is paid or has ended, 422 where its
 * account changes none, or not to that day.
 */
export async function changeDueDate(
  request: OperationRequest,
  dueDate: string,
): Promise<OperationResult> {
  const { env, deps, company } = request;
  const row = await currentTransaction(request);
  const provider = await providerOf(request, row);
  if (provider === null) throw disconnected("has this charge");
  const asked = dueDateOrder(company, row, dueDate, deps.clock.now());
  if (provider.dueDates === undefined || asked === null) {
    const isWaiting = row.status === "waiting_payment";
    throw isWaiting ? keepsDueDate() : notAllowed(statusText(row.status));
  }
  assert(row.boleto !== null, "a due date is a boleto's");
  const errors = dueDateErrors(asked, provider);
  const command = {
    ...(await chargeCommand(request, row, { transactionId: row.id, dueDate })),
    dueDate: { from: row.boleto.dueDate, to: dueDate, expiresAt: asked.expiresAt },
    isPossible: errors.length === 0,
  };
  const accepted = await callCompany(env, company.id, (account) => account.requestDueDate(command));
  if (accepted.kind === "not_possible") throw wrongDueDate(errors);
  return toResult(request, row, accepted, dueDateRefused);
}

/** What requests for a charge itself have alike; `asked` is what their key stands for. */
async function chargeCommand(
  { deps, company, askedBy, idempotencyKey: key, traceId }: OperationRequest,
  row: TransactionRow,
  asked: object,
) {
  return {
    companyId: company.id,
    credentialsVersion: company.credentialsVersion,
    quotaPercent: company.quotaPercent,
    terms: chargeTerms(row),
    operationId: newUuid(deps.random),
    requestedBy: askedBy.requestedBy,
    requestHash: await sha256Hex(canonicalJson(asked)),
    key,
    traceId,
  };
}

async function requestChargeOperation(
  request: OperationRequest,
  operation: Pick<RequestCancelOrCapture, "kind" | "amount">,
  refused: (reply: OperationReply) => ProblemDetails,
): Promise<OperationResult> {
  const { env, company } = request;
  const row = await currentTransaction(request);
  // Its subscription orders, tries again and ends it.
  if (isDebitedCharge(row))
    throw invalidState("A subscription debits this charge: cancel it there", "charge_closed");
  if ((await providerOf(request, row)) === null) throw disconnected("has this charge");
  const hashedRequest = {
    transactionId: row.id,
    ...(operation.amount === null ? {} : { amount: operation.amount }),
  };
  const command = { ...operation, ...(await chargeCommand(request, row, hashedRequest)) };
  const accepted = await callCompany(env, company.id, (account) =>
    account.requestCancelOrCapture(command),
  );
  if (operation.kind === "capture" && accepted.kind === "not_allowed") {
    throw notAllowed(`is ${toCreateStatus(accepted.status)}; only an authorized card is captured`);
  }
  return toResult(request, row, accepted, refused);
}

/** The transaction; one past its expiry is synced with its provider first. */
async function currentTransaction(request: OperationRequest): Promise<TransactionRow> {
  const { env, deps, company, transactionId } = request;
  const row = await requireWholeTransaction(env, company, transactionId);
  const now = deps.clock.now();
  const expired = withExpiryApplied(toTransactionRecord(row), now).status !== row.status;
  const provider = expired ? await providerOf(request, row) : null;
  if (provider === null) return row;
  await syncCharge(request, provider, row);
  return requireWholeTransaction(env, company, transactionId);
}

/** The charge's provider; null where that account is disconnected. */
function providerOf(
  { env, deps, company }: OperationRequest,
  { account, paymentMethod }: TransactionRow,
): Promise<Provider | null> {
  return deps.providers(env).ofAccount(company, account, paymentMethod);
}

/** Executes an accepted operation and builds its answer; throws where it was not accepted. */
async function toResult(
  request: OperationRequest,
  row: TransactionRow,
  accepted: RequestOperationAnswer,
  refused: (reply: OperationReply) => ProblemDetails,
): Promise<OperationResult> {
  const { idempotencyKey: key, traceId } = request;
  switch (accepted.kind) {
    case "send":
    case "query": {
      const reply = await executeOperation(request, accepted, { key, traceId });
      return resultOfReply(request, row, reply, { replayed: false, refused });
    }
    case "answered":
      return resultOfReply(request, row, accepted.reply, { replayed: true, refused });
    case "waiting":
      return resultOfReply(request, row, accepted.reply, { replayed: false, refused });
    case "charges_frozen":
      throw new Problem(CHARGES_FROZEN);
    case "frozen":
    case "exit_limit_exceeded":
      throw exitRefused(accepted);
    case "version_conflict":
      throw new StaleVersionError(accepted.newest);
    case "quota_exceeded":
      throw quotaExceeded(row.companyId, accepted, request.deps.clock.now());
    case "key_reused":
      throw keyReused();
    case "in_progress":
      throw key === null ? notAllowed("is being changed by another request") : keyInProgress();
    case "not_found":
      throw notFound("transaction");
    case "conflicting_operation":
      throw notAllowed(`already has a ${operationWord(accepted.operation)} in progress`);
    case "exceeds_authorized":
      throw new Problem({
        code: "CAPTURE_EXCEEDS_AUTHORIZED",
        detail: "The capture exceeds the authorized amount.",
        extensions: { authorizedCents: accepted.authorized },
      });
    case "not_allowed":
      throw notAllowed(statusText(accepted.status));
    case "disputed":
      throw notAllowed("has an open dispute");
    case "dispute_not_open":
      throw notAllowed("has no open dispute of this id");
    case "refunded_instead":
      throw notAllowed("has a refund instead of this dispute already");
    case "not_disputed_amount":
      throw new Problem({
        code: "REFUND_NOT_DISPUTED_AMOUNT",
        detail:
          "A refund instead of a dispute is of exactly the amount that the dispute asks back.",
        extensions: { disputedCents: accepted.disputed },
      });
    case "too_many":
      throw notAllowed(`had this ${accepted.limit} times already, which is the limit`);
    case "exceeds_paid":
      throw new Problem({
        code: "REFUND_EXCEEDS_PAID",
        detail: "The refund exceeds what is left of the payment.",
        extensions: { refundableCents: accepted.refundable },
      });
    case "insufficient_balance":
      throw insufficientBalance(accepted);
  }
}

function resultOfReply(
  { traceId }: OperationRequest,
  row: TransactionRow,
  reply: OperationReply,
  options: { replayed: boolean; refused: (reply: OperationReply) => ProblemDetails },
): OperationResult {
  const { replayed, refused } = options;
  if (reply.outcome === "FAILED") {
    return { replayed, problem: refused(reply), traceId: reply.traceId ?? traceId };
  }
  assert(reply.state !== null, "a charge with an operation has moved");
  // As it was shown at the moment of the answer, so that a replay shows the same.
  const { state } = reply;
  const shown = withChangedBoleto(toTransactionRecord(row), reply.boleto);
  const record = withExpiryApplied({ ...shown, ...state }, state.updatedAt);
  return { replayed, status: reply.outcome === "DONE" ? 200 : 202, record };
}

function insufficientBalance({
  available,
  held,
  required,
}: Extract<RequestOperationAnswer, { kind: "insufficient_balance" }>): Problem {
  return new Problem({
    code: "INSUFFICIENT_BALANCE",
    detail:
      held === 0
        ? "The transaction's credit and the available balance do not cover this refund."
        : "The transaction's credit and the available balance without their held part do not cover this refund. " +
          "The rest is held until a contradiction between the bank and the ledger is decided.",
    extensions: {
      availableCents: available,
      requiredCents: required,
      ...(held === 0 ? {} : { heldCents: held }),
    },
  });
}

function refundRefused(reply: OperationReply): ProblemDetails {
  return {
    code: "REFUND_REFUSED",
    detail: `The provider refused this refund. ${reply.reason ?? ""}`.trim(),
  };
}

function captureRefused(reply: OperationReply): ProblemDetails {
  return {
    code: "CAPTURE_REFUSED",
    detail: `The acquirer refused this capture. ${reply.reason ?? ""}`.trim(),
  };
}

/** A boleto that waits on was refused that day; any other is not one to change. */
function dueDateRefused(reply: OperationReply): ProblemDetails {
  const { state, reason } = reply;
  if (state !== null && state.status !== "waiting_payment")
    return notAllowed(statusText(state.status)).details;
  return {
    code: "DUE_DATE_REFUSED",
    detail: `The boleto does not get this due date. ${reason ?? ""}`.trim(),
  };
}

function cancelRefused(reply: OperationReply): ProblemDetails {
  return notAllowed(reply.state === null ? "" : statusText(reply.state.status)).details;
}

function operationWord(kind: OperationKind): string {
  return kind === "due_date" ? "change of its due date" : kind;
}

/** Why an operation is not allowed, and what is where there is one. */
function statusText(status: ChargeStatus): string {
  const words = `is ${toCreateStatus(status)}`;
  if (status === "paid") return `${words}; a refund gives it back`;
  return status === "waiting_payment" ? `${words}; a cancel ends it` : words;
}

function notAllowed(why: string): Problem {
  return invalidState(`This action is not allowed: the transaction ${why}`, "transaction_status");
}
