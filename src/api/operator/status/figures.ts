import { failedEmails } from "../../../db/emails.ts";
import { archivedRows } from "../../../db/archive/archived-rows.ts";
import { databaseFigures, listOverduePasses, type PassRow } from "../../../db/operator/status.ts";
import { listGivings } from "../../../db/operator/operators.ts";
import { oldestDueDelivery } from "../../../db/operator/attention.ts";
import { copyCounters, mendedSince } from "../../../db/reconciliation/self-checks.ts";
import { openContradictions } from "../../../db/reconciliation/contradictions.ts";
import { listAcknowledgements } from "../../../db/watch/alarms.ts";
import { countDeadLetters } from "../../../db/watch/dead-letters.ts";
import { listHeartbeats } from "../../../db/watch/heartbeats.ts";
import {
  accountsOfCompanies,
  busyAccounts,
  expiringAccounts,
  neededAccess,
  failingAccounts,
  listProviderHosts,
} from "../../../db/watch/providers.ts";
import {
  databaseLatencies,
  failingCompanies,
  countFailingReceivers,
  countReceivers,
  failingReceivers,
  frozenCompanies,
  loosenedSettings,
  oldestBacklog,
  oldestDueCallback,
  undecidedPayouts,
} from "../../../db/watch/waiting.ts";
import { saoPauloDay } from "../../../domain/shared/business-day.ts";
import { GIVING_TIE_MS } from "../../../domain/operators/giving.ts";
import type { Pauses } from "../../../domain/operators/pause.ts";
import { samplesAt } from "../../../db/watch/samples.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { withTimeout } from "../../../lib/timeout.ts";
import type { Clock } from "../../../domain/shared/clock.ts";
import { certificateOf, configOf, missingBindings, type Env } from "../../../config.ts";
import { sealedPrefix } from "../../../lib/secret-box.ts";
import { archiveState } from "../../../service-state/archive-state.ts";
import { KnownPauses } from "../../../service-state/known-pauses.ts";

/** Open contradictions counted per database. */
const CONTRADICTIONS_MAX = 1_000;
/** Late passes, companies, payouts, accounts and receivers that are listed. */
const LISTED_MAX = 100;
/** Receivers of webhooks counted per database, and the number of failing ones from which on all are counted. */
const RECEIVERS_COUNTED = 10_000;
const RECEIVERS_MIN = 10;
/** Frozen companies listed and counted. */
const FROZEN_MAX = 1_000;
const PAUSES_TIMEOUT_MS = 3_000;
/** Dead letters counted. */
const DEAD_LETTERS_MAX = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A due pass normally runs within a minute; one that waits this long is late. */
const PASS_LATE_MS = 15 * MINUTE_MS;
/** A provider normally decides a payout within seconds. */
const UNDECIDED_AFTER_MS = 10 * MINUTE_MS;
/** A receiver that fails for this long is more than a restart. */
const RECEIVER_FAILING_MS = 5 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** A rewritten copy is listed, and its alarm fires, for so long. */
const MENDED_LISTED_MS = DAY_MS;
/** An e-mail that was given up counts, and its alarm fires, for so long. */
const EMAIL_FAILED_MS = DAY_MS;
const EMAILS_MAX = 1_000;
/** Ends of certificates and credentials are listed this long before. */
const EXPIRY_LISTED_MS = 60 * DAY_MS;

/**
 * What the service can say of itself: the source of the status, the metrics and the alarms. Each query reads what
 * is open or a row for each task, PSP or database, never history. Times in epoch milliseconds, amounts in centavos.
 */
export async function serviceFigures(env: Env, clock: Clock) {
  const now = clock.now();
  const [work, own, pauses, archive, rows, lacking, [weekAgo = null]] = await Promise.all([
    openWork(env, now),
    ownState(env, clock),
    knownPauses(env, clock),
    archiveState(env, LISTED_MAX),
    archivedRows(env, now),
    lackingAccess(env),
    samplesAt(env, { times: [now - WEEK_MS], upTo: now }),
  ]);
  const { failing, latePasses } = work;
  const [acknowledged, accounts] = await Promise.all([
    listAcknowledgements(
      env,
      failing.map(({ id }) => id),
    ),
    accountsOfCompanies(env, [...new Set(latePasses.map(({ companyId }) => companyId))]),
  ]);
  const hostOf = new Map(accounts.map((row) => [`${row.companyId} ${row.account}`, row.host]));
  const { hosts, ...others } = own;
  return {
    at: now,
    /** Sizes of a week ago, or of the first sample. */
    weekAgo,
    pauses,
    archive,
    archivedRows: rows,
    lacking,
    missingBindings: missingBindings(env),
    ...work,
    ...others,
    failing: failing.map(({ id, name, checkedAt, violations }) => {
      const known = acknowledged.get(id);
      const isSame = known?.violations === JSON.stringify(violations);
      return { companyId: id, name, checkedAt, violations, acknowledged: isSame ? known : null };
    }),
    providers: hosts.map((host) => {
      const late = latePasses.filter(
        ({ companyId, account }) => hostOf.get(`${companyId} ${account}`) === host.host,
      );
      const lagMs = Math.max(0, ...late.map((pass) => now - lateSince(pass)));
      return Object.assign({ lagMs }, host);
    }),
  };
}

