import type { CancelReason, ChargeStatus, PaymentMethod, RefundReason } from "./charge-status.ts";
import type { Cents } from "./money.ts";

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

/** What the payer was called and where it lived when the transaction was made. Never changes later. */
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

/** What a provider returned when it registered a PIX charge. */
export interface PixCharge {
  qrcode: string;
  url: string | null;
  expirationDate: number;
}

/** What of a transaction moves after its creation; owned by the company's Durable Object. */
export interface ChargeState {
  status: ChargeStatus;
  /** 0 until the first move; grows by one with each. */
  version: number;
  updatedAt: number;
  paidAt: number | null;
  paidAmount: Cents;
  refundedAmount: Cents;
  endToEndId: string | null;
  cancelReason: CancelReason | null;
  refundReason: RefundReason | null;
}

/** A transaction as D1 keeps it. Times are epoch milliseconds, amounts centavos. */
export interface TransactionRecord extends ChargeState {
  id: string;
  companyId: number;
  seq: number;
  leadNumber: number;
  leadUuid: string;
  externalRef: string;
  amount: Cents;
  currency: string;
  paymentMethod: PaymentMethod;
  installments: number;
  postbackUrl: string;
  metadata: string | null;
  traceable: boolean;
  ip: string | null;
  payer: Payer;
  items: Item[];
  provider: ProviderName;
  pix: PixCharge | null;
  secureRandom: string;
  createdAt: number;
  expiresAt: number | null;
}

/** `enSubIntegration`: who carries a company's charges and payouts. */
export const PROVIDER_NAMES = ["Sandbox", "PixApi"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** The terms of a charge that the Durable Object keeps from the first move on. Immutable. */
export interface ChargeTerms {
  transactionId: string;
  amount: Cents;
  paymentMethod: PaymentMethod;
  status: ChargeStatus;
}

/** The id a provider knows a charge by: the transaction's UUID without hyphens (BACEN txid, 26-35). */
export function providerChargeId(transactionId: string): string {
  return transactionId.replaceAll("-", "");
}

export function initialChargeState(nowMs: number): ChargeState {
  return {
    status: "creating",
    version: 0,
    updatedAt: nowMs,
    paidAt: null,
    paidAmount: 0,
    refundedAmount: 0,
    endToEndId: null,
    cancelReason: null,
    refundReason: null,
  };
}
