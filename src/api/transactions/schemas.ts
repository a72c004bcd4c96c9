import { APPROVAL_STATUSES } from "../../domain/withdraws/withdraw-status.ts";
import { NullableRequester } from "../../http/fields/requester.ts";
import { z } from "@hono/zod-openapi";
import {
  CREATE_STATUSES,
  DETAIL_STATUSES,
  LIST_STATUSES,
  PAYMENT_METHODS,
  PAYMENT_SYSTEMS,
} from "../../domain/charges/charge-status.ts";
import { DOCUMENT_TYPES, parseDocument } from "../../domain/shared/document.ts";
import {
  EXAMPLE_CREATE_REQUEST,
  EXAMPLE_ISSUER,
  EXAMPLE_TRANSACTION,
} from "../../domain/events/api-examples.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import {
  DISPUTE_STATUSES,
  PAYER_MATCHES,
  PROVIDER_NAMES,
  REFUND_STATUSES,
} from "../../domain/charges/transaction.ts";
import { MAX_URL_LENGTH } from "../../domain/events/webhook-target.ts";
import {
  isoTimeText,
  currency,
  EXAMPLE_PAGE_REQUEST,
  EVEN_AFTER_OTHER_ERRORS,
  EMAIL_MAX,
  isEmail,
  integer,
  metadata,
  NAME_MAX,
  pageEnvelope,
  pageSchema,
  text,
  TEXT_MAX,
} from "../../http/fields/fields.ts";
import {
  archiveFields,
  failureFields,
  listedArchiveFields,
  paidFields,
} from "../../http/fields/transaction-fields.ts";
import { requestFields, responseFields } from "../../methods/registry.ts";
import { creationView, detailView, listItemView } from "../../methods/transaction-view.ts";
import { SubscriptionAttempt } from "../subscriptions/attempt-schema.ts";
import { fiscalKeyField } from "./fiscal-link/schemas.ts";
import { requireMethodFields } from "./method-fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

const ITEMS_MAX = 100;
const QUANTITY_MAX = 1_000_000;
const TWO_LETTERS = /^(?:[A-Za-z]{2})?$/;
const METHOD_NAMES = `${PAYMENT_METHODS.slice(0, -1).join(", ")} or ${PAYMENT_METHODS.at(-1)}`;

const cents = (min: number) => integer(min, MAX_AMOUNT_CENTS, "centavos");

const twoLetterCode = z
  .string({ error: breaks("string") })
  .regex(TWO_LETTERS, breaks("twoLetters"));

const Address = z.object({
  street: text(TEXT_MAX).optional(),
  streetNumber: text(TEXT_MAX).optional(),
  complement: text(TEXT_MAX).optional(),
  zipCode: text(TEXT_MAX).optional(),
  neighborhood: text(TEXT_MAX).optional(),
  city: text(TEXT_MAX).optional(),
  state: twoLetterCode.optional().openapi({ example: "SP" }),
  country: twoLetterCode.optional().openapi({ example: "BR" }),
});

const Document = z
  .object({
    number: text(TEXT_MAX).optional().openapi({ example: "12345678909" }),
    type: z.enum(DOCUMENT_TYPES, { error: breaks("value", { values: "CPF or CNPJ" }) }).optional(),
  })
  .superRefine((document, context) => {
    const number = document.number ?? "";
    if (number !== "" && parseDocument(number, document.type) === null) {
      context.addIssue({
        code: "custom",
        path: ["number"],
        message: breaks("documentOf", { type: document.type ?? "CPF or CNPJ" }),
      });
    }
  });

const Customer = z.object({
  id: text(TEXT_MAX).optional(),
  name: text(NAME_MAX).optional().openapi({ example: "Maria da Silva" }),
  email: text(EMAIL_MAX)
    .refine((value) => value === "" || isEmail(value), breaks("email"))
    .optional()
    .openapi({ example: "maria@example.com" }),
  document: Document.optional(),
  phone: text(TEXT_MAX).optional(),
  externalRef: text(TEXT_MAX).optional(),
});

export const Item = z
  .object({
    title: text(TEXT_MAX).optional(),
    unitPrice: cents(0).optional(),
    quantity: integer(1, QUANTITY_MAX, "").optional(),
    tangible: z.boolean({ error: breaks("boolean") }).optional(),
    externalRef: text(TEXT_MAX).optional(),
  })
  .openapi("Item");

const ipAddress = z.union([z.ipv4(), z.ipv6(), z.literal("")], {
  error: breaks("ipAddress"),
});

