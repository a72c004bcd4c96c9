import { EMAIL_KINDS } from "../../../db/schema/people/emails.ts";
import { z } from "@hono/zod-openapi";
import { PspSpeed } from "./answer-schemas.ts";
import { isoTimeText, text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const TIME = "2026-11-21T12:00:00.000Z";
const HOST = "pix.example.com";
const END = "2027-01-31T23:59:59.000Z";
const centavos = z.int().openapi({ description: "centavos" });

export const Acknowledgement = z
  .object({ at: isoTimeText, by: z.string(), reason: z.string() })
  .openapi("Acknowledgement", {
    example: { at: TIME, by: "Olga", reason: "The bank confirms it in writing." },
  });

export const AcknowledgeViolations = z
  .object({ reason: text(TEXT_MAX) })
  .openapi("AcknowledgeViolationsInput", {
    example: { reason: "The bank confirms it in writing." },
  });

export const MetricsText = z
  .string()
  .openapi({ example: "# TYPE centavo_dead_letters_open gauge\ncentavo_dead_letters_open 0\n" });

const moment = z.union([z.iso.datetime({ offset: true }), z.null()], {
  error: breaks("timeOrNull"),
});

export const AccessEnd = z
  .object({ certificateExpiresAt: moment, credentialsExpireAt: moment })
  .openapi("AccessEnd", { example: { certificateExpiresAt: END, credentialsExpireAt: null } });

const Alarm = z
  .object({
    id: z.string(),
    severity: z.enum(["critical", "warning"]),
    detail: z.string().openapi({ description: "What was found, one finding a line." }),
    since: isoTimeText,
    resolvedAt: isoTimeText.nullable().openapi({ description: "null while it fires." }),
    runbook: z.string().openapi({ description: "The page that says what to do." }),
  })
  .openapi("Alarm");

const Heartbeat = z
  .object({
    task: z.string().openapi({ description: "A task of the cron; `minute` is the cron itself." }),
    lastStartAt: isoTimeText,
    lastSuccessAt: isoTimeText.nullable(),
    lastErrorAt: isoTimeText.nullable(),
    lastError: z.string().nullable(),
  })
  .openapi("Heartbeat");

const ProviderFault = z.object({
  at: isoTimeText,
  companyId: z.int().nullable(),
  call: z.string().nullable(),
  fault: z.string().nullable(),
  traceId: z.string().nullable(),
  durationMs: z.int().nullable(),
});

const ProviderStatus = z
  .object({
    host: z.string(),
    calls: z.int().openapi({ description: "Since the first one; written up to 5 minutes late." }),
    faults: z.int().openapi({ description: "Of these, the ones without a readable answer." }),
    lagSeconds: z.int().openapi({ description: "How late the latest pass over its lists is." }),
    lastHour: z
      .union([PspSpeed, z.null()])
      .openapi({ description: "How long its calls took; null before the first sample." }),
    lastSuccessAt: isoTimeText.nullable(),
    lastFault: ProviderFault.nullable(),
  })
  .openapi("ProviderStatus");

const ProviderAccountStatus = z
  .object({
    companyId: z.int(),
    account: z.string(),
    host: z.string(),
    lastSuccessAt: isoTimeText.nullable(),
    failingSince: isoTimeText.nullable(),
    certificateExpiresAt: isoTimeText.nullable(),
    credentialsExpireAt: isoTimeText.nullable(),
    calls: z
      .object({ day: z.string(), endpoints: z.record(z.string(), z.int()) })
      .nullable()
      .openapi({
        description: "Calls of its last day (São Paulo) by what was called: houses limit them.",
      }),
  })
  .openapi("ProviderAccountStatus");

/** What the status says of the work that waits, of PSPs and of the service itself. */
export const watchFields = {
  oldest: z
    .object({
      delivery: isoTimeText.nullable(),
      callback: isoTimeText.nullable(),
      payout: isoTimeText.nullable(),
      outboxEntry: isoTimeText.nullable(),
    })
    .openapi({
      description:
        "Since when the oldest of each waits: a due delivery, a due callback, a payout that is undecided for ten " +
        "minutes, and a change that D1 lacked at its company's last check.",
    }),
  undecidedPayouts: z
    .array(
      z.object({ companyId: z.int(), withdrawId: z.int(), amount: centavos, since: isoTimeText }),
    )
    .openapi({ description: "Longest first; at most 100." }),
  receivers: z
    .array(
      z.object({
        companyId: z.int(),
        host: z.string(),
        since: isoTimeText,
        failure: z.string(),
        stoppedAt: isoTimeText
          .nullable()
          .openapi({ description: "When the gateway stopped sending there." }),
      }),
    )
    .openapi({ description: "Receivers of webhooks that fail for five minutes; at most 100." }),
  deadLetters: z.object({
    open: z.int().openapi({ description: "Counts at most 1,000." }),
    oldestAt: isoTimeText.nullable(),
  }),
  emails: z
    .object({
      failed: z.int(),
      kinds: z.array(z.object({ kind: z.enum(EMAIL_KINDS), failed: z.int() })),
      newestAt: isoTimeText.nullable(),
    })
    .openapi({ description: "E-mails that were given up in the last day; counts at most 1,000." }),
  providers: z.array(ProviderStatus).openapi({ description: "Each PSP, by host." }),
  providerAccounts: z.array(ProviderAccountStatus).openapi({
    description: "Accounts that fail, and those whose access ends within 60 days.",
  }),
  heartbeats: z.array(Heartbeat),
  alarms: z.array(Alarm).openapi({ description: "Every alarm that has ever fired." }),
};

export const EXAMPLE_WATCH = {
  oldest: { delivery: null, callback: null, payout: TIME, outboxEntry: null },
  undecidedPayouts: [{ companyId: 17, withdrawId: 7, amount: 10_000, since: TIME }],
  receivers: [
    { companyId: 17, host: "loja.example.com", since: TIME, failure: "503", stoppedAt: null },
  ],
  deadLetters: { open: 0, oldestAt: null },
  emails: {
    failed: 2,
    kinds: [
      { kind: "approval" as const, failed: 0 },
      { kind: "reminder" as const, failed: 2 },
    ],
    newestAt: TIME,
  },
  providers: [
    {
      host: HOST,
      calls: 1_200,
      faults: 2,
      lagSeconds: 0,
      lastHour: { since: TIME, calls: 90, p50Seconds: 0.18, p95Seconds: 0.7 },
      lastSuccessAt: TIME,
      lastFault: null,
    },
  ],
  providerAccounts: [
    {
      companyId: 17,
      account: "first",
      host: HOST,
      lastSuccessAt: TIME,
      failingSince: null,
      certificateExpiresAt: END,
      credentialsExpireAt: null,
      calls: { day: TIME.slice(0, 10), endpoints: { "POST charge": 12 } },
    },
  ],
  heartbeats: [
    {
      task: "minute",
      lastStartAt: TIME,
      lastSuccessAt: TIME,
      lastErrorAt: null,
      lastError: null,
    },
  ],
  alarms: [
    {
      id: "payout_undecided",
      severity: "critical" as const,
      detail: "Withdraw 7 of company 17 is undecided for 31 min.",
      since: TIME,
      resolvedAt: null,
      runbook: "docs/runbook/payout_undecided.md",
    },
  ],
};
