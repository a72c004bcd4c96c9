import { z } from "@hono/zod-openapi";
import { PERSON_ROLES } from "../../../domain/access/person-role.ts";
import { isoTimeText, text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { Withdraw } from "../schemas.ts";

export const DecisionBody = z
  .object({ reason: text(TEXT_MAX).optional() })
  .openapi("WithdrawDecision", { example: { reason: "Checked with the supplier." } });

export const DecidedWithdraw = z.object({ data: Withdraw }).openapi("DecidedWithdraw");

const centavos = z.number().int();

export const ApprovalFacts = z
  .object({
    data: z.object({
      requester: z.object({
        role: z.enum(PERSON_ROLES).nullable().openapi({ description: "Null for an application." }),
        since: isoTimeText.nullable().openapi({
          description: "When who asked got the right; null for one that is older than this record.",
        }),
      }),
      receiver: z
        .object({ name: z.string().nullable(), document: z.string().nullable() })
        .openapi({ description: "Null where the bank does not tell." }),
      earlier: z.object({
        count: z.number().int().openapi({ description: "Paid withdraws to the same PIX key." }),
        hasMore: z.boolean().openapi({ description: "Whether older ones were not counted." }),
        lastAt: isoTimeText.nullable(),
      }),
      rule: z.enum(["above_limit", "right_from_operator"]).openapi({
        description:
          "Why it waits: the day's sum is above `withdrawApprovalAbove`, or an operator gave the right lately.",
      }),
      limit: centavos.nullable().openapi({ description: "The limit as it is now, in centavos." }),
      balanceBefore: centavos.openapi({ description: "Centavos available without the withdraw." }),
      balanceAfter: centavos,
    }),
  })
  .openapi("WithdrawApprovalFacts", {
    example: {
      data: {
        requester: { role: "finance", since: "2026-01-05T12:00:00.000Z" },
        receiver: { name: null, document: "52998224725" },
        earlier: { count: 7, hasMore: false, lastAt: "2026-02-01T12:00:00.000Z" },
        rule: "above_limit",
        limit: 100_000,
        balanceBefore: 500_000,
        balanceAfter: 350_000,
      },
    },
  });