/** The create request. It checks and drops unknown fields, but changes no known one. */
export const CreateTransaction = z
  .object({
    amount: cents(1).openapi({ example: 2500, description: "centavos" }),
    currency: currency.optional().openapi({ example: "BRL" }),
    paymentMethod: z
      .enum(PAYMENT_METHODS, { error: breaks("value", { values: METHOD_NAMES }) })
      .openapi("PaymentMethod"),
    installments: integer(1, Number.MAX_SAFE_INTEGER, "").optional().openapi({ example: 1 }),
    externalRef: text(TEXT_MAX).optional(),
    customer: Customer.optional(),
    shipping: z.object({ fee: cents(0).optional(), address: Address.optional() }).optional(),
    items: z
      .array(Item, { error: breaks("array") })
      .max(ITEMS_MAX, breaks("maxItems", { max: ITEMS_MAX, things: "items" }))
      .optional(),
    ...requestFields,
    postbackUrl: text(MAX_URL_LENGTH).optional(),
    returnUrl: text(MAX_URL_LENGTH)
      .optional()
      .openapi({
        description:
          "Where the payer's page leads after the payment and after the expiry, with the signed query parameters " +
          "`transactionId`, `status`, `timestamp` and `signature`.",
        example: "https://loja.example.com/obrigado",
      }),
    metadata: metadata.optional(),
    traceable: z.boolean({ error: breaks("boolean") }).optional(),
    ip: ipAddress.optional().openapi({ type: "string", example: "203.0.113.7" }),
    fiscalKey: fiscalKeyField.optional(),
  })
  .superRefine(requireMethodFields, EVEN_AFTER_OTHER_ERRORS)
  .openapi("CreateTransactionInput", { example: EXAMPLE_CREATE_REQUEST });

export type CreateTransactionRequest = z.output<typeof CreateTransaction>;

const uuid = z
  .string()
  .openapi({ format: "uuid", example: "019aa6c0-5e00-8d2c-9f31-6b1f0c000001" });

/** How far a refund is. */
const refundStatus = z.enum(REFUND_STATUSES).openapi("RefundStatus");

const refundFields = {
  refunds: z
    .array(
      z
        .object({
          id: z.string().openapi({
            example: "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
            description:
              "A UUID; of a refund that was made at the provider itself, by other hands, the payment's " +
              "id and the refund's own, joined by a colon.",
          }),
          amount: z.int().openapi({ description: "centavos" }),
          status: refundStatus,
          createdAt: isoTimeText,
          requestedBy: NullableRequester,
          approval: z
            .enum(APPROVAL_STATUSES)
            .openapi({ description: "`pending`: somebody else must approve it (docs/api.md)." }),
          decidedBy: NullableRequester.openapi({ description: "Who approved or refused it." }),
          insteadOf: z.string().optional().openapi({
            description: "The dispute that it stands instead of; absent of any other.",
          }),
        })
        .openapi("Refund"),
    )
    .optional()
    .openapi({ description: "Oldest first; there once a refund was asked for." }),
  dispute: z
    .object({
      id: z.string(),
      amount: z.int().openapi({ description: "centavos" }),
      status: z.enum(DISPUTE_STATUSES).openapi("DisputeStatus"),
      createdAt: isoTimeText,
    })
    .openapi("TransactionDispute")
    .optional()
    .openapi({
      description: "The newest one; there once the payer's bank disputed the payment.",
    }),
};

/** Who paid, as the provider reports it. */
export const PaidBySchema = z
  .object({
    name: z.string().nullable().openapi({ description: "Masked without `pii:read`." }),
    documentMasked: z.string().nullable().openapi({ example: "***.456.789-**" }),
    ispb: z
      .string()
      .nullable()
      .openapi({ description: "The payer's institution (BACEN ISPB).", example: "00000000" }),
  })
  .openapi("PaidBy");

/** Who paid a transaction. */
const payerFields = {
  payer: PaidBySchema.optional().openapi({
    description: "Who paid; there once it is paid and the provider says so.",
  }),
  payerMatch: z
    .enum(PAYER_MATCHES)
    .optional()
    .openapi({
      description:
        "Whether the document of who paid is the customer's; of a masked one the visible digits are compared. " +
        "There with `payer`.",
    }),
  staticCodeId: z
    .string()
    .optional()
    .openapi({ format: "uuid", description: "The static code that was paid; else absent." }),
  subscriptionId: z.string().optional().openapi({
    format: "uuid",
    description: "The subscription whose cycle it is; else absent.",
  }),
  attempts: z.array(SubscriptionAttempt).optional().openapi({
    description:
      "Of a subscription's debit, oldest first, where the transaction is read. Events of the subscription tell of each.",
  }),
  paymentLinkId: z.string().optional().openapi({
    format: "uuid",
    description: "The payment link that it was made under; else absent.",
  }),
};

