import { z } from "@hono/zod-openapi";
import { text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { Withdraw } from "../schemas.ts";

export const DecisionBody = z
  .object({ reason: text(TEXT_MAX).optional() })
  .openapi("WithdrawDecision", { example: { reason: "Checked with the supplier." } });

export const DecidedWithdraw = z.object({ data: Withdraw }).openapi("DecidedWithdraw");
