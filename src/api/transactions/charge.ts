import { callCompany } from "../../company-client/stub.ts";
import {
  chargeTerms,
  toTransactionRecord,
  type TransactionRow,
} from "../../db/projection/transaction-mapper.ts";
import { parseBoleto } from "../../methods/boleto/boleto-code-parser.ts";
import type { Company } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { assert } from "../../lib/assert.ts";
import { log } from "../../lib/log.ts";
import {
  callProvider,
  type CardOrder,
  type ChargeOrder,
  type ChargeOutcome,
  type Provider,
} from "../../providers/provider.ts";
import { releaseLease, saveProviderResult, type ProviderResult } from "./repository.ts";
import { applyCharge, syncCharge, type SyncOutcome } from "./sync.ts";

const PROVIDER_RETRY_SECONDS = 5;
/** When a card whose acquirer gave no answer is first asked about. */
const CARD_QUERY_AFTER_MS = 30_000;

export interface ChargeContext {
  env: Env;
  deps: Pick<Dependencies, "clock">;
  company: Company;
  traceId: string;
}

/**
 * Registers the charge of a claimed PIX or boleto at its provider and writes what came of it; whoever
 * repeats it names the same charge. Throws 503 where there was no answer.
 */
export async function registerCharge(
  context: ChargeContext,
  provider: Provider,
  row: TransactionRow,
): Promise<TransactionRow> {
  const outcome = await createAtProvider(context, provider, orderOf(row, context.company));
  if (outcome.kind === "refused") return finishRefused(context, row, outcome.message);
  if (outcome.kind !== "registered" || !matchesOrder(row, outcome)) {
    await releaseLease(context.env, row);
    throw new Problem({
      code: "PROVIDER_UNAVAILABLE",
      detail: "The provider did not answer. The same Idempotency-Key resumes this request.",
      retryAfterSeconds: PROVIDER_RETRY_SECONDS,
    });
  }
  const pix = "pix" in outcome ? outcome.pix : null;
  // A code that its provider lets be paid for longer, such as to the end of the day, is not over before.
  const expiresAt = Math.max(row.expiresAt ?? 0, pix?.expirationDate ?? 0);
  return saveResult(context, row, {
    status: "waiting_payment",
    pix,
    boleto: "boleto" in outcome ? { ...row.boleto!, registered: outcome.boleto } : null,
    failure: null,
    expiresAt,
  });
}

/**
 * Charges a claimed card. Without an answer the transaction stays `creating` and is asked about by its
 * own id, for its number and CVV are nowhere any more.
 */
export async function chargeCard(
  context: ChargeContext,
  provider: Provider,
  row: TransactionRow,
  card: CardOrder,
): Promise<TransactionRow> {
  const order = { ...orderBase(row, context.company), paymentMethod: "CREDIT_CARD" as const, card };
  const outcome = await createAtProvider(context, provider, order);
  if (outcome.kind === "refused") return finishRefused(context, row, outcome.message);
  const synced =
    outcome.kind === "decided"
      ? await applyCharge(context.env, row, outcome.charge, context.deps.clock.now())
      : "unknown";
  return finishCardCreate(context, row, synced);
}

/**
 * Goes on with the charge of a card that somebody may have sent before: it is asked about. Only where
 * the acquirer says that it knows none is it sent, and only by a request that has the card; without it
 * the row is answered only by what its acquirer says.
 */
export async function resumeCard(
  context: ChargeContext,
  provider: Provider,
  row: TransactionRow,
  card: CardOrder | null,
): Promise<TransactionRow> {
  const outcome = await syncCharge(context.env, provider, row, context.deps.clock.now());
  if (outcome === "not_found" && card !== null) return chargeCard(context, provider, row, card);
  if ((outcome === "not_found" || outcome === "unknown") && card === null) {
    // Whoever has the card may still send it, under its key.
    await releaseLease(context.env, row);
    return row;
  }
  return finishCardCreate(context, row, outcome);
}

