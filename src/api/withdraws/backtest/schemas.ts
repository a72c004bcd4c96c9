import { z } from "@hono/zod-openapi";
import { isoTimeText } from "../../../http/fields/fields.ts";
import { WITHDRAW_SETTINGS } from "../../settings/schemas.ts";
import { breaks } from "../../../lib/fields/rules.ts";

export const BacktestBody = z
  .object({ settings: z.object(WITHDRAW_SETTINGS, { error: breaks("object") }) })
  .openapi("WithdrawPolicyBacktest", {
    description: "Omitted settings are the company's own.",
    example: { settings: { withdrawDailyLimit: 5_000_000, withdrawApprovalAbove: 1_000_000 } },
  });

export const BacktestResult = z
  .object({
    data: z.object({
      from: isoTimeText,
      to: isoTimeText,
      checked: z.int().openapi({ example: 120, description: "Withdraws that kept their money." }),
      stopped: z.array(
        z.object({
          withdrawId: z.int().openapi({ example: 7 }),
          amount: z.int().openapi({ example: 1_500_000, description: "centavos" }),
          createdAt: isoTimeText,
          rule: z.string().openapi({ example: "withdrawApprovalAbove" }),
        }),
      ),
      stoppedCount: z.int().openapi({ example: 1 }),
      stoppedAmount: z.int().openapi({ example: 1_500_000, description: "centavos" }),
      truncated: z.boolean().openapi({
        description:
          "Only the newest 10,000 withdraws were read (`from` tells since when), or `stopped` lists only " +
          "the newest 1,000 of `stoppedCount`.",
      }),
    }),
  })
  .openapi("WithdrawPolicyBacktestResult");
