import { callCompany } from "../../company/stub.ts";
import { toTransactionRecord, type TransactionRow } from "../../db/transaction-mapper.ts";
import type { Company } from "../../domain/company.ts";
import { Problem } from "../../domain/problem.ts";
import { providerChargeId, type ChargeTerms } from "../../domain/transaction.ts";
import type { Env } from "../../env.ts";
import type { Dependencies } from "../../http/context.ts";
import { keyInProgress, keyReused } from "../../http/idempotency.ts";
import { assert } from "../../lib/assert.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { answerOf, type ChargeOutcome, type Provider } from "../../providers/provider.ts";
import { CREATE_LEASE_MS, draftTransaction } from "./draft.ts";
import { answerTransaction, claimTransaction, releaseLease, takeOver } from "./repository.ts";
import type { CreateTransactionRequest } from "./schemas.ts";

const INSTALLMENTS_MAX = 12;
const PROVIDER_RETRY_SECONDS = 5;
/**
 * How a request waits for a first one with its key that still runs: 2 s in all, so that a burst of
 * retries sees one answer instead of a row of conflicts.
 */
const IN_PROGRESS_WAITS_MS = [50, 100, 200, 400, 600, 650];

export interface CreateCommand {
  env: Env;
  deps: Dependencies;
  company: Company;
  request: CreateTransactionRequest;
  idempotencyKey: string | null;
  traceId: string;
}

export interface CreateResult {
  row: TransactionRow;
  replayed: boolean;
}

/**
 * Creates a transaction once per idempotency key: claim in D1, register at the provider under an id
 * fixed by the claim, write the answer. Whoever repeats the request resumes where it stopped.
 * Throws 422 for business rules, 409 for the key, 503 where the provider gave no answer.
 */
export async function createTransaction(command: CreateCommand): Promise<CreateResult> {
  const { env, deps, company, request } = command;
  checkBusinessRules(request, company);
  const provider = deps.providers(env).forCharge(company, request.paymentMethod);
  if (provider === null) {
    throw new Problem({
      code: "PROVIDER_NOT_CONFIGURED",
      detail: `This company has no provider for ${request.paymentMethod}.`,
    });
  }
  const requestHash = await sha256Hex(canonicalJson(fingerprintOf(request)));
  const draft = draftTransaction({
    request,
    company,
    provider: provider.name,
    idempotencyKey: command.idempotencyKey,
    requestHash,
    deps,
  });
  let row = await claimTransaction(env, draft);
  for (const waitMs of [...IN_PROGRESS_WAITS_MS, null]) {
    if (row.requestHash !== requestHash) throw keyReused();
    if (row.answeredAt !== null) return { row, replayed: row.id !== draft.id };
    const mine = row.id === draft.id ? row : await takeOverExpired(env, row, deps.clock.now());
    if (mine !== null) {
      return { row: await registerCharge(command, provider, mine), replayed: false };
    }
    if (waitMs === null) break;
    await scheduler.wait(waitMs);
    row = await claimTransaction(env, draft);
  }
  throw keyInProgress();
}

/** Registers the charge of a claimed row at its provider and writes what came of it. */
export async function registerCharge(
  context: { env: Env; deps: Dependencies; company: Company; traceId: string },
  provider: Provider,
  row: TransactionRow,
): Promise<TransactionRow> {
  const { env, deps, company } = context;
  const outcome = await askProvider(provider, row, company, context.traceId);
  switch (outcome.kind) {
    case "registered":
      return answerTransaction(
        env,
        row,
        { status: "waiting_payment", pix: outcome.pix, failure: null },
        deps.clock.now(),
      );
    case "refused":
      return answerRefused(context, row, outcome.message);
    case "unknown":
      await releaseLease(env, row);
      throw new Problem({
        code: "PROVIDER_UNAVAILABLE",
        detail: "The provider did not answer. The same Idempotency-Key resumes this request.",
        retryAfterSeconds: PROVIDER_RETRY_SECONDS,
      });
  }
}

/** The terms of a charge, as the company's object takes them with the first move. */
export function chargeTerms(row: TransactionRow): ChargeTerms {
  return {
    transactionId: row.id,
    amount: row.amount,
    paymentMethod: row.paymentMethod,
    installments: row.installments,
    status: row.version === 0 ? row.status : "waiting_payment",
    fee: { basisPoints: row.feeBasisPoints, fixed: row.feeFixed },
    releaseDays: row.releaseDays,
  };
}

/** The object first, which announces it; then the answer that belongs to the key. */
async function answerRefused(
  context: { env: Env; deps: Dependencies; traceId: string },
  row: TransactionRow,
  message: string,
): Promise<TransactionRow> {
  const { env, deps, traceId } = context;
  await callCompany(env, row.companyId, (account) =>
    account.endCharge({ companyId: row.companyId, terms: chargeTerms(row), to: "failed" }),
  );
  const problem = { code: "CHARGE_REFUSED" as const, detail: message };
  return answerTransaction(
    env,
    row,
    { status: "failed", pix: null, failure: { problem, traceId } },
    deps.clock.now(),
  );
}

async function askProvider(
  provider: Provider,
  row: TransactionRow,
  company: Company,
  traceId: string,
): Promise<ChargeOutcome> {
  assert(row.expiresAt !== null, "a charge has an expiry");
  const order = {
    chargeId: providerChargeId(row.id),
    amount: row.amount,
    paymentMethod: row.paymentMethod,
    merchantName: company.name,
    payer: toTransactionRecord(row).payer,
    expiresAt: row.expiresAt,
  };
  const { name } = provider;
  return answerOf(provider.createCharge(order), {
    provider: name,
    companyId: company.id,
    traceId,
  });
}

async function takeOverExpired(
  env: Env,
  row: TransactionRow,
  nowMs: number,
): Promise<TransactionRow | null> {
  return row.leaseUntil > nowMs ? null : takeOver(env, row, nowMs + CREATE_LEASE_MS);
}

const CARD_LAST_DIGITS = 4;

/** What makes two requests the same: of a card only its last digits and expiry, never number or CVV. */
function fingerprintOf({ card, ...request }: CreateTransactionRequest) {
  if (card === undefined) return request;
  const { number, cvv: _cvv, holderName: _holderName, ...rest } = card;
  return { ...request, card: { ...rest, lastDigits: number?.slice(-CARD_LAST_DIGITS) } };
}

function checkBusinessRules(request: CreateTransactionRequest, company: Company): void {
  const installments = request.installments ?? 1;
  const max = request.paymentMethod === "CREDIT_CARD" ? INSTALLMENTS_MAX : 1;
  if (installments > max) {
    throw new Problem({
      code: "INSTALLMENTS_NOT_ALLOWED",
      detail: `${request.paymentMethod} takes at most ${max} installments.`,
      errors: { installments: [`must be at most ${max} for ${request.paymentMethod}`] },
    });
  }
  if (request.card?.number !== undefined && company.mode === "live") {
    throw new Problem({
      code: "RAW_CARD_NOT_ALLOWED",
      detail: "A live company sends card.token, never a card number.",
    });
  }
}
