import { z } from "@hono/zod-openapi";
import { balanceView } from "../../domain/ledger/balance.ts";
import { EXAMPLE_ANCHOR, EXAMPLE_TRANSACTION } from "../../domain/events/api-examples.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { ACCOUNTS } from "../../domain/ledger/ledger.ts";
import {
  isoTimeText,
  cursor,
  CURRENCY_IN_CAPITALS,
  rangeEnd,
  isoInstant,
  optionalLimit,
} from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** ISO 4217, as the contract writes it. */
const CURRENCY_CODE = /^[A-Z]{3}$/;
const COMPANY_ID = /^-?\d+$/;
export const OFX_EXAMPLE =
  '<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>';
const EXAMPLE_HASH = "0f5c4c0b4a1d7a7cbb1f3c4d6f9f0d0e2a6b8c1d3e5f708192a3b4c5d6e7f801";

export const LedgerAnchor = z
  .object({
    day: z.string().openapi({ format: "date", description: "UTC" }),
    sequence: z.int().openapi({ description: "The statement's last line at that time." }),
    hash: z.string().openapi({ description: "The newest hash of the chain at that time." }),
    digest: z.string().openapi({ description: "SHA-256 over all companies' heads of the day." }),
    signature: z.string().openapi({ description: "Ed25519, base64." }),
    publicKey: z.string().openapi({ description: "The gateway's key: Ed25519, base64." }),
  })
  .openapi("LedgerAnchor", { example: EXAMPLE_ANCHOR });

export const Balance = z
  .object({
    id: z.int(),
    companyId: z.int().openapi({ example: 1 }),
    currency: z.string().openapi({ example: "BRL" }),
    enBalanceStatus: z.enum(["Released", "Pending", "Blocked"]),
    accBalance: z.number().openapi({ example: 150.25, description: "reais, may be withdrawn" }),
    accBalanceHeld: z.number().openapi({
      example: 0,
      description:
        "reais of `accBalance` that cannot be withdrawn while a contradiction about a payment or payout is open",
    }),
    accBalanceCredit: z
      .number()
      .openapi({ example: 150.25, description: "reais: available, awaiting and blocked" }),
    accBalanceCreditAwaiting: z
      .number()
      .openapi({ example: 0, description: "reais, awaiting release" }),
    accBalanceBlocked: z.number().openapi({
      example: 0,
      description:
        "reais that open disputes and refunds under way hold; part of `accBalanceCredit`",
    }),
    accBalanceDebt: z.number().openapi({
      example: 0,
      description: "reais that a chargeback took beyond the balance; the next credits repay them",
    }),
    ledgerSequence: z.int().openapi({ description: "The statement's last line." }),
    ledgerHash: z.string().openapi({ description: "The newest hash of the statement's chain." }),
    ledgerAnchor: LedgerAnchor.nullable().openapi({
      description: "The newest signed head, stored outside the ledger; null before the first.",
    }),
  })
  .openapi("Balance", {
    example: {
      ...balanceView(1, "BRL", {
        available: 15_025,
        held: 0,
        awaiting: 0,
        blocked: 0,
        owed: 0,
        frozen: false,
      }),
      ledgerSequence: 16,
      ledgerHash: EXAMPLE_HASH,
      ledgerAnchor: EXAMPLE_ANCHOR,
    },
  });

const cents = (description: string) => z.int().openapi({ description: `centavos ${description}` });

export const OwnBalance = z
  .object({
    data: z.object({
      companyId: z.int(),
      currency: z.string(),
      availableCents: cents("that may be withdrawn"),
      heldCents: cents(
        "of `availableCents` that wait while a contradiction about a payment or payout is open",
      ),
      awaitingCents: cents("that await release"),
      blockedCents: cents("that open disputes and refunds under way hold"),
      owedCents: cents("that a chargeback took beyond the balance"),
      ledgerSequence: z.int().openapi({ description: "The statement's last line." }),
      ledgerHash: z.string().openapi({ description: "The newest hash of the statement's chain." }),
    }),
  })
  .openapi("OwnBalance", {
    example: {
      data: {
        companyId: 1,
        currency: CURRENCY,
        availableCents: 15_025,
        heldCents: 0,
        awaitingCents: 0,
        blockedCents: 0,
        owedCents: 0,
        ledgerSequence: 16,
        ledgerHash: EXAMPLE_HASH,
      },
    },
  });

