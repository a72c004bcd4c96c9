import {
  toCreateStatus,
  toDetailStatus,
  toListStatus,
  toPaymentSystem,
  type CreateStatus,
} from "../domain/charges/charge-status.ts";
import { transactionFailure } from "../domain/charges/failure-reason.ts";
import { isoTime } from "../domain/shared/clock.ts";
import { secureIdOf } from "../domain/shared/ids.ts";
import {
  isExternalRefundId,
  type Address,
  type ListedTransaction,
  type Refund,
  type TransactionRecord,
} from "../domain/charges/transaction.ts";
import { reaisText, type Cents } from "../domain/shared/money.ts";
import type { TransactionEvent } from "../domain/events/event-types.ts";
import { methodFields } from "./registry.ts";
import { isUnderpaid } from "./underpaid.ts";

/** What a view says of the service and the company beside the charge. */
export interface Issuer {
  providerCompanyId: string;
  /** The service's scheme, host and port; null where no configuration says it. */
  publicUrl: string | null;
}

/** `data` of the creation answer. Amounts in centavos. */
export function creationView(record: TransactionRecord, issuer: Issuer) {
  const secureId = secureIdOf(record.id, record.secureRandom);
  return {
    id: record.id,
    externalRef: record.externalRef,
    amount: record.amount,
    amountText: reaisText(record.amount),
    ...paidFields(record),
    refundedAmount: record.refundedAmount,
    providerCompanyId: issuer.providerCompanyId,
    companyId: record.companyId,
    installments: record.installments,
    paymentMethod: record.paymentMethod,
    status: toCreateStatus(record.status) satisfies CreateStatus,
    postbackUrl: record.postbackUrl,
    metadata: record.metadata,
    traceable: record.traceable,
    secureId,
    secureUrl: secureUrlOf(secureId, issuer.publicUrl),
    currency: record.currency,
    createdAt: isoTime(record.createdAt),
    updatedAt: isoTime(record.updatedAt),
    ...(record.paidAt === null ? {} : { paidAt: isoTime(record.paidAt) }),
    ...(record.cancelReason === null ? {} : { cancelReason: record.cancelReason }),
    ...(record.refundReason === null ? {} : { refundReason: record.refundReason }),
    ...failureFields(record),
    ...refundFields(record),
    ...(record.ip === null ? {} : { ip: record.ip }),
    endToEndId: record.endToEndId,
    externalNsu: record.externalNsu,
    ...payerFields(record),
    ...(record.staticCodeId === null ? {} : { staticCodeId: record.staticCodeId }),
    ...(record.paymentLinkId === null ? {} : { paymentLinkId: record.paymentLinkId }),
    ...subscriptionFields(record),
    ...(record.fiscalKey === null ? {} : { fiscalKey: record.fiscalKey }),
    ...methodFields(record),
    ...archiveFields(record),
  };
}

/**
 * `data` of the get-by-id call of our own: the creation answer as it is now, with what the request told of
 * the payer and the goods. `shippingFee` in centavos, null where none was sent; so is `returnUrl`.
 */
export function currentView(
  record: TransactionRecord,
  issuer: Issuer,
  { shippingFee, returnUrl }: { shippingFee: Cents | null; returnUrl: string | null },
) {
  const { payer } = record;
  return {
    ...creationView(record, issuer),
    returnUrl,
    expiresAt: record.expiresAt === null ? null : isoTime(record.expiresAt),
    customer: {
      externalRef: payer.externalId,
      name: payer.name,
      email: payer.email,
      phone: payer.phone,
      document: { number: payer.documentNumber, type: payer.documentType },
    },
    shipping: { fee: shippingFee, address: completeAddress(payer.address) },
    items: record.items,
  };
}

/**
 * `data` of a transaction's webhook: the creation answer as it stood at the event, and the status
 * before it.
 */
export function transactionEventData(
  record: TransactionRecord,
  issuer: Issuer,
  { previousStatus }: Pick<TransactionEvent, "previousStatus">,
) {
  return {
    ...creationView(record, issuer),
    previousStatus: toCreateStatus(previousStatus),
  };
}

/** The subscription whose cycle it is; no field of any other. */
function subscriptionFields({ pix }: Pick<ListedTransaction, "pix">) {
  return pix?.subscriptionId === undefined ? {} : { subscriptionId: pix.subscriptionId };
}

/** That its texts have left D1, and that they are missing here; neither of any other. */
function archiveFields(record: Pick<TransactionRecord, "archived" | "textsMissing">) {
  return {
    ...(record.archived ? { archived: true as const } : {}),
    ...(record.textsMissing ? { textsMissing: true as const } : {}),
  };
}

/** The address of the payer's page; null where the public address is not known. */
function secureUrlOf(secureId: string, publicUrl: string | null): string | null {
  return publicUrl === null ? null : `${publicUrl}/checkout/${secureId}`;
}

type PaidTransaction = Parameters<typeof isUnderpaid>[0];
type FailedTransaction = Parameters<typeof transactionFailure>[0];

/** The amount received (centavos, null before any), and whether less came than was due that day. */
function paidFields(record: PaidTransaction) {
  return {
    paidAmount: record.paidAt === null ? null : record.paidAmount,
    underpaid: isUnderpaid(record),
  };
}

