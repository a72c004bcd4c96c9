import type { DisputeRecord } from "../disputes/dispute.ts";
import type { LedgerAnchor } from "../ledger/anchor.ts";
import { NO_PAYMENT_DETAILS, type ChargedCard } from "../charges/payment-details.ts";
import {
  initialChargeState,
  merchantFields,
  type TransactionRecord,
} from "../charges/transaction.ts";
import type { ReceivedPayment } from "../charges/received-payment.ts";
import type { RequestedExit } from "../exits/exit-limits.ts";
import type { UnexpectedPayment } from "../charges/unexpected-payment.ts";
import type { WithdrawRecord } from "../withdraws/withdraw.ts";

/** Examples of the API reference. The views of real responses render them, so they are never out of date. */
const CREATED_AT = Date.UTC(2026, 10, 21, 12, 0, 0);
const DAY_MS = 86_400_000;
const ID = "01a1fda4-5e00-8d2c-9f31-6b1f0c000001";

/** The company and the service that the examples speak of. */
export const EXAMPLE_ISSUER = {
  providerCompanyId: "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01",
  publicUrl: "https://pay.example.com",
};

/** A create request without the fields of its payment method. */
export const EXAMPLE_PAYER_REQUEST = {
  amount: 2_500,
  currency: "BRL" as const,
  installments: 1,
  customer: {
    id: "cust_42",
    name: "Maria da Silva",
    email: "maria@example.com",
    document: { number: "12345678909", type: "CPF" as const },
    phone: "+5511987654321",
    externalRef: "pedido-1001",
  },
  shipping: {
    fee: 0,
    address: {
      street: "Rua das Flores",
      streetNumber: "10",
      complement: "",
      zipCode: "01001000",
      neighborhood: "Centro",
      city: "São Paulo",
      state: "SP",
      country: "BR",
    },
  },
  items: [{ title: "Caneca", unitPrice: 2_500, quantity: 1, tangible: true, externalRef: "sku-7" }],
  postbackUrl: "https://loja.example.com/webhooks",
  metadata: '{"pedido":1001}',
  traceable: true,
  ip: "203.0.113.7",
};

export const EXAMPLE_CREATE_REQUEST = {
  ...EXAMPLE_PAYER_REQUEST,
  paymentMethod: "PIX" as const,
  pix: { expiresInDays: 1 },
};

export const EXAMPLE_CARD: ChargedCard = {
  brand: "visa",
  firstDigits: "424242",
  lastDigits: "4242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2030,
  authorizationCode: "A1B2C3",
};

export const EXAMPLE_TRANSACTION: TransactionRecord = {
  ...initialChargeState(CREATED_AT),
  account: "sandbox",
  status: "waiting_payment",
  id: ID,
  companyId: 1,
  seq: 1,
  leadNumber: 1,
  leadUuid: "2bd38680-db00-4aae-adb8-8172f96bc15c",
  externalRef: "pedido-1001",
  amount: EXAMPLE_CREATE_REQUEST.amount,
  currency: "BRL",
  paymentMethod: "PIX",
  installments: 1,
  ...merchantFields(EXAMPLE_CREATE_REQUEST),
  metadata: EXAMPLE_CREATE_REQUEST.metadata,
  payer: {
    externalId: "pedido-1001",
    name: EXAMPLE_CREATE_REQUEST.customer.name,
    email: EXAMPLE_CREATE_REQUEST.customer.email,
    phone: EXAMPLE_CREATE_REQUEST.customer.phone,
    documentNumber: EXAMPLE_CREATE_REQUEST.customer.document.number,
    documentType: EXAMPLE_CREATE_REQUEST.customer.document.type,
    address: EXAMPLE_CREATE_REQUEST.shipping.address,
  },
  items: EXAMPLE_CREATE_REQUEST.items,
  provider: "Sandbox",
  ...NO_PAYMENT_DETAILS,
  pix: {
    qrcode:
      "00020101021226770014br.gov.bcb.pix2555pix.sandbox.example/v2/01a1fda45e008d2c9f316b1f0c000001520400005303986540525.005802BR5912Loja Exemplo6009SAO PAULO62070503***63048B1E",
    url: null,
    expirationDate: CREATED_AT + DAY_MS,
  },
  secureRandom: "WkXre6vK4RY9BsKcVsMZxg",
  feeBasisPoints: 0,
  feeFixed: 0,
  releaseDays: 0,
  createdAt: CREATED_AT,
  expiresAt: CREATED_AT + DAY_MS,
  fiscalKey: null,
  staticCodeId: null,
  paymentLinkId: null,
  checkoutId: null,
  archived: false,
  textsMissing: false,
};

