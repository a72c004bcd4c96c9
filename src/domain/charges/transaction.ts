import type { CancelReason, ChargeStatus, PaymentMethod, RefundReason } from "./charge-status.ts";
import type { Fee } from "../ledger/fees.ts";
import type { FailureReason } from "./failure-reason.ts";
import type { ChargedCard, PaymentDetails, PixCharge, RefusedReason } from "./payment-details.ts";
import { companyIdOfTransactionId, hyphenateUuid } from "../shared/ids.ts";
import type { Cents, CURRENCY } from "../shared/money.ts";
import type { Requester } from "../access/requester.ts";
import type { ApprovalStatus } from "../withdraws/withdraw-status.ts";

/** Postal address of a payer; `""` where nothing was sent. */
export interface Address {
  street: string;
  streetNumber: string;
  complement: string;
  zipCode: string;
  neighborhood: string;
  city: string;
  state: string;
  country: string;
}

/** The payer's data as the create request gave it. Never changes later. */
export interface Payer {
  externalId: string | null;
  name: string;
  email: string;
  phone: string;
  documentNumber: string;
  documentType: string;
  address: Partial<Address>;
}

export interface Item {
  title?: string | undefined;
  unitPrice?: Cents | undefined;
  quantity?: number | undefined;
  tangible?: boolean | undefined;
  externalRef?: string | undefined;
}

export const REFUND_STATUSES = ["PENDING", "DONE", "FAILED"] as const;

/** Money on its way back to the payer, wholly or in part. Times epoch milliseconds. */
export interface Refund {
  id: string;
  amount: Cents;
  status: (typeof REFUND_STATUSES)[number];
  createdAt: number;
  /** Who asked; absent from one from before requesters were stored, and from one made at the provider itself. */
  requestedBy?: Requester;
  /** Absent where it needs none. */
  approval?: ApprovalStatus;
  /** Who approved or refused it. */
  decidedBy?: Requester;
  /** The provider's id of the dispute that it stands instead of; absent of any other. */
  insteadOf?: string;
}

/**
 * The id under which a refund that others than this service asked for is kept and shown: its own is
 * unique within its payment only (BACEN `devolucao.id`).
 */
export function externalRefundId(paymentId: string, refundId: string): string {
  return `${paymentId}:${refundId}`;
}

/** Whether a shown id is of such a refund; those that this service asked for have UUIDs. */
export function isExternalRefundId(id: string): boolean {
  return id.includes(":");
}

export const DISPUTE_STATUSES = ["OPEN", "WON", "LOST"] as const;

/** The payer's bank asks the money back (PIX: MED). The newest one of a transaction. */
export interface Dispute {
  id: string;
  amount: Cents;
  status: (typeof DISPUTE_STATUSES)[number];
  createdAt: number;
}

/** Who paid, as the provider reports it. The whole document is never stored. */
export interface PaidBy {
  name: string | null;
  /** A CPF or CNPJ with some of its digits replaced by `*`. */
  documentMasked: string | null;
  /** The eight digits of the payer's institution (BACEN ISPB). */
  ispb: string | null;
}

export const PAYER_MATCHES = ["matches", "differs", "unknown"] as const;
/** Whether the document of who paid is the charge's customer's. */
export type PayerMatch = (typeof PAYER_MATCHES)[number];

/** The state of a transaction after its creation; owned by the company's Durable Object. */
export interface ChargeState {
  status: ChargeStatus;
  /** 0 until the first transition; grows by one with each. */
  version: number;
  updatedAt: number;
  paidAt: number | null;
  paidAmount: Cents;
  /** The day (`YYYY-MM-DD`, America/Sao_Paulo) whose totals count the payment; null until it is paid. */
  bookedDay: string | null;
  refundedAmount: Cents;
  /** Of the PIX that paid it (BACEN). */
  endToEndId: string | null;
  /** Null until it is paid, and where the provider does not say who paid. */
  paidBy: PaidBy | null;
  /** Null until it is paid. */
  payerMatch: PayerMatch | null;
  /** Why it failed or was refused; null otherwise. */
  failureReason: FailureReason | null;
  /** The acquirer's number of the sale. */
  externalNsu: string | null;
  /** Null for other methods, and until the acquirer has named the card. */
  card: ChargedCard | null;
  refusedReason: RefusedReason | null;
  cancelReason: CancelReason | null;
  refundReason: RefundReason | null;
  /** Oldest first, failed ones included. */
  refunds: Refund[];
  dispute: Dispute | null;
}

/** The merchant's own fields of a charge. Stored once, at its creation. */
interface MerchantFields {
  postbackUrl: string;
  traceable: boolean;
  ip: string | null;
}

/** The same fields as a create request may send them. */
type RequestMerchantFields = {
  [Name in keyof MerchantFields]: NonNullable<MerchantFields[Name]>;
};
type SentMerchantFields = {
  [Name in keyof MerchantFields]?: RequestMerchantFields[Name] | undefined;
};

/** What the merchant's fields mean where a request leaves them out; to send it changes nothing. */
export const MERCHANT_DEFAULTS: RequestMerchantFields = {
  postbackUrl: "",
  traceable: false,
  ip: "",
};

/** The stored merchant's fields of a create request. */
export function merchantFields(sent: SentMerchantFields): MerchantFields {
  const {
    postbackUrl = MERCHANT_DEFAULTS.postbackUrl,
    traceable = MERCHANT_DEFAULTS.traceable,
    ip = MERCHANT_DEFAULTS.ip,
  } = sent;
  return { postbackUrl, traceable, ip: ip === "" ? null : ip };
}

