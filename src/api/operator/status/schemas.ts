import { z } from "@hono/zod-openapi";
import { CONTRADICTION_KINDS } from "../../../domain/reconciliation/contradiction.ts";
import { ACCOUNTS } from "../../../domain/ledger/ledger.ts";
import { LIST_NAMES, PASS_NAMES } from "../../../domain/reconciliation/reconciliation.ts";
import { OPEN_ITEM_KINDS } from "../../../domain/reconciliation/ledger-position.ts";
import { isoTimeText } from "../../../http/fields/fields.ts";

const centavos = z.int().openapi({ description: "centavos" });

const Pass = z
  .object({
    companyId: z.int(),
    account: z.string(),
    list: z.enum(LIST_NAMES),
    pass: z.enum(PASS_NAMES),
    readUntil: isoTimeText.openapi({ description: "Records up to this time are booked." }),
    nextRunAt: isoTimeText,
    finishedAt: isoTimeText.nullable(),
  })
  .openapi("ReconciliationPass");

const EXAMPLE_PASS = {
  companyId: 17,
  account: "first",
  list: "payments",
  pass: "newest",
  readUntil: "2026-11-21T11:20:00.000Z",
  nextRunAt: "2026-11-21T11:30:00.000Z",
  finishedAt: null,
} as const;

export const GatewayStatus = z
  .object({
    at: isoTimeText,
    companies: z.int().openapi({ description: "Counts at most 10,000 per database." }),
    contradictions: z.object({
      open: z.int().openapi({ description: "Counts at most 1,000 per database." }),
      held: centavos,
      oldestSince: isoTimeText.nullable(),
      byKind: z.partialRecord(z.enum(CONTRADICTION_KINDS), z.int()),
    }),
    latePasses: z.array(Pass).openapi({
      description:
        "Reconciliation passes that have been due for 15 minutes or more, or whose last completion is half an " +
        "hour overdue; at most 100.",
    }),
    databases: z.array(z.object({ name: z.string(), bytes: z.int(), measuredAt: isoTimeText })),
  })
  .openapi("GatewayStatus", {
    example: {
      at: "2026-11-21T12:00:00.000Z",
      companies: 42,
      contradictions: {
        open: 2,
        held: 10_000,
        oldestSince: "2026-11-20T09:00:00.000Z",
        byKind: { payment_set_aside: 1, payout_status: 1 },
      },
      latePasses: [EXAMPLE_PASS],
      databases: [{ name: "DB", bytes: 7_340_032, measuredAt: "2026-11-21T12:00:00.000Z" }],
    },
  });

const EXAMPLE_LEDGER = {
  available: 90_000,
  awaiting: 0,
  blocked: 0,
  payout: 10_000,
  debt: 0,
  suspense: 0,
  fees: 500,
  provider: -100_500,
};

export const CompanyStatus = z
  .object({
    companyId: z.int(),
    mode: z.enum(["sandbox", "live"]),
    frozen: z.boolean(),
    held: centavos,
    ledger: z
      .record(z.enum(ACCOUNTS), z.int())
      .openapi({ description: "Each account of the ledger, centavos." }),
    expected: centavos.openapi({
      description: "The balance that the banks should have according to the ledger, centavos.",
    }),
    accounts: z.array(
      z.object({
        account: z.string(),
        answer: z.enum(["known", "unsupported", "unknown"]),
        balance: centavos.nullable(),
      }),
    ),
    difference: centavos.nullable().openapi({
      description: "The banks' balance minus `expected`; null if a balance is not known.",
    }),
    openItems: z
      .array(
        z.object({
          kind: z.enum(OPEN_ITEM_KINDS),
          count: z.int(),
          amount: centavos,
          more: z.boolean().openapi({ description: "There are more than the 1,000 counted." }),
        }),
      )
      .openapi({ description: "Amounts that may have left the bank but not yet the ledger." }),
    unexplained: centavos
      .nullable()
      .openapi({ description: "The part of `difference` that no open item explains." }),
    passes: z.array(Pass),
  })
  .openapi("CompanyStatus", {
    example: {
      companyId: 17,
      mode: "live",
      frozen: false,
      held: 0,
      ledger: EXAMPLE_LEDGER,
      expected: 100_500,
      accounts: [{ account: "first", answer: "known", balance: 90_500 }],
      difference: -10_000,
      openItems: [{ kind: "payouts_processing", count: 1, amount: 10_000, more: false }],
      unexplained: 0,
      passes: [EXAMPLE_PASS],
    },
  });