/** Who paid, and whether it is the customer; neither stands where the provider says nothing of the payer. */
function payerFields({ paidBy, payerMatch }: TransactionRecord) {
  return paidBy === null ? {} : { payer: paidBy, payerMatch: payerMatch ?? ("unknown" as const) };
}

/** Why it failed or was refused; no field in any other status. */
function failureFields(record: FailedTransaction) {
  const failureReason = transactionFailure(record);
  return failureReason === null ? {} : { failureReason };
}

/** Refunds and the newest dispute; neither field stands before there is one. */
function refundFields(record: TransactionRecord) {
  const { refunds, dispute } = record;
  return {
    ...(refunds.length === 0
      ? {}
      : {
          refunds: refunds.map((refund) => refundView(record, refund)),
        }),
    ...(dispute === null ? {} : { dispute: { ...dispute, createdAt: isoTime(dispute.createdAt) } }),
  };
}

/** Who asked for a refund at the provider itself, only the provider knows. */
function refundView({ provider, account }: TransactionRecord, refund: Refund) {
  const { id, createdAt, approval = "none", decidedBy = null, ...shown } = refund;
  const atProvider = isExternalRefundId(id)
    ? ({ kind: "provider", id: account, name: provider } as const)
    : null;
  const requestedBy = refund.requestedBy ?? atProvider;
  return withIsoCreatedAt({ id, ...shown, requestedBy, approval, decidedBy }, createdAt);
}

function withIsoCreatedAt<Shown>(shown: Shown, createdAt: number): Shown & { createdAt: string } {
  return { ...shown, createdAt: isoTime(createdAt) };
}

/**
 * The record of the get-by-id call. `value` in centavos, as the contract documents it. The paid amount
 * and the refunds are ours, beyond the contract.
 */
export function detailView(record: TransactionRecord) {
  const { payer } = record;
  return {
    id: record.seq,
    leadId: record.leadNumber,
    lead: {
      id: record.leadNumber,
      name: payer.name,
      email: payer.email,
      phone: payer.phone,
      document: payer.documentNumber,
      address: completeAddress(payer.address),
    },
    companyId: record.companyId,
    enSubIntegration: record.provider,
    value: record.amount,
    ...paidFields(record),
    transactionId: record.id,
    gatewayPostbackUrl: record.postbackUrl,
    enStatusTransaction: toDetailStatus(record.status),
    enPaymentSystem: toPaymentSystem(record.paymentMethod),
    updateDate: isoTime(record.updatedAt).replace("Z", "+00:00"),
    createdAt: isoTime(record.createdAt),
    items: record.items,
    ...(record.refundedAmount === 0 ? {} : { refundedAmount: record.refundedAmount }),
    ...failureFields(record),
    ...refundFields(record),
    ...archiveFields(record),
  };
}

/** One entry of the list and of the search; an archived one has no address. */
export function listItemView(record: ListedTransaction) {
  const { payer } = record;
  const { address } = payer;
  return {
    id: record.seq,
    leadId: record.leadUuid,
    lead: {
      id: record.leadUuid,
      externalId: payer.externalId,
      name: payer.name,
      email: payer.email,
      phone: payer.phone,
      documentNumber: payer.documentNumber,
      documentType: payer.documentType,
      street: address.street ?? null,
      streetNumber: address.streetNumber ?? null,
      complement: address.complement ?? null,
      zipCode: address.zipCode ?? null,
      neighborhood: address.neighborhood ?? null,
      city: address.city ?? null,
      state: address.state ?? null,
      country: address.country ?? null,
    },
    amount: record.amount,
    ...paidFields(record),
    status: toListStatus(record.status),
    ...failureFields(record),
    paymentMethod: record.paymentMethod,
    providerTxId: record.id,
    externalRef: record.externalRef,
    endToEndId: record.endToEndId,
    ...subscriptionFields(record),
    createdAt: isoTime(record.createdAt),
    updatedAt: isoTime(record.updatedAt),
    ...(record.archived ? { archived: true as const } : {}),
  };
}

/** A payer's page polls often while money may come, and rarely afterwards. */
const POLL_OPEN_MS = 3_000;
const POLL_CLOSED_MS = 60_000;

/** What its status shows a payer of a transaction. */
export type PolledTransaction = Pick<
  ListedTransaction,
  "id" | "status" | "currency" | "expiresAt" | "updatedAt" | "cancelReason"
> &
  PaidTransaction &
  FailedTransaction;

/** The status of a transaction for a browser without credentials: no personal data. */
export function checkoutView(record: PolledTransaction) {
  const status = toListStatus(record.status);
  return {
    id: record.id,
    status,
    ...failureFields(record),
    paymentMethod: record.paymentMethod,
    amount: record.amount,
    ...paidFields(record),
    currency: record.currency,
    paidAt: record.paidAt === null ? null : isoTime(record.paidAt),
    expiresAt: record.expiresAt === null ? null : isoTime(record.expiresAt),
    pollAfterMs: status === "PENDING" ? POLL_OPEN_MS : POLL_CLOSED_MS,
  };
}

/** An address with every line; `""` where nothing was sent. */
export function completeAddress(address: Partial<Address>): Address {
  return {
    street: address.street ?? "",
    streetNumber: address.streetNumber ?? "",
    complement: address.complement ?? "",
    zipCode: address.zipCode ?? "",
    neighborhood: address.neighborhood ?? "",
    city: address.city ?? "",
    state: address.state ?? "",
    country: address.country ?? "",
  };
}
