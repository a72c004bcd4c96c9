import { newSecureRandom, newTransactionId, newUuid } from "../../domain/ids.ts";
import { parseDocument } from "../../domain/document.ts";
import type { Company } from "../../domain/company.ts";
import { CURRENCY } from "../../domain/money.ts";
import { initialChargeState, type Payer, type ProviderName } from "../../domain/transaction.ts";
import type { Dependencies } from "../../http/context.ts";
import { metadataText } from "../../http/fields.ts";
import type { TransactionDraft } from "./repository.ts";
import type { CreateTransactionRequest } from "./schemas.ts";

const DAY_MS = 86_400_000;
const PIX_EXPIRY_DAYS = 1;
/** "Running" is a lease of 30 s (`product.md` section 4). */
export const CREATE_LEASE_MS = 30_000;
/** When the sweep resumes a create that nobody finished: after its lease, with a margin. */
export const CREATE_SWEEP_MS = 2 * CREATE_LEASE_MS;

/** The row a valid request asks for: defaults filled in, payer as it was called at the time. */
export function draftTransaction(input: {
  request: CreateTransactionRequest;
  company: Company;
  provider: ProviderName;
  idempotencyKey: string | null;
  requestHash: string;
  deps: Dependencies;
}): TransactionDraft {
  const { request, company, deps } = input;
  const nowMs = deps.clock.now();
  const id = newTransactionId(company.id, nowMs, deps.random);
  const payer = payerOf(request);
  const days = request.pix?.expiresInDays ?? PIX_EXPIRY_DAYS;
  const { fee } = request.shipping ?? {};
  return {
    ...initialChargeState(nowMs),
    id,
    companyId: company.id,
    externalRef: request.externalRef ?? request.customer?.externalRef ?? "",
    amount: request.amount,
    currency: request.currency ?? CURRENCY,
    paymentMethod: request.paymentMethod,
    installments: request.installments ?? 1,
    postbackUrl: request.postbackUrl ?? "",
    metadata: request.metadata === undefined ? null : metadataText(request.metadata),
    traceable: request.traceable ?? false,
    ip: request.ip === undefined || request.ip === "" ? null : request.ip,
    payer,
    shipping: fee === undefined ? null : { fee },
    items: request.items ?? [],
    provider: input.provider,
    secureRandom: newSecureRandom(deps.random),
    feeBasisPoints: company.terms.fees[request.paymentMethod].basisPoints,
    feeFixed: company.terms.fees[request.paymentMethod].fixed,
    releaseDays: company.terms.releaseDays[request.paymentMethod],
    expiresAt: nowMs + days * DAY_MS,
    idempotencyKey: input.idempotencyKey,
    requestHash: input.requestHash,
    leadMatchKey: leadMatchKey(request, payer, id),
    newLeadUuid: newUuid(deps.random),
    leaseUntil: nowMs + CREATE_LEASE_MS,
    sweepAt: nowMs + CREATE_SWEEP_MS,
    nowMs,
  };
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

/** One payer of one company: known by document, else by `customer.id`, else new. */
function leadMatchKey(request: CreateTransactionRequest, payer: Payer, id: string): string {
  if (payer.documentNumber !== "") return documentMatchKey(payer.documentNumber);
  const customerId = nonEmpty(request.customer?.id);
  return customerId === undefined ? `tx:${id}` : `id:${customerId}`;
}

export function documentMatchKey(documentNumber: string): string {
  return `doc:${documentNumber}`;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
