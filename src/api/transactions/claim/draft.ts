import { newSecureRandom, newTransactionId } from "../../../domain/shared/ids.ts";
import { parseDocument } from "../../../domain/shared/document.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { CURRENCY } from "../../../domain/shared/money.ts";
import { NO_PAYMENT_DETAILS } from "../../../domain/charges/payment-details.ts";
import {
  initialChargeState,
  merchantFields,
  type Payer,
} from "../../../domain/charges/transaction.ts";
import type { CompanyDependencies } from "../../../http/context.ts";
import { metadataText } from "../../../http/fields/fields.ts";
import type { Provider } from "../../../providers/provider.ts";
import { methodOf } from "../../../methods/registry.ts";
import type { TransactionDraft } from "./repository.ts";
import type { CreateTransactionRequest } from "../schemas.ts";

/** A create counts as running for so long; after it a repeated request takes the create over. */
export const CREATE_LEASE_MS = 30_000;
/** The cron's first check of a create: its lease is over by then, with a margin. */
const FIRST_SWEEP_AFTER_MS = 2 * CREATE_LEASE_MS;

/** A payer's checkout under a payment link. */
export interface LinkReservation {
  linkId: string;
  checkoutId: string;
  /** A keyed hash of the payer's network address (`addressHash`). */
  address: string;
}

/** The new row of a valid request: defaults filled in, the payer's data as sent. */
export function draftTransaction(input: {
  /** Fixed beforehand; a new one where it is left out. */
  id?: string;
  request: CreateTransactionRequest;
  company: Company;
  provider: Pick<Provider, "name" | "account">;
  idempotencyKey: string | null;
  requestHash: string;
  /** Identifies the payer within the company (`payerKeyOfRequest`). */
  leadKey: string | null;
  origin: string;
  /** The request's; null where a payment makes the charge. */
  traceId: string | null;
  /** The reservation of a payment link that the charge is made for. */
  link?: LinkReservation | undefined;
  deps: Pick<CompanyDependencies, "clock" | "random">;
}): TransactionDraft {
  const { request, company, deps } = input;
  const nowMs = deps.clock.now();
  const id = input.id ?? newTransactionId(company.id, nowMs, deps.random);
  const { paymentMethod } = request;
  return {
    ...initialChargeState(nowMs),
    id,
    companyId: company.id,
    externalRef: nonEmpty(request.externalRef) ?? request.customer?.externalRef ?? "",
    amount: request.amount,
    currency: request.currency ?? CURRENCY,
    paymentMethod,
    ...NO_PAYMENT_DETAILS,
    ...methodOf(paymentMethod).draft(request, { nowMs, origin: input.origin }),
    installments: request.installments ?? 1,
    ...merchantFields(request),
    metadata: request.metadata === undefined ? null : metadataText(request.metadata),
    payer: payerOf(request),
    shippingFee: request.shipping?.fee ?? null,
    returnUrl: nonEmpty(request.returnUrl) ?? null,
    traceId: input.traceId,
    items: request.items ?? [],
    fiscalKey: request.fiscalKey ?? null,
    staticCodeId: null,
    paymentLinkId: input.link?.linkId ?? null,
    checkoutId: input.link?.checkoutId ?? null,
    provider: input.provider.name,
    account: input.provider.account,
    secureRandom: newSecureRandom(deps.random),
    feeBasisPoints: company.terms.fees[paymentMethod].basisPoints,
    feeFixed: company.terms.fees[paymentMethod].fixed,
    releaseDays: company.terms.releaseDays[paymentMethod],
    idempotencyKey: input.idempotencyKey,
    requestHash: input.requestHash,
    leadKey: input.leadKey,
    leaseUntil: nowMs + CREATE_LEASE_MS,
    nextSweepAt: nowMs + FIRST_SWEEP_AFTER_MS,
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

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
