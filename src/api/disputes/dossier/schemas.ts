import { z } from "@hono/zod-openapi";
import { ACCOUNTS, TRANSACTION_MOVEMENT_TYPES } from "../../../domain/ledger/ledger.ts";
import { PAYER_MATCHES } from "../../../domain/charges/transaction.ts";
import { DELIVERY_STATUSES } from "../../../db/schema/webhooks.ts";
import { EVENT_TYPES } from "../../../domain/events/event-types.ts";
import { deliveryTarget, isoTimeText } from "../../../http/fields/fields.ts";
import {
  EXAMPLE_DISPUTE,
  EXAMPLE_ISSUER,
  EXAMPLE_TRANSACTION,
} from "../../../domain/events/api-examples.ts";
import { company, EXAMPLE_SIGNATURE, Signature } from "../../receipts/schemas.ts";
import { Item, Transaction } from "../../transactions/schemas.ts";
import { Timeline } from "../../transactions/timeline/schemas.ts";
import { Dispute, disputeFields } from "../schemas.ts";
import { dossierDocument, DOSSIER_MAX, type DossierParts } from "./document.ts";
import { PaidBySchema } from "../../transactions/schemas.ts";

const { companyId, createdAt: CREATED_AT } = EXAMPLE_TRANSACTION;
const EXAMPLE_PARTS: DossierParts = {
  company: { id: companyId, name: "Loja Exemplo", ...EXAMPLE_ISSUER },
  dispute: EXAMPLE_DISPUTE,
  charge: {
    record: EXAMPLE_TRANSACTION,
    creation: { ...EXAMPLE_TRANSACTION, answer: null },
    history: { eventSequence: 0, entries: [], movements: [], hasMore: false },
  },
  log: { events: [], deliveries: [] },
  showsWebhooks: true,
};

const leftOut = z.int().openapi({ description: "How many of the list's middle are left out." });

const Payer = z
  .object({
    externalId: z.string().nullable(),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    documentNumber: z.string(),
    documentType: z.string(),
    address: z.record(z.string(), z.string()),
    paidBy: z.union([PaidBySchema, z.null()]).openapi({
      description: "Who paid, as the PSP says; null where it does not.",
    }),
    payerMatch: z.enum(PAYER_MATCHES).nullable(),
  })
  .openapi("DossierPayer", {
    description: "The customer of the charge; masked without `pii:read`.",
  });

const Posting = z
  .object({
    movement: z.int().openapi({ description: "Of the movement in the company's ledger." }),
    at: isoTimeText,
    type: z.enum(TRANSACTION_MOVEMENT_TYPES),
    postings: z.array(z.object({ account: z.enum(ACCOUNTS), amount: z.int() })),
    hash: z.string().openapi({
      description:
        "SHA-256 of the movement and of the hash before it, as in the statement: an anchor proves it.",
    }),
  })
  .openapi("DossierPosting");

const Webhook = z
  .object({
    id: z.string().openapi({ example: "evt_1_42" }),
    type: z.enum(EVENT_TYPES),
    sequence: z.int(),
    at: isoTimeText,
    deliveries: z.array(
      z.object({
        id: z.string().openapi({ example: "dlv_1_42_endpoint" }),
        target: deliveryTarget,
        status: z.enum(DELIVERY_STATUSES),
        attempts: z.int(),
        tries: z.array(
          z.object({
            number: z.int(),
            at: isoTimeText,
            durationMs: z.int(),
            httpStatus: z.int().nullable(),
            fault: z.string().nullable(),
          }),
        ),
      }),
    ),
  })
  .openapi("DossierWebhook");

export const Dossier = z
  .object({
    type: z.literal("dispute_dossier"),
    company,
    dispute: z.object(disputeFields),
    transaction: z.union([Transaction, z.null()]),
    payer: z.union([Payer, z.null()]),
    items: z.array(Item),
    timeline: Timeline.shape.items.openapi({
      description: "As the transaction's timeline, without the attempts.",
    }),
    postings: z.array(Posting),
    webhooks: z
      .array(Webhook)
      .nullable()
      .openapi({ description: "Null without the scope `webhooks:read`." }),
    evidence: Dispute.shape.evidence,
    leftOut: z
      .object({ timeline: leftOut, postings: leftOut, webhooks: leftOut, items: leftOut })
      .openapi({ description: `The lists have at most ${Object.values(DOSSIER_MAX).join(", ")}.` }),
    createdAt: isoTimeText,
    signature: Signature,
  })
  .openapi("Dossier", {
    example: { ...dossierDocument(EXAMPLE_PARTS, CREATED_AT), signature: EXAMPLE_SIGNATURE },
  });