export type ServiceFigures = Awaited<ReturnType<typeof serviceFigures>>;

async function openWork(env: Env, now: number) {
  const [
    contradictions,
    latePasses,
    failing,
    delivery,
    callback,
    backlog,
    payouts,
    receivers,
    receiverCounts,
    loosened,
    frozen,
    counters,
    mended,
    emails,
  ] = await Promise.all([
    openContradictions(env, CONTRADICTIONS_MAX),
    listOverduePasses(env, { nowMs: now, dueBefore: now - PASS_LATE_MS }, LISTED_MAX),
    failingCompanies(env, LISTED_MAX),
    oldestDueDelivery(env, now),
    oldestDueCallback(env, now),
    oldestBacklog(env),
    undecidedPayouts(env, now - UNDECIDED_AFTER_MS, LISTED_MAX),
    failingReceivers(env, now - RECEIVER_FAILING_MS, LISTED_MAX),
    receiversOf(env, now),
    loosenedSettings(env, now, LISTED_MAX),
    frozenCompanies(env, FROZEN_MAX),
    copyCounters(env),
    mendedSince(env, now - MENDED_LISTED_MS, LISTED_MAX),
    failedEmails(env, { since: now - EMAIL_FAILED_MS, until: now }, EMAILS_MAX),
  ]);
  const oldest = { delivery, callback, outboxEntry: backlog, payout: payouts[0]?.since ?? null };
  return {
    contradictions,
    latePasses,
    failing,
    oldest,
    undecidedPayouts: payouts,
    receivers,
    failingReceivers: receiverCounts,
    loosened,
    frozen,
    copies: { ...counters, mended },
    emails,
  };
}

/** What is paused; null if the object that knows does not answer. */
async function knownPauses(env: Env, clock: Clock): Promise<Pauses | null> {
  try {
    return await withTimeout(new KnownPauses(clock).ask(env), PAUSES_TIMEOUT_MS);
  } catch (error) {
    log("error", "pauses_unreadable", errorFields(error));
    return null;
  }
}

/** What connections to PSPs need and the Worker lacks: a key that opens their secrets, or their client certificate. */
async function lackingAccess(env: Env) {
  const seals = await Promise.all(configOf(env).secretsKeys.map((key) => sealedPrefix([key])));
  const needed = await neededAccess(env, LISTED_MAX);
  // A seal of the first version names no key.
  const keys = needed
    .filter(({ seal }) => seal !== "" && !seal.startsWith("v1.") && !seals.includes(seal))
    .map(({ seal, companyId, companies }) => {
      return { what: "key" as const, name: seal.split(".")[1] ?? seal, companyId, companies };
    });
  const certificates = needed.flatMap(({ certificate: name, companyId, companies }) =>
    name === null || certificateOf(env, name) !== null
      ? []
      : [{ what: "certificate" as const, name, companyId, companies }],
  );
  return [...keys, ...certificates];
}

/** How many receivers fail, and of how many; all are counted only while many fail. */
async function receiversOf(env: Env, now: number) {
  const failing = await countFailingReceivers(env, now - RECEIVER_FAILING_MS, RECEIVERS_COUNTED);
  const all = failing < RECEIVERS_MIN ? failing : await countReceivers(env, RECEIVERS_COUNTED);
  // A charge may have a receiver of its own.
  return { failing, all: Math.max(failing, all) };
}

async function ownState(env: Env, clock: Clock) {
  const now = clock.now();
  const [heartbeats, deadLetters, hosts, failingPsps, expiring, busy, figures, latencies, givings] =
    await Promise.all([
      listHeartbeats(env),
      countDeadLetters(env, DEAD_LETTERS_MAX),
      listProviderHosts(env),
      failingAccounts(env, LISTED_MAX),
      expiringAccounts(env, now + EXPIRY_LISTED_MS, LISTED_MAX),
      busyAccounts(env, saoPauloDay(now), LISTED_MAX),
      databaseFigures(env),
      databaseLatencies(env, () => clock.now()),
      listGivings(env, now - GIVING_TIE_MS),
    ]);
  const databases = [...latencies].map(([name, latencyMs]) => {
    const figure = figures.find((each) => each.name === name);
    return {
      name,
      latencyMs,
      bytes: figure?.bytes ?? null,
      measuredAt: figure?.measuredAt ?? null,
    };
  });
  return {
    heartbeats,
    deadLetters,
    hosts,
    failingAccounts: failingPsps,
    expiring,
    ...busy,
    databases,
    givings,
  };
}

function lateSince({ nextRunAt, finishedAt }: PassRow): number {
  return Math.min(nextRunAt, finishedAt ?? nextRunAt);
}
