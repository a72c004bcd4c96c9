import { EXAMPLE_WITHDRAW } from "../../../domain/events/api-examples.ts";
import { withdrawEventData } from "../../../domain/events/event-body.ts";

const ID = "01a1fda4-5e00-8d2c-9f31-6b1f0c000001";
const OPERATION_ID = "7c0f4a1e-2d3b-4c5a-9e8f-1a2b3c4d5e6f";
const END_TO_END_ID = "E00000000202611211201a1b2c3d4e5f";
const WEBHOOK_URL = "https://loja.example.com/webhooks";
const SENT_AT = "2026-11-21T12:01:30.000Z";

/** Examples by the member that holds them, for schemas that have none of their own. */
export const MEMBERS: Record<string, unknown> = {
  id: ID,
  action: "settings.change",
  address: "203.0.113.7",
  afterTransaction: ID,
  amount: 2_500,
  answer: "ok",
  city: "São Paulo",
  complement: "",
  country: "BR",
  documentNumber: "12345678909",
  documentType: "CPF",
  durationMs: 84,
  email: "maria@example.com",
  endToEndId: END_TO_END_ID,
  expirationMonth: 12,
  expirationYear: 2030,
  externalId: "pedido-1001",
  externalRef: "pedido-1001",
  frozen: false,
  hasMore: false,
  hash: "7bd5ce3a3c8f6ca561465bee30f4a917b104839aad291eaca9d368fba4387c6a",
  holderName: "MARIA DA SILVA",
  httpStatus: 200,
  ip: "203.0.113.7",
  leadId: "2bd38680-db00-4aae-adb8-8172f96bc15c",
  name: "Maria da Silva",
  neighborhood: "Centro",
  operationId: OPERATION_ID,
  paymentId: END_TO_END_ID,
  phone: "+5511987654321",
  pixKey: "maria@example.com",
  reason: "Confirmed with the bank.",
  secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  state: "SP",
  street: "Rua das Flores",
  streetNumber: "10",
  target: "application:app_local_loja",
  title: "Caneca",
  token: "tok_8Jp2vQm4Zc6x0a1bT9nKrw",
  traceId: "0af7651916cd43dd8448eb211c80319c",
  truncated: false,
  url: WEBHOOK_URL,
  zipCode: "01001000",
};

/** Examples by format. */
export const FORMATS: Record<string, string> = {
  date: "2026-11-21",
  "date-time": "2026-11-21T12:00:00.000Z",
};

/** Examples of parameters without one of their own: by name or, of a path's id, by the segment before it. */
export const PARAMETERS: Record<string, unknown> = {
  actor: "maria",
  after: "42",
  callbackToken: "cb_4f9c2e7a1b3d5f60",
  clientId: "app_local_loja",
  companyId: 1,
  document: "12345678909",
  fiscalKey: "35261112345678000195550010000001231000001235",
  from: "2026-11-20T00:00:00.000Z",
  ids: ID,
  payerName: "Maria",
  people: "op_5f0c8e4b1d2a4f6e9b7c3a1d0e8f6b42",
  search: "Loja",
  to: "2026-11-21T23:59:59.999Z",
  transactionId: ID,
  withdraws: "1",
  "X-Confirm-Duplicate": "41",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

const WEBHOOK = {
  type: "withdraw.paid",
  timestamp: SENT_AT,
  sequence: 3,
  data: withdrawEventData(
    { ...EXAMPLE_WITHDRAW, status: "Paid", version: 3, endToEndId: END_TO_END_ID },
    { previousStatus: "Processing" },
  ),
};
const EVENT = { id: "evt_1_42", companySequence: 42, ...WEBHOOK };
const DELIVERY = {
  id: "dlv_1_42_endpoint",
  eventId: EVENT.id,
  target: "endpoint",
  url: WEBHOOK_URL,
  status: "delivered",
  attempts: 1,
  nextAttemptAt: null,
  updatedAt: SENT_AT,
};

/** Whole examples by the component's name, where those of its parts would contradict each other. */
export const COMPONENTS: Record<string, unknown> = {
  ChangeCompanySettings: { withdrawDailyLimit: 500_000, withdrawApprovalAbove: 100_000 },
  Delivery: DELIVERY,
  EventDetail: {
    ...EVENT,
    deliveries: [
      {
        ...DELIVERY,
        tries: [
          {
            number: 1,
            createdAt: SENT_AT,
            durationMs: 84,
            httpStatus: 200,
            fault: null,
            answer: "ok",
          },
        ],
      },
    ],
  },
  Events: { items: [EVENT], after: "42", hasMore: false },
  OperatorDecision: {
    outcome: "done",
    reason: "Confirmed with the bank.",
    endToEndId: END_TO_END_ID,
  },
  OperatorWithdrawDecision: {
    outcome: "done",
    reason: "Confirmed with the bank.",
    endToEndId: END_TO_END_ID,
  },
  Reconciliation: {
    movement: 64,
    ledgerDone: true,
    afterTransaction: ID,
    afterWithdraw: 1,
    afterRecords: {
      dispute: "",
      payment: END_TO_END_ID,
      link: 0,
      subscription: 0,
      cycle: 0,
      contradiction: 0,
    },
    afterDay: "2026-11-21",
    afterSeq: 1,
    afterEvent: 42,
    copiesDone: true,
    compared: 2,
    repaired: 0,
    violations: [],
  },
  ResendWebhooks: { from: "2026-11-20T00:00:00.000Z", to: "2026-11-21T23:59:59.999Z" },
  SandboxPay: { amount: 2_500 },
  TransactionTimeline: {
    items: [
      {
        kind: "created",
        at: "2026-11-21T12:00:00.000Z",
        amount: 2_500,
        currency: "BRL",
        paymentMethod: "PIX",
        expiresAt: "2026-11-22T12:00:00.000Z",
      },
    ],
    hasMore: false,
    refundable: null,
  },
  Webhook: WEBHOOK,
  WithdrawDryRun: {
    dryRun: true,
    accepted: true,
    value: 10,
    fee: 0,
    currency: "BRL",
    pixKey: "maria@example.com",
    pixKeyType: "EMAIL",
    creditorDocument: "",
    balanceBefore: 150.25,
    balanceAfter: 140.25,
    approval: "none",
    checks: [{ check: "balance", passed: true, code: null, detail: "" }],
  },
};