export const Transaction = z
  .object({
    id: uuid,
    externalRef: z.string(),
    amount: z.int().openapi({ example: 2500, description: "centavos" }),
    amountText: z.string().openapi({ example: "R$ 25,00", description: "`amount` in reais." }),
    warnings: z.array(z.string()).optional().openapi({
      description: "Of a sandbox company's create: what was accepted and is likely a mistake.",
    }),
    ...paidFields,
    refundedAmount: z.int().openapi({ example: 0, description: "centavos" }),
    providerCompanyId: z.string().openapi({ format: "uuid" }),
    companyId: z.int().nullable().openapi({ example: 1 }),
    installments: z.int().openapi({ example: 1 }),
    paymentMethod: z.enum(PAYMENT_METHODS).openapi("PaymentMethod"),
    status: z.enum(CREATE_STATUSES).openapi("TransactionStatus"),
    postbackUrl: z.string(),
    metadata: z.string().nullable(),
    traceable: z.boolean(),
    secureId: z.string().nullable(),
    secureUrl: z
      .string()
      .nullable()
      .openapi({ description: "The payer's page; null where the service has no public address." }),
    currency: z.string().openapi({ example: "BRL" }),
    createdAt: isoTimeText,
    updatedAt: isoTimeText,
    paidAt: isoTimeText.optional(),
    cancelReason: z.enum(["REQUESTED", "EXPIRED"]).optional(),
    refundReason: z.enum(["REQUESTED", "MED", "CHARGEBACK"]).optional(),
    ...failureFields,
    ...refundFields,
    ip: z.string().optional(),
    endToEndId: z.string().nullable(),
    externalNsu: z.string().nullable(),
    ...payerFields,
    fiscalKey: z
      .string()
      .optional()
      .openapi({ description: "The 44 digits of the linked fiscal document (DF-e)." }),
    ...responseFields,
    ...archiveFields,
  })
  .openapi("Transaction", {
    example: creationView(EXAMPLE_TRANSACTION, EXAMPLE_ISSUER),
  });

export const TransactionEnvelope = z
  .object({
    data: Transaction,
    status: z.int().openapi({ example: 200 }),
    message: z.string().openapi({ example: "Transaction created." }),
  })
  .openapi("TransactionEnvelope");

/** An address with every line, an unknown one empty. */
export const FullAddress = z
  .object({
    street: z.string(),
    streetNumber: z.string(),
    complement: z.string(),
    zipCode: z.string(),
    neighborhood: z.string(),
    city: z.string(),
    state: z.string(),
    country: z.string(),
  })
  .openapi("Address");

export const TransactionDetail = z
  .object({
    id: z.int().openapi({ example: 1 }),
    leadId: z.int().openapi({ example: 1 }),
    lead: z.object({
      id: z.int(),
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      document: z.string(),
      address: FullAddress,
    }),
    companyId: z.int(),
    enSubIntegration: z.enum(PROVIDER_NAMES),
    value: z.int().openapi({ example: 2500, description: "centavos" }),
    ...paidFields,
    transactionId: uuid,
    gatewayPostbackUrl: z.string(),
    enStatusTransaction: z.enum(DETAIL_STATUSES),
    enPaymentSystem: z.enum(PAYMENT_SYSTEMS),
    updateDate: z.string().openapi({ example: "2026-11-21T12:00:00.000+00:00" }),
    createdAt: isoTimeText,
    items: z.array(Item),
    refundedAmount: z.int().optional().openapi({ description: "centavos; there once it is not 0" }),
    ...failureFields,
    ...refundFields,
    ...archiveFields,
  })
  .openapi("TransactionDetail", { example: detailView(EXAMPLE_TRANSACTION) });

export const TransactionListItem = z
  .object({
    id: z.int(),
    leadId: z.string(),
    lead: z.object({
      id: z.string(),
      externalId: z.string().nullable(),
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      documentNumber: z.string(),
      documentType: z.string(),
      street: z.string().nullable(),
      streetNumber: z.string().nullable(),
      complement: z.string().nullable(),
      zipCode: z.string().nullable(),
      neighborhood: z.string().nullable(),
      city: z.string().nullable(),
      state: z.string().nullable(),
      country: z.string().nullable(),
    }),
    amount: z.int().openapi({ description: "centavos" }),
    ...paidFields,
    status: z.enum(LIST_STATUSES).openapi("ListedStatus"),
    ...failureFields,
    paymentMethod: z.enum(PAYMENT_METHODS).openapi("PaymentMethod"),
    providerTxId: uuid,
    externalRef: z.string(),
    endToEndId: z.string().nullable(),
    subscriptionId: payerFields.subscriptionId,
    createdAt: isoTimeText,
    updatedAt: isoTimeText,
    ...listedArchiveFields,
  })
  .openapi("TransactionListItem", { example: listItemView(EXAMPLE_TRANSACTION) });

export const TransactionPage = pageSchema(TransactionListItem).openapi("TransactionPage", {
  example: pageEnvelope([listItemView(EXAMPLE_TRANSACTION)], 1, EXAMPLE_PAGE_REQUEST),
});