/**
 * Whether a boleto can be paid as it was ordered: a line that does not fit would send a payer's money
 * elsewhere. Its provider is asked again, and loudly.
 */
function matchesOrder(
  row: TransactionRow,
  outcome: Extract<ChargeOutcome, { kind: "registered" }>,
): boolean {
  if ("pix" in outcome) return true;
  const { barcode, digitableLine } = outcome.boleto;
  const verdict = parseBoleto(digitableLine, row.boleto?.dueDate ?? "");
  const fits =
    verdict.valid &&
    verdict.content.barcode === barcode &&
    verdict.content.amount === row.amount &&
    verdict.content.dueDate === row.boleto?.dueDate;
  if (!fits) log("error", "boleto_mismatch", { companyId: row.companyId, transactionId: row.id });
  return fits;
}

/** The answer of a charge that its acquirer has decided, or of one that is still to be asked about. */
async function finishCardCreate(
  context: ChargeContext,
  row: TransactionRow,
  outcome: SyncOutcome,
): Promise<TransactionRow> {
  const { env, deps } = context;
  const isUndecided = outcome === "unknown" || outcome === "open" || outcome === "not_found";
  const queryAt = deps.clock.now() + CARD_QUERY_AFTER_MS;
  // One that was to be charged at once and is only authorized is not what was asked for yet.
  const authorizedUntil = outcome === "authorized" ? (row.expiresAt ?? queryAt) : null;
  const saved = await saveResult(context, row, {
    status: isUndecided ? "creating" : outcome,
    pix: null,
    boleto: null,
    failure: null,
    nextSweepAt: isUndecided ? queryAt : authorizedUntil,
  });
  return withAcquirerDecision(env, saved);
}

/**
 * An answered row with what its acquirer has decided. Where the drain has not told D1 yet, that stands
 * in the object.
 */
export async function withAcquirerDecision(env: Env, row: TransactionRow): Promise<TransactionRow> {
  const isProjected = row.version > 0 || row.answeredStatus === "creating";
  if (row.paymentMethod !== "CREDIT_CARD" || isProjected) return row;
  const state = await callCompany(env, row.companyId, (account) => account.findCharge(row.id));
  return { ...row, ...state };
}

/** The object first, which announces it; then the answer that belongs to the key. */
async function finishRefused(
  context: ChargeContext,
  row: TransactionRow,
  message: string,
): Promise<TransactionRow> {
  const { env, traceId } = context;
  await callCompany(env, row.companyId, (account) =>
    account.transitionCharge({ companyId: row.companyId, terms: chargeTerms(row), to: "failed" }),
  );
  const problem = { code: "CHARGE_REFUSED" as const, detail: message };
  return saveResult(context, row, {
    status: "failed",
    pix: null,
    boleto: row.boleto,
    failure: { problem, traceId },
    nextSweepAt: null,
  });
}

function saveResult({ env, deps }: ChargeContext, row: TransactionRow, result: ProviderResult) {
  return saveProviderResult(env, row, result, deps.clock.now());
}

async function createAtProvider(
  { company, traceId }: ChargeContext,
  provider: Provider,
  order: ChargeOrder,
): Promise<ChargeOutcome> {
  return callProvider(provider.createCharge(order), {
    provider: provider.name,
    companyId: company.id,
    traceId,
  });
}

function orderOf(row: TransactionRow, company: Company): ChargeOrder {
  const { boleto, expiresAt } = row;
  assert(expiresAt !== null, "a charge to be paid by its payer has an expiry");
  const base = { ...orderBase(row, company), expiresAt };
  if (row.paymentMethod === "PIX") return { ...base, paymentMethod: "PIX" };
  assert(row.paymentMethod === "BOLETO" && boleto !== null, "a boleto has its terms");
  return { ...base, paymentMethod: "BOLETO", boleto };
}

function orderBase(row: TransactionRow, company: Company) {
  return {
    chargeId: providerChargeId(row.id),
    amount: row.amount,
    merchantName: company.name,
    payer: toTransactionRecord(row).payer,
  };
}
