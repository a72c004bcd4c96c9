import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { MAX_BOLETO_CENTS } from "../../methods/boleto/boleto.ts";
import { cardOf } from "../../methods/card/card.ts";
import type { Company } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import type { Env } from "../../config.ts";
import type { Dependencies, Guess } from "../../http/context.ts";
import { confirm, StaleCredentials } from "../../http/auth/guess.ts";
import { keyInProgress, keyReused } from "../../http/idempotency.ts";
import { assert } from "../../lib/assert.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import type { Provider } from "../../providers/provider.ts";
import { asDecided, chargeCard, registerCharge, resumeCard } from "./charge.ts";
import { CREATE_LEASE_MS, draftTransaction } from "./draft.ts";
import { cardOrder, rawCard } from "./method-schemas.ts";
import { claimTransaction, findUnderKey, takeOver, type TransactionDraft } from "./repository.ts";
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
  guess: Guess | null;
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
  if (company.chargesStopped) await checkIsClaimed(command);
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
  let row = await claimAsPresent(command, draft);
  for (const waitMs of [...IN_PROGRESS_WAITS_MS, null]) {
    if (row.requestHash !== requestHash) throw keyReused();
    if (row.answeredAt !== null) {
      return { row: await asDecided(env, row), replayed: row.id !== draft.id };
    }
    const isFirst = row.id === draft.id;
    const mine = isFirst ? row : await takeOverExpired(env, row, deps.clock.now());
    if (mine !== null) {
      return { row: await finish(command, provider, mine, isFirst), replayed: false };
    }
    if (waitMs === null) break;
    await scheduler.wait(waitMs);
    row = await claimAsPresent(command, draft);
  }
  throw keyInProgress();
}

/**
 * The claim is what judges the credentials, read or kept: by old ones nothing is claimed, and no charge
 * is registered at a PSP that the company has left.
 */
async function claimAsPresent({ env, company, guess }: CreateCommand, draft: TransactionDraft) {
  const row = await claimTransaction(env, draft, company.credentialsVersion);
  if (row === null) throw new StaleCredentials(null);
  confirm(guess);
  return row;
}

/** What was begun goes on, and what was answered is answered again, however full storage is. */
async function checkIsClaimed({ env, company, idempotencyKey }: CreateCommand): Promise<void> {
  const row = idempotencyKey === null ? null : await findUnderKey(env, company.id, idempotencyKey);
  if (row !== null) return;
  throw new Problem({
    code: "STORAGE_FULL",
    detail:
      "The storage of this company is nearly full, and what is left is for its open charges. No new charge is begun until the operator has made room; payments, refunds and withdraws go on.",
    retryAfterSeconds: STORAGE_RETRY_SECONDS,
  });
}

/** What was answered under a key stays, also where nobody carries the method any more. */
async function replayWithoutProvider(
  { env, company, request, idempotencyKey }: CreateCommand,
  requestHash: string,
): Promise<CreateResult> {
  const row = idempotencyKey === null ? null : await findUnderKey(env, company.id, idempotencyKey);
  if (row === null || row.answeredAt === null) {
    throw new Problem({
      code: "PROVIDER_NOT_CONFIGURED",
      detail: `This company has no provider for ${request.paymentMethod}.`,
    });
  }
  if (row.requestHash !== requestHash) throw keyReused();
  return { row: await asDecided(env, row), replayed: true };
}

/** A create that is ours to finish: just claimed, or left by somebody who did not live to. */
function finish(
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

async function takeOverExpired(
  env: Env,
  row: TransactionRow,
  nowMs: number,
): Promise<TransactionRow | null> {
  return row.leaseUntil > nowMs ? null : takeOver(env, row, nowMs + CREATE_LEASE_MS);
}

/** What makes two requests the same: of a card its brand, last digits and expiry, never number or CVV. */
function fingerprintOf({ card, ...request }: CreateTransactionRequest) {
  if (card === undefined) return request;
  const { number: _number, cvv: _cvv, holderName: _holderName, ...rest } = card;
  const raw = rawCard(card);
  if (raw === null) return { ...request, card: rest };
  const { brand, lastDigits } = cardOf(raw);
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
  if (request.paymentMethod === "BOLETO" && request.amount > MAX_BOLETO_CENTS) {
    throw new Problem({
      code: "AMOUNT_TOO_LARGE",
      detail: `A boleto is of at most ${MAX_BOLETO_CENTS} centavos.`,
      errors: { amount: [`must be at most ${MAX_BOLETO_CENTS} for BOLETO`] },
    });
  }
  if (request.card?.number !== undefined && company.mode === "live") {
    throw new Problem({
      code: "RAW_CARD_NOT_ALLOWED",
      detail: "A live company sends card.token, never a card number.",
    });
  }
}
