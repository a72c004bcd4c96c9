import { z } from "@hono/zod-openapi";
import {
  PROPOSAL_ACTIONS,
  PROPOSAL_STATUSES,
  PROVIDER_WORDS,
} from "../../../domain/operators/proposal.ts";
import { isoTimeText, pageLimit, text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";

/** Characters of what a proposer shows: a letter of the bank, a protocol number. */
const EVIDENCE_MAX = 2_000;

/** Why an operator asks for something. */
export const requiredReason = text(TEXT_MAX)
  .refine((value) => value.trim() !== "", breaks("notEmpty"))
  .openapi({ example: "The bank's statement of 21 November shows it as returned." });

export const evidence = text(EVIDENCE_MAX)
  .optional()
  .openapi({ description: "What shows it, such as the bank's protocol number." });

const operatorName = z
  .object({ id: z.string(), name: z.string() })
  .openapi("OperatorName", { example: { id: "operator", name: "Ana Souza" } });
const anything = z.record(z.string(), z.unknown());

const EXAMPLE = {
  id: "018f3c1e-7a50-7c22-9b1e-5d2f0a6b7c8d",
  action: "payout.decide",
  companyId: 17,
  target: "withdraw:7",
  request: { outcome: "failed" },
  reason: "The bank's letter says that it was never paid.",
  evidence: "Protocol 20261123-0042",
  status: "pending",
  proposedBy: { id: "operator", name: "Ana Souza" },
  proposedAt: "2026-11-23T12:00:00.000Z",
  expiresAt: "2026-11-26T12:00:00.000Z",
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  provider: "silent",
  withoutProvider: true,
  providerSaid: { kind: "unknown" },
  outcome: null,
} as const;

const ProposalSchema = z
  .object({
    id: z.string(),
    action: z.enum(PROPOSAL_ACTIONS),
    companyId: z.int(),
    target: z.string(),
    request: anything.openapi({ description: "What is decided, as its route takes it." }),
    reason: z.string(),
    evidence: z.string().nullable(),
    status: z.enum(PROPOSAL_STATUSES),
    proposedBy: operatorName,
    proposedAt: isoTimeText,
    expiresAt: isoTimeText,
    decidedBy: z.union([operatorName, z.null()]),
    decidedAt: isoTimeText.nullable(),
    decisionReason: z.string().nullable(),
    provider: z.enum(PROVIDER_WORDS).nullable().openapi({
      description:
        "What the provider said when it was asked last. `silent`: nothing final; `not_asked`: there is nothing to ask.",
    }),
    withoutProvider: z.boolean().openapi({
      description:
        "Whether it is decided without the provider's word, which is asked for on: a later report corrects it or opens a contradiction.",
    }),
    providerSaid: anything.nullable(),
    outcome: anything.nullable().openapi({ description: "What became of an approved one." }),
  })
  .openapi("Proposal", { example: EXAMPLE });

export const OneProposal = z
  .object({ data: ProposalSchema })
  .openapi("OneProposal", { example: { data: EXAMPLE } });

export const Proposals = z
  .object({
    items: z.array(ProposalSchema),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("Proposals", { example: { items: [EXAMPLE], after: null, hasMore: false } });

export const ProposalParam = z.object({ id: z.string().openapi({ example: EXAMPLE.id }) });

export const ProposalsQuery = z.object({
  status: z
    .enum(PROPOSAL_STATUSES, { error: breaks("oneOf", { values: PROPOSAL_STATUSES.join(", ") }) })
    .optional(),
  companyId: z
    .string()
    .regex(/^\d{1,8}$/, breaks("integer"))
    .transform(Number)
    .optional()
    .openapi({ type: "integer", example: 17 }),
  target: text(TEXT_MAX).optional().openapi({ example: EXAMPLE.target }),
  after: z
    .string()
    .regex(/^\d{1,15}$/, breaks("earlierPage"))
    .optional(),
  limit: pageLimit,
});

export const CreateProposal = z
  .object({
    action: z.enum(PROPOSAL_ACTIONS, {
      error: breaks("oneOf", { values: PROPOSAL_ACTIONS.join(", ") }),
    }),
    companyId: z.int({ error: breaks("integer") }).min(1, breaks("companyNumber")),
    target: text(TEXT_MAX).min(1, breaks("notEmpty")).openapi({
      description:
        "`withdraw:<n>`, `operation:<id>`, `contradiction:<id>`, `payment:<id>`, `provider:<account>` or `company:<n>`, as the action needs.",
      example: EXAMPLE.target,
    }),
    request: anything.optional().openapi({
      description:
        "The fields of the action's own route without `reason`: of a withdraw `outcome`, `endToEndId`, `returnedAmount`; of a company's key `pixKey`, `pixKeyType`.",
    }),
    reason: requiredReason,
    evidence,
  })
  .openapi("CreateProposalInput", {
    example: {
      action: EXAMPLE.action,
      companyId: EXAMPLE.companyId,
      target: EXAMPLE.target,
      request: EXAMPLE.request,
      reason: EXAMPLE.reason,
      evidence: EXAMPLE.evidence,
    },
  });

export const DecideProposal = z
  .object({ reason: requiredReason })
  .openapi("DecideProposal", { example: { reason: "I read the bank's letter." } });
