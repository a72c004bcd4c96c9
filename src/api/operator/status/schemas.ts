import { z } from "@hono/zod-openapi";
import { CONTRADICTION_KINDS } from "../../../domain/reconciliation/contradiction.ts";
import { FIRST_COPY } from "../../../domain/reconciliation/comparison-round.ts";
import { ACCOUNTS } from "../../../domain/ledger/ledger.ts";
import { PASS_LISTS, PASS_NAMES } from "../../../domain/reconciliation/reconciliation.ts";
import { OPEN_ITEM_KINDS } from "../../../domain/reconciliation/ledger-position.ts";
import { answerFields, EXAMPLE_ANSWERS, PaymentVolume } from "./answer-schemas.ts";
import { Acknowledgement, EXAMPLE_WATCH, watchFields } from "./watch-schemas.ts";
import { CopyCursor } from "../audit/schemas.ts";
import { ArchiveStateName } from "../../../http/fields/archive-state.ts";
import { isoTimeText } from "../../../http/fields/fields.ts";

const centavos = z.int().openapi({ description: "centavos" });

const freezeFields = {
  companyId: z.int(),
  withdraws: z.boolean().openapi({ description: "No way out of its money is open." }),
  charges: z.boolean().openapi({ description: "No create and no capture." }),
  since: isoTimeText,
  by: z.string().openapi({ description: "The operator's name; `Centavo` for the service itself." }),
  reason: z.string(),
};
const Freeze = z.object(freezeFields).openapi("CompanyFreeze");
const StatusPause = z
  .object({ since: isoTimeText, reason: z.string(), by: z.string() })
  .openapi("StatusPause");
const EXAMPLE_FREEZE = {
  companyId: 17,
  withdraws: true,
  charges: false,
  since: "2026-11-21T09:00:00.000Z",
  by: "Olga",
  reason: "Fraud report.",
};