export const EXAMPLE_WITHDRAW_REQUEST = {
  amount: 1_000,
  currency: "BRL" as const,
  pixKey: "maria@example.com",
  pixKeyType: "EMAIL" as const,
  description: "Repasse de novembro",
  metadata: '{"lote":7}',
};

export const EXAMPLE_WITHDRAW: WithdrawRecord = {
  id: 1,
  companyId: 1,
  payoutId: "9b2d5c3e-7a41-4f0e-9d63-58a1c2e4f6b8",
  idempotencyKey: "wd_01JD8ZC3",
  amount: EXAMPLE_WITHDRAW_REQUEST.amount,
  fee: 0,
  currency: "BRL",
  pixKey: EXAMPLE_WITHDRAW_REQUEST.pixKey,
  pixKeyType: "EMAIL",
  creditorDocument: "",
  description: EXAMPLE_WITHDRAW_REQUEST.description,
  metadata: EXAMPLE_WITHDRAW_REQUEST.metadata,
  status: "Awaiting",
  version: 1,
  endToEndId: null,
  failureReason: null,
  failureCode: null,
  paidAt: null,
  returnedAmount: 0,
  account: "first",
  approval: "none",
  requestedBy: { kind: "application", id: "app_local_loja", name: "default" },
  decidedBy: null,
  decisionReason: null,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
};

export const EXAMPLE_DISPUTE: DisputeRecord = {
  number: 1,
  id: "E00000000202611211201a1b2c3d4e5f:D1",
  kind: "DISPUTE",
  reason: "MED_FRAUD",
  transactionId: EXAMPLE_TRANSACTION.id,
  paymentId: null,
  amount: EXAMPLE_TRANSACTION.amount,
  held: EXAMPLE_TRANSACTION.amount,
  status: "OPEN",
  deadline: CREATED_AT + 7 * DAY_MS,
  openedAt: CREATED_AT,
  updatedAt: CREATED_AT,
  version: 1,
  evidence: null,
};

export const EXAMPLE_UNEXPECTED_PAYMENT: UnexpectedPayment = {
  number: 1,
  paymentId: "E00000000202611211201a1b2c3d4e5f",
  reason: "SECOND_PAYMENT",
  rule: "keep",
  amount: EXAMPLE_CREATE_REQUEST.amount,
  transactionId: ID,
  endToEndId: "E00000000202611211201a1b2c3d4e5f",
  payer: { name: "Maria da Silva", documentMasked: "***.456.789-**", ispb: "00000000" },
  receivedAt: CREATED_AT + 90_000,
  status: "kept",
  requestedBy: null,
  approval: "none",
  version: 1,
};

export const EXAMPLE_REQUESTED_EXIT: RequestedExit = {
  number: 1,
  id: "019aa6c0-5e00-4d2c-9f31-6b1f0c000001",
  kind: "refund",
  transactionId: ID,
  paymentId: EXAMPLE_UNEXPECTED_PAYMENT.paymentId,
  amount: EXAMPLE_CREATE_REQUEST.amount,
  status: "PENDING",
  approval: "pending",
  requestedBy: { kind: "application", id: "app_local_loja", name: "Loja" },
  decidedBy: null,
  decisionReason: null,
  createdAt: CREATED_AT + 90_000,
};

export const EXAMPLE_RECEIVED_PAYMENT: ReceivedPayment = {
  paymentId: EXAMPLE_UNEXPECTED_PAYMENT.paymentId,
  transactionId: ID,
  paymentMethod: "PIX",
  amount: EXAMPLE_CREATE_REQUEST.amount,
  paidAt: CREATED_AT + 90_000,
  paidBy: EXAMPLE_UNEXPECTED_PAYMENT.payer,
  status: "credited",
};

export const EXAMPLE_ANCHOR: LedgerAnchor = {
  day: "2026-11-22",
  sequence: 64,
  hash: "7bd5ce3a3c8f6ca561465bee30f4a917b104839aad291eaca9d368fba4387c6a",
  digest: "9ebf4e3f4b8de438e52099d52073227066923b14fabc74260b41d36ba9a9f482",
  signature:
    "TX7QhsTqbtCVPOeESfiD5LqW8zysBWHt2hi6bEdlWZkzM1FhXjLEOMqKmiJBI0N0NMCpNl2K+Q1O4gl7jweiBQ==",
  publicKey: "6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=",
};
