import { z } from "@hono/zod-openapi";
import { EXAMPLE_DISPUTE } from "../../domain/events/api-examples.ts";
import { MAX_URL_LENGTH } from "../../domain/events/webhook-target.ts";
import { DISPUTE_REASONS, DISPUTE_STATUS_WORDS } from "../../domain/disputes/dispute.ts";
import { RESPONSE_STATUSES } from "../../domain/disputes/dispute-response.ts";
import { answeredDisputeView } from "./views.ts";
import { EVIDENCE_FILE_TYPES } from "../../domain/disputes/evidence-file.ts";
import { EVIDENCE_LINKS_MAX, EVIDENCE_MAX_BYTES } from "../../domain/disputes/evidence.ts";
import { cursor, isoTimeText, pageLimit, text } from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

const KILOBYTES_MAX = EVIDENCE_MAX_BYTES / 1024;

const link = text(MAX_URL_LENGTH)
  .refine(isHttpsUrl, breaks("httpsUrl"))
  .openapi({ format: "uri", example: "https://loja.example.com/pedidos/1001" });

const delivery = z
  .record(z.string(), z.unknown(), { error: breaks("jsonObject") })
  .openapi({ description: "The proof of delivery, in the merchant's own fields." });

const EvidenceFile = z
  .object({
    id: z.uuid(),
    name: z.string().openapi({ example: "nota-fiscal.pdf" }),
    type: z.enum(EVIDENCE_FILE_TYPES).openapi({ description: "By the content." }),
    bytes: z.int(),
    sha256: z.string().openapi({ description: "Of the content, hex." }),
    addedAt: isoTimeText,
  })
  .openapi("DisputeEvidenceFile");

const Evidence = z
  .object({
    text: z.string().nullable(),
    links: z.array(z.string()),
    delivery: delivery.nullable(),
    files: z.array(EvidenceFile),
    submittedAt: isoTimeText,
  })
  .openapi("DisputeEvidence", {
    description:
      "Without `pii:read` the text, the values in `delivery` and the names of files are masked.",
  });

/** A dispute without its evidence. */
export const disputeFields = {
  id: z
    .string()
    .openapi({ description: "The provider's id, as in `dispute.id` of a transaction." }),
  transactionId: z.string().nullable().openapi({
    format: "uuid",
    description: "Null where it is about a payment that nobody expected.",
  }),
  paymentId: z
    .string()
    .nullable()
    .openapi({ description: "The payment that nobody expected; null for a transaction's." }),
  reason: z.enum(DISPUTE_REASONS),
  amount: z.int().openapi({ description: "centavos; what is asked back" }),
  held: z.int().openapi({ description: "centavos; what of it is blocked while it is open" }),
  status: z.enum(DISPUTE_STATUS_WORDS),
  deadline: isoTimeText.nullable().openapi({
    description:
      "Until when evidence is accepted: the provider's, for a MED by default seven days after it " +
      "was opened; null where nobody says.",
  }),
  openedAt: isoTimeText,
  updatedAt: isoTimeText,
};

const Response = z
  .object({
    id: z.uuid().openapi({ description: "What the bank knows it by." }),
    version: z.int().openapi({ description: "Of the dossiers sent for this dispute, from 1." }),
    status: z.enum(RESPONSE_STATUSES).openapi({
      description:
        "`sending`: whether the bank has it is not known yet. `accepted`: the payer's bank gave up. `refused`: the bank did " +
        "not take it, or decided for the payer. `withdrawn`: the case ended without a decision. `not_sent`: it does not " +
        "have it, and it is too late. " +
        "`no_answer`: it never said whether it has it, and the dispute is over.",
    }),
    answer: z.string().nullable().openapi({ description: "The bank's own words." }),
    sentAt: isoTimeText,
    answeredAt: isoTimeText
      .nullable()
      .openapi({ description: "When the bank's word last changed." }),
  })
  .openapi("DisputeResponse", { description: "The newest dossier that was sent to the bank." });

const EXAMPLE = answeredDisputeView(EXAMPLE_DISPUTE, null);

export const Dispute = z
  .object({
    ...disputeFields,
    evidence: z.union([Evidence, z.null()]),
    response: z.union([Response, z.null()]),
  })
  .openapi("Dispute", { example: EXAMPLE });

export const DisputeEnvelope = z.object({ data: Dispute }).openapi("DisputeEnvelope");

export const Disputes = z
  .object({
    items: z.array(Dispute),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("Disputes", {
    example: { items: [EXAMPLE], after: null, hasMore: false },
  });

export const DisputesQuery = z.object({
  status: z
    .enum(DISPUTE_STATUS_WORDS, {
      error: breaks("value", { values: DISPUTE_STATUS_WORDS.join(", ") }),
    })
    .optional(),
  after: cursor.optional(),
  limit: pageLimit,
});

export const EvidenceBody = z
  .object({
    text: text(EVIDENCE_MAX_BYTES).optional().openapi({ example: "The customer got the goods." }),
    links: z
      .array(link, { error: breaks("array") })
      .max(EVIDENCE_LINKS_MAX, breaks("maxItems", { max: EVIDENCE_LINKS_MAX, things: "links" }))
      .optional(),
    delivery: delivery.optional(),
  })
  .refine((sent) => [sent.text, sent.links, sent.delivery].some((one) => one !== undefined), {
    error: breaks("evidenceNeeded"),
    path: ["body"],
  })
  .openapi("SubmitEvidence", {
    description:
      `At most ${KILOBYTES_MAX} KB in all, with what was sent before. A field that is sent replaces the ` +
      'earlier one, one that is left out stays; `""`, `[]` and `{}` remove one.',
    example: {
      text: "The customer got the goods.",
      links: ["https://loja.example.com/pedidos/1001"],
      delivery: { carrier: "Correios", trackingCode: "AA123456785BR", deliveredAt: "2026-11-20" },
    },
  });

function isHttpsUrl(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === "https:" && url.username === "" && url.password === "";
}
