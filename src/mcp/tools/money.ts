import { z } from "zod";
import { getTransaction } from "../../api/transactions/read/routes.ts";
import { refundTransaction } from "../../api/transactions/routes.ts";
import {
  previewWithdraw as previewWithdrawRoute,
  requestWithdraw,
} from "../../api/withdraws/routes.ts";
import { MIN_WITHDRAW_CENTS, reaisToCents } from "../../domain/shared/money.ts";
import { PIX_KEY_TYPES } from "../../domain/shared/pix-key.ts";
import { openPreview, previewId, sealPreview } from "../preview.ts";
import { amount, answerOf, tool } from "../tool.ts";

const REFUND = "refund";
const WITHDRAW = "withdraw";
const Refund = z.object({ id: z.string(), amountCents: z.int() });
const Withdraw = z.object({
  amountCents: z.int().min(MIN_WITHDRAW_CENTS).describe("Centavos, at least 1000."),
  pixKey: z.string().optional().describe("Where it goes; by default the company's main key."),
  pixKeyType: z.enum(PIX_KEY_TYPES).optional(),
  description: z.string().max(255).optional(),
});

const previewRefund = tool({
  name: "preview_refund",
  title: "Preview a refund",
  description:
    "What a refund would give back, to whom and from what, and its previewId. Does nothing. Without an amount, all that is left.",
  scopes: ["refunds:write"],
  annotations: { readOnlyHint: true },
  input: z.object({ id: z.string(), amountCents: z.int().min(1).optional() }),
  run: (c, { id, amountCents }) =>
    answerOf(
      c,
      getTransaction,
      async ({ data }) => {
        const left = (data.paidAmount ?? 0) - data.refundedAmount;
        const asked = { id, amountCents: amountCents ?? left };
        if (asked.amountCents < 1 || asked.amountCents > left) {
          const detail = `Of this charge ${amount(left).text} can be given back; it is ${data.status}.`;
          return { refused: { code: "REFUND_EXCEEDS_PAID", detail, traceId: c.get("traceId") } };
        }
        return {
          previewId: await sealPreview(c, REFUND, asked),
          refund: amount(asked.amountCents),
          leftAfter: amount(left - asked.amountCents),
          payer: data.customer.name,
          externalRef: data.externalRef,
        };
      },
      { params: { id } },
    ),
});

const refundCharge = tool({
  name: "refund_charge",
  title: "Refund a charge",
  description:
    "Does what preview_refund showed, once, however often it is called with the same previewId.",
  scopes: ["refunds:write"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: z.object({ previewId }),
  run: async (c, given) => {
    const preview = await openPreview(c, REFUND, Refund, given.previewId);
    if ("refused" in preview) return preview;
    const { asked, idempotencyKey } = preview;
    return answerOf(
      c,
      refundTransaction,
      ({ data, message }) => ({
        message,
        status: data.status,
        refunded: amount(data.refundedAmount),
        waitsForApproval: data.refunds?.some(({ approval }) => approval === "pending") ?? false,
      }),
      { params: { id: asked.id }, json: { amount: asked.amountCents }, idempotencyKey },
    );
  },
});

const previewWithdraw = tool({
  name: "preview_withdraw",
  title: "Preview a withdraw",
  description:
    "Every check of a withdraw, the balance before and after, whether a person must approve, and its previewId. Does nothing.",
  scopes: ["withdraws:write"],
  annotations: { readOnlyHint: true },
  input: Withdraw,
  run: (c, asked) =>
    answerOf(
      c,
      previewWithdrawRoute,
      async (body) => {
        return {
          previewId: body.accepted ? await sealPreview(c, WITHDRAW, asked) : null,
          accepted: body.accepted,
          withdraw: amount(reaisToCents(body.value)),
          fee: amount(reaisToCents(body.fee)),
          pixKey: body.pixKey,
          balanceBefore: amount(reaisToCents(body.balanceBefore)),
          balanceAfter: amount(reaisToCents(body.balanceAfter)),
          waitsForApproval: body.approval === "pending",
          refusals: body.checks.filter(({ passed }) => !passed),
        };
      },
      { json: withdrawOf(asked) },
    ),
});

const requestTool = tool({
  name: "request_withdraw",
  title: "Request a withdraw",
  description:
    "Does what preview_withdraw showed, once, within the application's spending limits. Somebody else approves it where a rule says so.",
  scopes: ["withdraws:write"],
  needsSpendingLimits: true,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: z.object({ previewId }),
  run: async (c, given) => {
    const preview = await openPreview(c, WITHDRAW, Withdraw, given.previewId);
    if ("refused" in preview) return preview;
    const { asked, idempotencyKey } = preview;
    return answerOf(
      c,
      requestWithdraw,
      (body) => {
        if (!("enTransaction" in body)) throw new Error("a withdraw answered a dry run");
        return {
          id: body.id,
          status: body.enTransaction,
          withdraw: amount(reaisToCents(body.value)),
          pixKey: body.pixKey,
        };
      },
      { json: withdrawOf(asked), idempotencyKey },
    );
  },
});

function withdrawOf({ amountCents, ...rest }: z.output<typeof Withdraw>) {
  return { amount: amountCents, ...rest };
}

/** What gives money back or takes it out: a preview first, then its act. */
export const MONEY_TOOLS = [previewRefund, refundCharge, previewWithdraw, requestTool];