export const Forecast = z
  .object({
    companyId: z.int().openapi({ example: 1 }),
    currency: z.string().openapi({ example: "BRL" }),
    total: z.int().openapi({ example: 15_000, description: "centavos" }),
    items: z.array(
      z.object({
        date: z.string().openapi({ format: "date", description: "A day in America/Sao_Paulo." }),
        amount: z.int().openapi({ description: "centavos that become available on that day" }),
      }),
    ),
  })
  .openapi("Forecast", {
    example: {
      companyId: 1,
      currency: "BRL",
      total: 15_000,
      items: [
        { date: "2026-12-21", amount: 7_500 },
        { date: "2027-01-20", amount: 7_500 },
      ],
    },
  });

export const CompanyParam = z.object({
  companyId: z
    .string()
    .regex(COMPANY_ID, breaks("companyIdOfCreate"))
    .transform(Number)
    .openapi({ type: "integer", example: 1 }),
});

const currencyCode = z
  .string()
  .regex(CURRENCY_CODE, {
    error: ({ input }) =>
      String(input).toUpperCase() === CURRENCY ? CURRENCY_IN_CAPITALS : breaks("currencyForm"),
  })
  .openapi({ example: "BRL" });

/** The contract's, which has to name the currency. */
export const BalanceQuery = z.object({ currency: currencyCode });

export const OwnBalanceQuery = z.object({ currency: currencyCode.default(CURRENCY) });

export const StatementParams = BalanceQuery.extend({
  from: isoInstant.optional(),
  to: rangeEnd.optional(),
  after: cursor.default(0),
  limit: optionalLimit,
  accounts: z.enum(["company", "all"]).default("company").openapi({
    description:
      "`all` also shows the provider's line of each movement, which is the movement's last.",
  }),
});

export const Statement = z
  .object({
    items: z.array(
      z.object({
        sequence: z.int().openapi({ description: "Ascending, with gaps." }),
        createdAt: isoTimeText,
        type: z.string().openapi({ example: "charge_paid" }),
        account: z.enum(ACCOUNTS).openapi("LedgerAccount"),
        amount: z.int().openapi({ description: "centavos, signed" }),
        balance: z.int().openapi({ description: "centavos, of this account after this posting" }),
        transactionId: z.string().nullable(),
        withdrawId: z.int().nullable(),
        hash: z
          .string()
          .openapi({ description: "Of the movement; covers it and the hash of the one before" }),
        detailsHash: z.string().nullable().openapi({
          description:
            "SHA-256 of the terms that decide later payments (payee, release dates); `hash` covers it",
        }),
      }),
    ),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("Statement", {
    example: {
      items: [
        {
          sequence: 16,
          createdAt: "2026-11-21T12:00:05.000Z",
          type: "charge_paid",
          account: "available",
          amount: 2_500,
          balance: 2_500,
          transactionId: EXAMPLE_TRANSACTION.id,
          withdrawId: null,
          hash: EXAMPLE_HASH,
          detailsHash: EXAMPLE_HASH,
        },
      ],
      after: "16",
      hasMore: false,
    },
  });

export const StatementVerdict = z
  .object({
    valid: z.boolean(),
    error: z.string().nullable().openapi({ description: "The first thing that is wrong." }),
    lines: z.int(),
    movements: z.int(),
    ledgerSequence: z.int().openapi({ description: "The statement's last line." }),
    ledgerHash: z.string().openapi({ description: "The newest hash of the statement's chain." }),
    anchored: z
      .object({ day: z.string(), movement: z.int() })
      .nullable()
      .openapi({ description: "The newest stored anchor that the statement agrees with." }),
    notAnchored: z.int().openapi({
      description: "Movements after it: no anchor shows that they were not rewritten.",
    }),
    balances: z.array(
      z.object({
        account: z.enum(ACCOUNTS).openapi("LedgerAccount"),
        balance: z.int().openapi({ description: "centavos, from the amounts alone" }),
      }),
    ),
  })
  .openapi("StatementVerdict", {
    example: {
      valid: true,
      error: null,
      lines: 2,
      movements: 1,
      ledgerSequence: 16,
      ledgerHash: EXAMPLE_HASH,
      anchored: null,
      notAnchored: 1,
      balances: [
        { account: "available", balance: 2_500 },
        { account: "provider", balance: -2_500 },
      ],
    },
  });
