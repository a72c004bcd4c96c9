import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { MAX_BOLETO_AMOUNT_CENTS } from "../../methods/boleto/boleto.ts";
import { truncateCard } from "../../methods/card/card.ts";
import type { Company } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import type { Env } from "../../config.ts";
import type { Dependencies, CachedAuth } from "../../http/context.ts";
import { markVerified, StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import { keyInProgress, keyReused } from "../../http/idempotency.ts";
import { assert } from "../../lib/assert.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import type { Provider } from "../../providers/provider.ts";
import { withAcquirerDecision, chargeCard, registerCharge, resumeCard } from "./charge.ts";
import { CREATE_LEASE_MS, draftTransaction } from "./draft.ts";
import { cardOrder, rawCard } from "./method-schemas.ts";
import {
  claimTransaction,
  findByIdempotencyKey,
  stealLease,
  type TransactionDraft,
} from "./repository.ts";
import type { CreateTransactionRequest } from "./schemas.ts";

const INSTALLMENTS_MAX = 12;
/** When a client may try again whose company's storage is full: an operator makes room within hours. */
const STORAGE_RETRY_SECONDS = 3_600;
/**
 * How a request waits for a first one with its key that still runs: 2 s in all, so that a burst of
 * retries sees one answer instead of a row of conflicts.
 */
const IN_PROGRESS_WAITS_MS = [50, 100, 200, 400, 600, 650];

export interface CreateCommand {
  env: Env;
  deps: Dependencies;
  company: Company;
  /** What the company's credentials were guessed by; null where they were read. */
  cachedAuth: CachedAuth | null;
  request: CreateTransactionRequest;
  idempotencyKey: string | null;
  /** Where the request came in: a boleto's slip is shown there. */
  origin: string;
  traceId: string;
}

export interface CreateResult {
  row: TransactionRow;
  replayed: boolean;
}

/**
 * Creates a transaction once per idempotency key: claim in D1, register at the provider under an id
 * fixed by the claim, write the answer. Whoever repeats the request resumes where it stopped.
 * Throws 422 for business rules, 409 for the key, 503 where the provider gave no answer or storage is full.
 */
export async function createTransaction(command: CreateCommand): Promise<CreateResult> {
  const { env, deps, company, request } = command;
  checkBusinessRules(request, company);
  if (company.chargesStopped) await requireExistingClaim(command);
  const requestHash = await sha256Hex(canonicalJson(fingerprintOf(request)));
  const provider = deps.providers(env).forCharge(company, request.paymentMethod);
  if (provider === null) return replayWithoutProvider(command, requestHash);
  const draft = draftTransaction({
    request,
    company,
    provider,
    idempotencyKey: command.idempotencyKey,
    requestHash,
    origin: command.origin,
    deps,
  });
  let row = await claimWithCurrentVersion(command, draft);
  for (const waitMs of [...IN_PROGRESS_WAITS_MS, null]) {
    if (row.requestHash !== requestHash) throw keyReused();
    if (row.answeredAt !== null) {
      return { row: await withAcquirerDecision(env, row), replayed: row.id !== draft.id };
    }
    const isFirst = row.id === draft.id;
    const leased = isFirst ? row : await stealExpiredLease(env, row, deps.clock.now());
    if (leased !== null) {
      return { row: await finishCreate(command, provider, leased, isFirst), replayed: false };
    }
    if (waitMs === null) break;
    await scheduler.wait(waitMs);
    row = await claimWithCurrentVersion(command, draft);
  }
  throw keyInProgress();
}

/**
 * The claim is what judges the credentials, read or kept: by old ones nothing is claimed, and no charge
 * is registered at a PSP that the company has left.
 */
async function claimWithCurrentVersion(
  { env, company, cachedAuth }: CreateCommand,
  draft: TransactionDraft,
) {
  const row = await claimTransaction(env, draft, company.credentialsVersion);
  if (row === null) throw new StaleVersionError(null);
  markVerified(cachedAuth);
  return row;
}

/** What was begun goes on, and what was answered is answered again, however full storage is. */
async function requireExistingClaim({
  env,
  company,
  idempotencyKey,
}: CreateCommand): Promise<void> {
  const row =
    idempotencyKey === null ? null : await findByIdempotencyKey(env, company.id, idempotencyKey);
  if (row !== null) return;
  throw new Problem({
    code: "STORAGE_FULL",
    detail:
      "The company's storage is nearly full. The gateway accepts no new charge until the operator has made room. Payments, refunds and withdraws continue.",
    retryAfterSeconds: STORAGE_RETRY_SECONDS,
  });
}

/** What was answered under a key stays, also where nobody carries the method any more. */
async function replayWithoutProvider(
  { env, company, request, idempotencyKey }: CreateCommand,
  requestHash: string,
): Promise<CreateResult> {
  const row =
    idempotencyKey === null ? null : await findByIdempotencyKey(env, company.id, idempotencyKey);
  if (row === null || row.answeredAt === null) {
    throw new Problem({
      code: "PROVIDER_NOT_CONFIGURED",
      detail: `This company has no provider for ${request.paymentMethod}.`,
    });
  }
  if (row.requestHash !== requestHash) throw keyReused();
  return { row: await withAcquirerDecision(env, row), replayed: true };
}

/** A create that is ours to finish: just claimed, or left by somebody who did not live to. */
function finishCreate(
  context: CreateCommand,
  provider: Provider,
  row: TransactionRow,
  isFirst: boolean,
): Promise<TransactionRow> {
  const { card, installments } = context.request;
  if (row.paymentMethod !== "CREDIT_CARD") return registerCharge(context, provider, row);
  assert(card !== undefined, "a card charge has its card");
  const order = cardOrder(card, installments ?? 1);
  return isFirst
    ? chargeCard(context, provider, row, order)
    : resumeCard(context, provider, row, order);
}

async function stealExpiredLease(
  env: Env,
  row: TransactionRow,
  nowMs: number,
): Promise<TransactionRow | null> {
  return row.leaseUntil > nowMs ? null : stealLease(env, row, nowMs + CREATE_LEASE_MS);
}

/** What makes two requests the same: of a card its brand, last digits and expiry, never number or CVV. */
function fingerprintOf({ card, ...request }: CreateTransactionRequest) {
  if (card === undefined) return request;
  const { number: _number, cvv: _cvv, holderName: _holderName, ...rest } = card;
  const raw = rawCard(card);
  if (raw === null) return { ...request, card: rest };
  const { brand, lastDigits } = truncateCard(raw);
  return { ...request, card: { ...rest, brand, lastDigits } };
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
  if (request.paymentMethod === "BOLETO" && request.amount > MAX_BOLETO_AMOUNT_CENTS) {
    throw new Problem({
      code: "AMOUNT_TOO_LARGE",
      detail: `The amount of a boleto must be at most ${MAX_BOLETO_AMOUNT_CENTS} centavos.`,
      errors: { amount: [`must be at most ${MAX_BOLETO_AMOUNT_CENTS} for BOLETO`] },
    });
  }
  if (request.card?.number !== undefined && company.mode === "live") {
    throw new Problem({
      code: "RAW_CARD_NOT_ALLOWED",
      detail: "A live company must send card.token, not a card number.",
    });
  }
}
