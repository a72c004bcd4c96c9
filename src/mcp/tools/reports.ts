import { z } from "zod";
import { getOwnBalance } from "../../api/balance/routes.ts";
import { listDisputes, submitDisputeEvidence } from "../../api/disputes/routes.ts";
import { searchReceivedPayments } from "../../api/payments/received-routes.ts";
import { getFeeReport } from "../../api/reports/fees/routes.ts";
import { getDailyReport } from "../../api/reports/routes.ts";
import { DISPUTE_STATUS_WORDS } from "../../domain/disputes/dispute.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { amount, answerOf, tool } from "../tool.ts";

const getBalance = tool({
  name: "get_balance",
  title: "Get the balance",
  description: "What may be withdrawn, what awaits release, and what disputes and refunds hold.",
  scopes: ["balance:read"],
  annotations: { readOnlyHint: true },
  input: z.object({}),
  run: (c) =>
    answerOf(
      c,
      getOwnBalance,
      ({ data }) => ({
        available: amount(data.availableCents),
        held: amount(data.heldCents),
        awaitingRelease: amount(data.awaitingCents),
        blocked: amount(data.blockedCents),
        owed: amount(data.owedCents),
      }),
      { query: { currency: CURRENCY } },
    ),
});

const dailyReport = tool({
  name: "daily_report",
  title: "Sum the days",
  description:
    "Payments, fees, refunds and net by day and method, equal to the ledger. By default the last 30 days.",
  scopes: ["balance:read"],
  annotations: { readOnlyHint: true },
  input: z.object({
    from: z.iso.date().optional().describe("A day in America/Sao_Paulo."),
    to: z.iso.date().optional(),
  }),
  run: (c, query) =>
    answerOf(
      c,
      getDailyReport,
      ({ items }) => ({
        days: items.map(({ day, paymentMethod, count, gross, fees, refunds, net }) => ({
          day,
          paymentMethod,
          count,
          gross: amount(gross),
          fees: amount(fees),
          refunds: amount(refunds),
          net: amount(net),
        })),
      }),
      { query },
    ),
});

const feeReport = tool({
  name: "fee_report",
  title: "Compare the fees",
  description:
    "The fees that banks took beside the agreed ones, by day of payment, account and method. Empty `accounts`: no bank " +
    "of the company tells. By default the last 30 days, at most 92.",
  scopes: ["balance:read"],
  annotations: { readOnlyHint: true },
  input: z.object({
    from: z.iso.date().optional().describe("A day in America/Sao_Paulo."),
    to: z.iso.date().optional(),
  }),
  run: (c, query) =>
    answerOf(
      c,
      getFeeReport,
      ({ accounts, items, totals }) => ({
        accounts,
        days: items.map(({ day, account, paymentMethod, ...sums }) => ({
          day,
          account,
          paymentMethod,
          ...feesOf(sums),
        })),
        totals: feesOf(totals),
      }),
      { query },
    ),
});

function feesOf(sums: { count: number; agreed: number; taken: number; difference: number }) {
  const { count, agreed, taken, difference } = sums;
  return {
    count,
    agreed: amount(agreed),
    taken: amount(taken),
    difference: amount(difference),
  };
}

const findPayment = tool({
  name: "find_payment",
  title: "Did it arrive?",
  description:
    "Looks for a payment in the ledger: by the end-to-end id of the payer's receipt, or by its amount and minute. " +
    "An empty list means that it has not arrived, whatever the receipt says.",
  scopes: ["transactions:read", "cashier:write"],
  annotations: { readOnlyHint: true },
  input: z.object({
    endToEndId: z.string().optional(),
    amountCents: z.int().min(1).optional(),
    at: z.iso.datetime({ offset: true }).optional().describe("The minute on the payer's receipt."),
  }),
  run: (c, { endToEndId, amountCents, at }) =>
    answerOf(
      c,
      searchReceivedPayments,
      ({ items, isWhole }) => ({
        arrived: items.length > 0,
        payments: items.map((item) => ({
          paymentId: item.id,
          chargeId: item.transactionId,
          amount: amount(item.amount),
          paidAt: item.paidAt,
          status: item.status,
          payer: item.payer,
        })),
        isWhole,
      }),
      {
        query: {
          endToEndId,
          amount: amountCents === undefined ? undefined : String(amountCents),
          at,
        },
      },
    ),
});

const findDisputes = tool({
  name: "find_disputes",
  title: "Find disputes",
  description:
    "What payers' banks ask back, newest first: the charge, the reason, the amount and until when evidence is taken.",
  scopes: ["transactions:read"],
  annotations: { readOnlyHint: true },
  input: z.object({
    status: z.enum(DISPUTE_STATUS_WORDS).optional(),
    after: z.string().optional().describe("The cursor of the page before."),
  }),
  run: (c, query) =>
    answerOf(
      c,
      listDisputes,
      ({ items, after }) => ({
        items: items.map((item) => ({
          id: item.id,
          chargeId: item.transactionId,
          status: item.status,
          reason: item.reason,
          amount: amount(item.amount),
          deadline: item.deadline,
          hasEvidence: item.evidence !== null,
        })),
        after,
      }),
      { query },
    ),
});

const submitEvidence = tool({
  name: "submit_evidence",
  title: "Answer a dispute",
  description:
    "Sends text and links as evidence against a dispute, until its deadline. More may be sent later.",
  scopes: ["disputes:write"],
  annotations: { readOnlyHint: false, destructiveHint: false },
  input: z.object({
    disputeId: z.string().describe("As find_disputes answers it."),
    text: z.string().optional().describe("What happened, for the bank."),
    links: z.array(z.string()).optional(),
  }),
  run: (c, { disputeId, text, links }) =>
    answerOf(
      c,
      submitDisputeEvidence,
      ({ data }) => ({ id: data.id, status: data.status, deadline: data.deadline }),
      { params: { id: disputeId }, json: { text, links } },
    ),
});

/** What is asked of the books, and of disputes. */
export const REPORT_TOOLS = [
  getBalance,
  dailyReport,
  feeReport,
  findPayment,
  findDisputes,
  submitEvidence,
];