const Pass = z
  .object({
    companyId: z.int(),
    account: z.string(),
    list: z.enum(PASS_LISTS),
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

const share = z
  .number()
  .openapi({ description: "The part of the round that is done, from 0 to 1." });

const copies = z
  .object({
    comparedRows: z.int().openapi({ description: "Since the first one." }),
    mendedCopies: z.int().openapi({ description: "Of these, the copies that were rewritten." }),
    runningRounds: z.int().openapi({ description: "Companies whose round runs now." }),
    share: z.number().openapi({ description: "The mean of the companies' shares, from 0 to 1." }),
    oldestRoundEndedAt: isoTimeText.nullable().openapi({
      description:
        "When the company compared longest ago was compared wholly; null if one never was.",
    }),
    mended: z
      .array(z.object({ companyId: z.int(), at: isoTimeText, copies: z.array(z.string()) }))
      .openapi({ description: "What was rewritten last, within a day; at most 100 companies." }),
  })
  .openapi({
    description:
      "The comparison of every row that D1 has copied with the companies' objects, which never ends; companies are " +
      "counted up to 10,000 per database.",
  });
const EXAMPLE_COPIES = {
  comparedRows: 1_200_000,
  mendedCopies: 1,
  runningRounds: 40,
  share: 0.6,
  oldestRoundEndedAt: "2026-11-01T03:00:00.000Z",
  mended: [
    {
      companyId: 17,
      at: "2026-11-21T09:00:00.000Z",
      copies: ['D1 differs on withdraw 7: status is "Paid" in D1 and "Failed" in the object'],
    },
  ],
};

const Comparison = z
  .object({
    startedAt: isoTimeText,
    lastEndedAt: isoTimeText
      .nullable()
      .openapi({ description: "When a round last ended; null before the first." }),
    share,
    steps: z.int().openapi({ description: "Expected at the round's start." }),
    stepsDone: z.int(),
    after: CopyCursor,
    comparedRows: z.int(),
    mendedCopies: z.int(),
  })
  .openapi("CopyComparison");
const EXAMPLE_COMPARISON = {
  startedAt: "2026-11-10T03:00:00.000Z",
  lastEndedAt: "2026-11-08T03:00:00.000Z",
  share: 0.4,
  steps: 120,
  stepsDone: 48,
  after: { ...FIRST_COPY, afterSeq: 4_800 },
  comparedRows: 9_600,
  mendedCopies: 0,
};

const archivedRows = z
  .object({
    archived: z.int().openapi({ description: "Rows that have left the databases." }),
    lateSince: isoTimeText.nullable().openapi({
      description: "Since when rows should have left that have not; null if all have.",
    }),
  })
  .openapi("StatusArchivedRows");
const EXAMPLE_ROWS = {
  transactions: { archived: 1_200_000, lateSince: null },
  events: { archived: 2_600_000, lateSince: null },
};

export const GatewayStatus = z
  .object({
    at: isoTimeText,
    version: z.string(),
    commit: z.string(),
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
        "hour overdue; passes over settlements a day late. At most 100.",
    }),
    databases: z.array(
      z.object({
        name: z.string(),
        bytes: z.int().nullable(),
        measuredAt: isoTimeText.nullable().openapi({ description: "When `bytes` was measured." }),
        latencyMs: z
          .int()
          .nullable()
          .openapi({ description: "Of an empty query; null if none was answered." }),
      }),
    ),
    alarmTargets: z
      .object({ names: z.array(z.string()), incomplete: z.array(z.string()) })
      .openapi({ description: "Where alarms go, and what a target lacks." }),
    pauses: z.object({
      known: z.boolean().openapi({ description: "Whether what knows of pauses answers." }),
      service: z.union([StatusPause, z.null()]).openapi({ description: "null while it runs." }),
      companies: z.array(
        z.object({ companyId: z.int(), ...StatusPause.shape }).openapi("StatusCompanyPause"),
      ),
    }),
    archive: z
      .object({
        state: ArchiveStateName,
        behindSince: isoTimeText.nullable(),
        companies: z.int().openapi({ description: "Of so many the archive lacks changes." }),
        longest: z
          .array(z.object({ companyId: z.int(), since: isoTimeText }))
          .openapi({ description: "Those that are behind for longest; at most 100." }),
        rows: z.object({ transactions: archivedRows, events: archivedRows }),
      })
      .openapi({
        description: "The archive of what D1 took, which a restore needs, and of what has left D1.",
      }),
    frozen: z
      .array(z.object({ ...freezeFields, name: z.string() }))
      .openapi({ description: "Companies that an operator or the service itself froze." }),
    copies,
    failing: z
      .array(
        z.object({
          companyId: z.int(),
          name: z.string(),
          checkedAt: isoTimeText,
          violations: z.array(z.string()),
          acknowledged: z.union([Acknowledgement, z.null()]).openapi({
            description: "Who knows of exactly these violations, so that no alarm tells of them.",
          }),
        }),
      )
      .openapi({ description: "Companies whose last check found a violation; at most 100." }),
    oldestDueDelivery: isoTimeText.nullable().openapi({
      description: "When the webhook delivery that waits longest was due; null if none waits.",
    }),
    ...answerFields,
    ...watchFields,
  })
  .openapi("GatewayStatus", {
    example: {
      at: "2026-11-21T12:00:00.000Z",
      version: "0.1.0",
      commit: "3f2c1a9b7d10",
      companies: 42,
      contradictions: {
        open: 2,
        held: 10_000,
        oldestSince: "2026-11-20T09:00:00.000Z",
        byKind: { payment_set_aside: 1, payout_status: 1 },
      },
      latePasses: [EXAMPLE_PASS],
      databases: [
        { name: "DB", bytes: 7_340_032, measuredAt: "2026-11-21T12:00:00.000Z", latencyMs: 3 },
      ],
      alarmTargets: { names: ["slack"], incomplete: [] },
      pauses: { known: true, service: null, companies: [] },
      archive: { state: "ok", behindSince: null, companies: 0, longest: [], rows: EXAMPLE_ROWS },
      frozen: [{ ...EXAMPLE_FREEZE, name: "Loja Exemplo" }],
      copies: EXAMPLE_COPIES,
      failing: [],
      oldestDueDelivery: null,
      ...EXAMPLE_ANSWERS,
      ...EXAMPLE_WATCH,
    },
  });

