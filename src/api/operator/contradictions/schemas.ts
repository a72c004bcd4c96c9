import { z } from "@hono/zod-openapi";
import {
  DECISION_ACTIONS,
  CONTRADICTION_KINDS,
  CONTRADICTION_STATUSES,
  parseContradictionId,
} from "../../../domain/reconciliation/contradiction.ts";
import { EXAMPLE_TRANSACTION } from "../../../domain/events/api-examples.ts";
import { MAX_AMOUNT_CENTS } from "../../../domain/shared/money.ts";
import { EVEN_AFTER_OTHER_ERRORS, isoTimeText } from "../../../http/fields/fields.ts";
import { evidence, requiredReason } from "../proposals/schemas.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const anything = z.record(z.string(), z.unknown());

const proposal = {
  action: z.enum(DECISION_ACTIONS).openapi("DecisionAction"),
  amount: z.int().nullable().openapi({ description: "centavos, signed; with `correct` only" }),
  transactionId: z.string().nullable().openapi({ description: "with `credit` only" }),
  reason: z.string(),
};

const EXAMPLE_PROPOSAL = {
  action: "apply",
  amount: null,
  transactionId: null,
  reason: "The bank's statement of 21 November shows it as paid.",
} as const;

const EXAMPLE = {
  id: "17-3",
  kind: "payout_status",
  companyId: 17,
  object: "withdraw:7",
  said: { status: "Paid" },
  booked: { status: "Failed" },
  amount: 10_000,
  held: 10_000,
  since: "2026-11-21T12:00:00.000Z",
  status: "proposed",
  proposal: { ...EXAMPLE_PROPOSAL, by: "operator", at: "2026-11-21T13:00:00.000Z" },
  decision: null,
} as const;

export const ContradictionSchema = z
  .object({
    id: z.string().openapi({ description: "The company's number and the contradiction's own." }),
    kind: z.enum(CONTRADICTION_KINDS),
    companyId: z.int(),
    object: z.string().openapi({
      description:
        "A transaction's UUID, `withdraw:<n>`, `payment:<id>`, `record:<hash>` and such.",
    }),
    said: anything.openapi({ description: "The provider's report." }),
    booked: anything.openapi({ description: "What was booked." }),
    amount: z.int().openapi({ description: "centavos in question" }),
    held: z.int().openapi({
      description: "centavos of them that the company cannot withdraw until this is decided",
    }),
    since: isoTimeText,
    status: z.enum(CONTRADICTION_STATUSES),
    proposal: z.object({ ...proposal, by: z.string(), at: isoTimeText }).nullable(),
    decision: z
      .object({
        ...proposal,
        proposedBy: z.string(),
        proposedAt: isoTimeText,
        agreedBy: z.string(),
        decidedAt: isoTimeText,
      })
      .nullable(),
  })
  .openapi("Contradiction", { example: EXAMPLE });

export const Contradictions = z
  .object({
    items: z.array(ContradictionSchema),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("Contradictions", { example: { items: [EXAMPLE], after: null, hasMore: false } });

export const ContradictionParam = z.object({
  id: z.string().openapi({ example: "17-3" }),
});

export const ContradictionsQuery = z.object({
  status: z
    .enum(CONTRADICTION_STATUSES, {
      error: breaks("oneOf", { values: CONTRADICTION_STATUSES.join(", ") }),
    })
    .optional(),
  after: z
    .string()
    .refine((id) => parseContradictionId(id) !== null, breaks("earlierPage"))
    .transform((id) => parseContradictionId(id)!)
    .optional()
    .openapi({ type: "string", example: "17-3" }),
});

/** Requires each field with its action, and refuses it with any other. */
function checkActionFields(body: unknown, context: z.core.$RefinementCtx): void {
  const { action, amount, transactionId } = body as Record<string, unknown>;
  const check = (path: string, isPresent: boolean, fieldAction: string) => {
    if (isPresent === (action === fieldAction)) return;
    const message = isPresent
      ? breaks("onlyAllowedWith", { action: fieldAction })
      : breaks("requiredTo", { action: fieldAction });
    context.addIssue({ code: "custom", path: [path], message });
  };
  check("amount", amount !== undefined, "correct");
  check("transactionId", transactionId !== undefined, "credit");
}

const DECISION = {
  action: z.enum(DECISION_ACTIONS, {
    error: breaks("oneOf", { values: DECISION_ACTIONS.join(", ") }),
  }),
  amount: z
    .int({ error: breaks("signedAmount") })
    .min(-MAX_AMOUNT_CENTS, breaks("tooLarge"))
    .max(MAX_AMOUNT_CENTS, breaks("tooLarge"))
    .refine((amount) => amount !== 0, breaks("notZero"))
    .optional()
    .openapi({
      description: "With `correct`: centavos credited to the company or, if negative, debited.",
    }),
  transactionId: z
    .uuid({ error: breaks("transactionId") })
    .toLowerCase()
    .optional()
    .openapi({ description: "With `credit`: the charge that the payment was for." }),
};

/** A decision without its reason, as a proposal has it. */
export const ContradictionDecision = z.object(DECISION).superRefine(checkActionFields);

export const DecideBody = z
  .object({ ...DECISION, reason: requiredReason, evidence })
  .superRefine(checkActionFields, EVEN_AFTER_OTHER_ERRORS)
  .openapi("DecideContradictionInput", {
    example: { action: "apply", reason: EXAMPLE_PROPOSAL.reason },
  });

export const OperatorEvents = z
  .object({
    items: z.array(
      z.object({
        companyId: z.int(),
        number: z.int().openapi({ description: "From 1 without gaps, for each company." }),
        type: z.string(),
        at: isoTimeText,
        data: anything,
      }),
    ),
    after: z.string().nullable().openapi({ description: "Send it back as `after`, now or later." }),
    hasMore: z.boolean(),
  })
  .openapi("OperatorEvents", {
    example: {
      items: [
        {
          companyId: 17,
          number: 3,
          type: "contradiction.opened",
          at: "2026-11-21T12:00:00.000Z",
          data: { id: "17-3", kind: "payment_set_aside", object: EXAMPLE_TRANSACTION.id },
        },
      ],
      after: "1795262400000-17-3",
      hasMore: false,
    },
  });

/** `<at>-<company>-<number>` of the last event of a page. */
const EVENT_CURSOR = /^(\d{1,15})-(\d{1,8})-(\d{1,15})$/;

export const EventsQuery = z.object({
  after: z
    .string()
    .regex(EVENT_CURSOR, breaks("earlierPage"))
    .transform((after) => {
      const [, at, companyId, number] = EVENT_CURSOR.exec(after) ?? [];
      return { at: Number(at), companyId: Number(companyId), number: Number(number) };
    })
    .optional()
    .openapi({ type: "string", example: "1795352278999-17-3" }),
});
