import { z } from "@hono/zod-openapi";
import { CREATE_STATUSES } from "../../domain/charges/charge-status.ts";
import { UNEXPECTED_STATUSES } from "../../domain/charges/unexpected-payment.ts";
import { DISPUTE_STATUS_WORDS } from "../../domain/disputes/dispute.ts";
import { LINK_STATUSES } from "../../domain/links/payment-link.ts";
import {
  SUBSCRIPTION_JOURNEYS,
  SUBSCRIPTION_STATUSES,
} from "../../domain/subscriptions/subscription.ts";
import { WITHDRAW_STATUSES } from "../../domain/withdraws/withdraw-status.ts";
import { isoTimeText } from "../../http/fields/fields.ts";
import { RequesterSchema } from "../../http/fields/requester.ts";
import { Balance, LedgerAnchor } from "../balance/schemas.ts";
import { disputeFields } from "../disputes/schemas.ts";
import { PaymentLinkSchema } from "../payment-links/schemas.ts";
import { UnexpectedPayment } from "../payments/schemas.ts";
import { chargeFields } from "../subscriptions/charge-schemas.ts";
import { EventMandate } from "../subscriptions/mandates/mandate-schema.ts";
import { SubscriptionSchema } from "../subscriptions/schemas.ts";
import { Transaction } from "../transactions/schemas.ts";
import { Withdraw } from "../withdraws/schemas.ts";

const companyId = z.int().openapi({ example: 1 });
const BEFORE = { description: "The status before the event; null where there was none." };
const nothingBefore = z.null().openapi(BEFORE);
const { id, slug, name, status, maxPayments, paidCount, metadata } = PaymentLinkSchema.shape;
const {
  ledgerSequence: _line,
  ledgerHash: _hash,
  ledgerAnchor: _anchor,
  ...balance
} = Balance.shape;

export const TransactionData = z
  .object({
    ...Transaction.shape,
    previousStatus: z.enum(CREATE_STATUSES).openapi("TransactionStatus"),
  })
  .openapi("TransactionEventData", { description: "The transaction as it stood at the event." });

export const WithdrawData = z
  .object({ ...Withdraw.shape, previousStatus: z.enum(WITHDRAW_STATUSES) })
  .openapi("WithdrawEventData", { description: "The withdraw as it stood at the event." });

export const DisputeData = z
  .object({
    companyId,
    ...disputeFields,
    previousStatus: z.enum(DISPUTE_STATUS_WORDS).nullable().openapi(BEFORE),
  })
  .openapi("DisputeEventData", { description: "The dispute, without its evidence." });

export const PaymentData = z
  .object({
    companyId,
    ...UnexpectedPayment.shape,
    previousStatus: z.enum(UNEXPECTED_STATUSES).nullable().openapi(BEFORE),
  })
  .openapi("PaymentEventData", { description: "The unexpected payment." });

export const PaymentLinkData = z
  .object({
    id,
    companyId,
    slug,
    name,
    status,
    previousStatus: z.enum(LINK_STATUSES).openapi("PaymentLinkStatus"),
    maxPayments,
    paidCount,
    metadata,
    transactionId: z.string().nullable().openapi({ format: "uuid" }),
    amount: z.int().nullable().openapi({ description: "centavos of this payment" }),
  })
  .openapi("PaymentLinkEventData", { description: "The link, and the payment that came." });

const subscription = SubscriptionSchema.shape;

export const SubscriptionData = z
  .object({
    id: subscription.id,
    companyId,
    externalRef: subscription.externalRef,
    status: subscription.status,
    previousStatus: z.enum(SUBSCRIPTION_STATUSES).nullable().openapi(BEFORE),
    description: subscription.description,
    amount: subscription.amount,
    minimumAmount: subscription.minimumAmount,
    period: subscription.period,
    journey: z.enum(SUBSCRIPTION_JOURNEYS),
    mandate: EventMandate,
    metadata: subscription.metadata,
    charge: z.object(chargeFields).nullable().openapi({
      description: "The charge that the event is about; null of any other event.",
    }),
  })
  .openapi("SubscriptionEventData", { description: "The subscription, without its payer." });

export const FreezeData = z
  .object({
    companyId,
    reason: z.string(),
    by: RequesterSchema,
    frozen: z
      .object({ withdraws: z.boolean(), charges: z.boolean() })
      .openapi({ description: "What is frozen now. `withdraws`: every way out of the money." }),
    previousStatus: z.enum(["active", "frozen"]),
  })
  .openapi("FreezeEventData");

export const SettingsData = z
  .object({
    companyId,
    applicationId: z.string().nullable().openapi({
      description: "The application whose limits they are; null for the company's settings.",
    }),
    changes: z.array(
      z.object({
        field: z.string(),
        from: z.unknown(),
        to: z.unknown(),
        effectiveAt: isoTimeText.openapi({ description: "Until then it can be refused." }),
      }),
    ),
    requestedBy: RequesterSchema,
    previousStatus: nothingBefore,
  })
  .openapi("SettingsEventData", { description: "What was loosened, and from when it holds." });

export const BalanceData = z
  .object({
    ...balance,
    releasedCents: z.int().openapi({ description: "centavos that became available" }),
    releases: z.array(
      z.object({
        transactionId: z.string().openapi({ format: "uuid" }),
        installment: z.int(),
        amountCents: z.int().openapi({ description: "centavos" }),
      }),
    ),
    previousStatus: balance.enBalanceStatus,
  })
  .openapi("BalanceEventData", { description: "The balance right after, in reais." });

export const AnchorData = z
  .object({ companyId, ...LedgerAnchor.shape, previousStatus: nothingBefore })
  .openapi("AnchorEventData", { description: "The signed head of the company's ledger." });

export const TestData = z
  .object({
    id: z.int().openapi({ description: "Counts the company's tests, from 1." }),
    companyId,
    url: z.string(),
    previousStatus: nothingBefore,
  })
  .openapi("TestEventData");
