import { newSecureRandom, newTransactionId } from "../../domain/shared/ids.ts";
import type { BoletoTerms } from "../../methods/boleto/boleto.ts";
import { boletoExpiresAt } from "../../methods/boleto/boleto-terms.ts";
import { truncateCard } from "../../methods/card/card.ts";
import { parseDocument } from "../../domain/shared/document.ts";
import type { Company } from "../../domain/shared/company.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { initialChargeState, type Payer } from "../../domain/charges/transaction.ts";
import type { Dependencies } from "../../http/context.ts";
import { metadataText } from "../../http/fields/fields.ts";
import type { Provider } from "../../providers/provider.ts";
import { boletoTerms, rawCard } from "./method-schemas.ts";
import type { TransactionDraft } from "./repository.ts";
import type { CreateTransactionRequest } from "./schemas.ts";

const DAY_MS = 86_400_000;
const PIX_EXPIRY_DAYS = 1;
/** How long acquirers commonly hold the money of a card that was only authorized. */
const AUTHORIZATION_DAYS = 7;
/** "Running" is a lease of 30 s (`product.md` section 4). */
export const CREATE_LEASE_MS = 30_000;
/** When the cron first looks at a create: its lease is over by then, with a margin. */
const FIRST_SWEEP_AFTER_MS = 2 * CREATE_LEASE_MS;

/** The row a valid request asks for: defaults filled in, payer as it was called at the time. */
export function draftTransaction(input: {
  request: CreateTransactionRequest;
  company: Company;
  provider: Pick<Provider, "name" | "account">;
  idempotencyKey: string | null;
  requestHash: string;
  origin: string;
  deps: Dependencies;
}): TransactionDraft {
  const { request, company, deps } = input;
  const nowMs = deps.clock.now();
  const id = newTransactionId(company.id, nowMs, deps.random);
  const payer = payerOf(request);
  const { card, paymentMethod } = request;
  const terms = paymentMethod === "BOLETO" ? boletoTerms(request.boleto, nowMs) : null;
  const raw = paymentMethod === "CREDIT_CARD" && card !== undefined ? rawCard(card) : null;
  return {
    ...initialChargeState(nowMs),
    id,
    companyId: company.id,
    externalRef: request.externalRef ?? request.customer?.externalRef ?? "",
    amount: request.amount,
    currency: request.currency ?? CURRENCY,
    paymentMethod,
    card: raw === null ? null : { ...truncateCard(raw), authorizationCode: null },
    boleto: terms === null ? null : { ...terms, origin: input.origin, registered: null },
    installments: request.installments ?? 1,
    postbackUrl: request.postbackUrl ?? "",
    metadata: request.metadata === undefined ? null : metadataText(request.metadata),
    traceable: request.traceable ?? false,
    ip: request.ip === undefined || request.ip === "" ? null : request.ip,
    payer,
    shippingFee: request.shipping?.fee ?? null,
    items: request.items ?? [],
    provider: input.provider.name,
    account: input.provider.account,
    secureRandom: newSecureRandom(deps.random),
    feeBasisPoints: company.terms.fees[paymentMethod].basisPoints,
    feeFixed: company.terms.fees[paymentMethod].fixed,
    releaseDays: company.terms.releaseDays[paymentMethod],
    expiresAt: expiryOf(request, terms, nowMs),
    idempotencyKey: input.idempotencyKey,
    requestHash: input.requestHash,
    leadKey: leadKeyOf(request, payer),
    leaseUntil: nowMs + CREATE_LEASE_MS,
    nextSweepAt: nowMs + FIRST_SWEEP_AFTER_MS,
    nowMs,
  };
}

/** Null of a card that is charged at once: there is nothing to wait for. */
function expiryOf(
  request: CreateTransactionRequest,
  boleto: BoletoTerms | null,
  nowMs: number,
): number | null {
  if (boleto !== null) return boletoExpiresAt(boleto);
  if (request.paymentMethod === "PIX") {
    return nowMs + (request.pix?.expiresInDays ?? PIX_EXPIRY_DAYS) * DAY_MS;
  }
  return request.card?.capture === false ? nowMs + AUTHORIZATION_DAYS * DAY_MS : null;
}

function payerOf(request: CreateTransactionRequest): Payer {
  const { customer, shipping } = request;
  const number = customer?.document?.number ?? "";
  const document = number === "" ? null : parseDocument(number, customer?.document?.type);
  const address = Object.fromEntries(
    Object.entries(shipping?.address ?? {}).filter(([, line]) => line !== undefined),
  );
  return {
    externalId: nonEmpty(customer?.externalRef) ?? nonEmpty(customer?.id) ?? null,
    name: customer?.name ?? "",
    email: customer?.email ?? "",
    phone: customer?.phone ?? "",
    documentNumber: document?.number ?? "",
    documentType: document?.type ?? "",
    address,
  };
}

/** One payer of one company: known by document, else by `customer.id`; null of one that is always new. */
function leadKeyOf(request: CreateTransactionRequest, payer: Payer): string | null {
  if (payer.documentNumber !== "") return documentLeadKey(payer.documentNumber);
  const customerId = nonEmpty(request.customer?.id);
  return customerId === undefined ? null : `id:${customerId}`;
}

export function documentLeadKey(documentNumber: string): string {
  return `doc:${documentNumber}`;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