const ledger = z
  .record(z.enum(ACCOUNTS), z.int())
  .openapi("LedgerBalances", { description: "Each account of the ledger, centavos." });

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
    ledger,
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

const Undecided = z
  .object({
    id: z.string().openapi({
      description: "A withdraw's number, or an operation's id: what `decide` names it by.",
    }),
    kind: z.string().openapi({ description: "`payout`, `refund`, `cancel`, `capture`, `return`" }),
    amount: centavos,
    since: isoTimeText,
    checks: z.int().openapi({ description: "How often its provider was asked." }),
    nextCheckAt: isoTimeText.nullable(),
  })
  .openapi("UndecidedItem");

const EXAMPLE_UNDECIDED = {
  id: "7",
  kind: "payout",
  amount: 10_000,
  since: "2026-11-21T11:00:00.000Z",
  checks: 4,
  nextCheckAt: "2026-11-21T12:05:00.000Z",
};

export const CompanyHealth = z
  .object({
    companyId: z.int(),
    database: z.string().openapi({ description: "The database that has its rows." }),
    ledger,
    held: centavos.openapi({ description: "Held by contradictions, centavos." }),
    volume: PaymentVolume.openapi({
      description: "Payments credited in thirty days, the present one among them.",
    }),
    frozen: z.boolean(),
    freeze: z.union([Freeze, z.null()]).openapi({
      description: "Who froze it and why; null for a freeze of before causes were stored.",
    }),
    check: z
      .object({
        checkedAt: isoTimeText,
        movement: z.int().openapi({ description: "The newest movement that was checked." }),
        violations: z.array(z.string()),
      })
      .nullable()
      .openapi({
        description: "The last check of the ledger and its copy; null before the first.",
      }),
    copy: z
      .object({
        events: z.int().openapi({ description: "Events that the company has announced." }),
        copied: z.int().openapi({ description: "Of these, the newest one in D1." }),
        waiting: z.int().openapi({ description: "Changes that D1 does not have yet." }),
        rejected: z.int().openapi({ description: "Of these, the ones that D1 refused." }),
        attempts: z.int().openapi({ description: "Failed attempts of the oldest one." }),
      })
      .openapi({ description: "How far D1 is behind the company's object." }),
    comparison: z.union([Comparison, z.null()]).openapi({
      description:
        "The round over all its copies that runs, or the last one; null before the first.",
    }),
    mended: z
      .union([z.object({ at: isoTimeText, copies: z.array(z.string()) }), z.null()])
      .openapi({ description: "The copies that a check rewrote last; null if none." }),
    oldestDueDelivery: isoTimeText.nullable(),
    undecided: z
      .object({ payouts: z.array(Undecided), operations: z.array(Undecided) })
      .openapi({ description: "What a provider has not answered for good; the first 50 of each." }),
    passes: z.array(Pass).openapi({ description: "Reading the provider's records." }),
  })
  .openapi("CompanyHealth", {
    example: {
      companyId: 17,
      database: "DB",
      ledger: EXAMPLE_LEDGER,
      held: 0,
      volume: { count: 310, amount: 7_750_000 },
      frozen: true,
      freeze: EXAMPLE_FREEZE,
      check: { checkedAt: "2026-11-21T12:00:00.000Z", movement: 120, violations: [] },
      copy: { events: 48, copied: 48, waiting: 0, rejected: 0, attempts: 0 },
      comparison: EXAMPLE_COMPARISON,
      mended: null,
      oldestDueDelivery: null,
      undecided: { payouts: [EXAMPLE_UNDECIDED], operations: [] },
      passes: [EXAMPLE_PASS],
    },
  });