/** A transaction as D1 keeps it. Times are epoch milliseconds, amounts centavos. */
export interface TransactionRecord extends ChargeState, MerchantFields, PaymentDetails {
  id: string;
  companyId: number;
  seq: number;
  leadNumber: number;
  leadUuid: string;
  externalRef: string;
  amount: Cents;
  currency: typeof CURRENCY;
  paymentMethod: PaymentMethod;
  installments: number;
  metadata: string | null;
  payer: Payer;
  items: Item[];
  provider: ProviderName;
  /** The account at the provider that it was made with. */
  account: string;
  secureRandom: string;
  /** The fee and release terms of the company when the charge was made; they stay with it. */
  feeBasisPoints: number;
  feeFixed: Cents;
  releaseDays: number;
  createdAt: number;
  expiresAt: number | null;
  /** The 44 digits of the fiscal document (DF-e) that the merchant linked; null without one. */
  fiscalKey: string | null;
  /** The static code whose payment it is; null for any other transaction. */
  staticCodeId: string | null;
  /** The payment link that it was made under; null for any other transaction. */
  paymentLinkId: string | null;
  /** The checkout of that link whose reservation it has. */
  checkoutId: string | null;
  /** Whether its texts (`ArchivedTexts`) have left D1 for the archive. */
  archived: boolean;
  /** Whether its texts are missing here, because the archive could not be read. */
  textsMissing: boolean;
}

/** What leaves D1 with a closed charge. Nothing that a list shows, filters or prices by, but for the address. */
export type ArchivedTexts = Pick<TransactionRecord, "items" | "metadata" | "pix" | "boleto"> & {
  address: Payer["address"];
  returnUrl: string | null;
};

/** The part of a transaction that lists and searches show. Only its payer may be long; archived, it has no address. */
export type ListedTransaction = Pick<
  TransactionRecord,
  | "id"
  | "companyId"
  | "seq"
  | "leadNumber"
  | "leadUuid"
  | "externalRef"
  | "amount"
  | "currency"
  | "paymentMethod"
  | "installments"
  | "payer"
  | "boleto"
  | "provider"
  | "createdAt"
  | "expiresAt"
  | "status"
  | "updatedAt"
  | "paidAt"
  | "paidAmount"
  | "refundedAmount"
  | "endToEndId"
  | "cancelReason"
  | "refusedReason"
  | "failureReason"
  | "fiscalKey"
  | "archived"
> & {
  /** Its due date and terms, and its subscription only. */
  pix: Pick<PixCharge, "due" | "subscriptionId"> | null;
};

/** `enSubIntegration`: who carries a company's charges and payouts. */
export const PROVIDER_NAMES = ["Sandbox", "PixApi", "EfiCobrancas", "PagarMe"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** The terms of a charge, which the Durable Object keeps from its first transition on. Immutable. */
export interface ChargeTerms {
  transactionId: string;
  amount: Cents;
  paymentMethod: PaymentMethod;
  installments: number;
  status: ChargeStatus;
  fee: Fee;
  releaseDays: number;
  /** The account at its provider that it was made with. */
  account: string;
  /** As far as the request gave it. */
  card: ChargedCard | null;
  /** Bytes of its texts in each of its events. */
  textBytes: number;
}

/** So many accounts may be asked for one charge: as many as its ids tell apart. */
export const ATTEMPTS_MAX = 8;
/** The place of a UUID's version among its 32 digits, and the version of a transaction's. */
const VERSION_AT = 12;
const FIRST_VERSION = 8;

/**
 * The id a provider knows a charge by: the transaction's UUID without hyphens (BACEN txid, 26-35). Each further account
 * that is asked for it knows it by an id of its own, the second with 9 in place of the version, up to `f`.
 */
export function providerChargeId(transactionId: string, attempt = 1): string {
  const id = transactionId.replaceAll("-", "");
  const version = (FIRST_VERSION - 1 + attempt).toString(16);
  return attempt === 1 ? id : id.slice(0, VERSION_AT) + version + id.slice(VERSION_AT + 1);
}

/** The transaction, its company and the attempt that a charge's id at a provider names; null if it is not ours. */
export function transactionOfCharge(
  chargeId: string,
): { id: string; companyId: number; attempt: number } | null {
  const attempt = Number.parseInt(chargeId.charAt(VERSION_AT), 16) - FIRST_VERSION + 1;
  const first = `${chargeId.slice(0, VERSION_AT)}${FIRST_VERSION}${chargeId.slice(VERSION_AT + 1)}`;
  const id = hyphenateUuid(first);
  const companyId = companyIdOfTransactionId(id);
  return companyId === null || !(attempt >= 1) ? null : { id, companyId, attempt };
}

export function initialChargeState(nowMs: number): ChargeState {
  return {
    status: "creating",
    version: 0,
    updatedAt: nowMs,
    paidAt: null,
    paidAmount: 0,
    bookedDay: null,
    refundedAmount: 0,
    endToEndId: null,
    paidBy: null,
    payerMatch: null,
    failureReason: null,
    externalNsu: null,
    card: null,
    refusedReason: null,
    cancelReason: null,
    refundReason: null,
    refunds: [],
    dispute: null,
  };
}
