import type { ArchivedRows } from "../../../db/archive/archived-rows.ts";
import { callCompany } from "../../../company-client/stub.ts";
import { findCompanyRecord } from "../../../db/companies/company-records.ts";
import { listAccounts } from "../../../db/companies/psp-accounts.ts";
import { companyHealth } from "../../../db/operator/attention.ts";
import { countCompanies, listPasses, type PassRow } from "../../../db/operator/status.ts";
import { roundsOfCompanies } from "../../../db/reconciliation/self-checks.ts";
import { listAlarms, type AlarmRow } from "../../../db/watch/alarms.ts";
import { shownFreeze, type ShownFreeze } from "../../../domain/access/freeze.ts";
import type { Pause, Pauses } from "../../../domain/operators/pause.ts";
import { isoTime, isoTimeOrNull, type Clock } from "../../../domain/shared/clock.ts";
import { shareOf, type ComparisonRound } from "../../../domain/reconciliation/comparison-round.ts";
import type { ContradictionKind } from "../../../domain/reconciliation/contradiction.ts";
import type { Cents } from "../../../domain/shared/money.ts";
import {
  expectedBankBalance,
  unexplainedDifference,
  type Undecided,
} from "../../../domain/reconciliation/ledger-position.ts";
import { configOf, type Config, type Env } from "../../../config.ts";
import { versionOf } from "../../../version.ts";
import { runbookOf } from "../alarms/message.ts";
import { answersView, speedView } from "./answer-views.ts";
import { operatorAnswers, type OperatorAnswers } from "./answers.ts";
import { serviceFigures, type ServiceFigures } from "./figures.ts";
import { callProvider, type ProviderBalance } from "../../../providers/provider.ts";
import { notFound } from "../../../http/problems.ts";
import type { OperationContext } from "../../transactions/operations.ts";
import { EMPTY_QUERY, fetchSnapshot } from "../audit/service.ts";

/** Companies counted per database: each costs a row read. */
const COMPANIES_MAX = 10_000;
/** Enough for four passes over four lists of each account whose balance is queried. */
const PASSES_MAX = 100;
/** Newest former accounts whose balance is queried: each costs a call to a PSP. */
const FORMER_QUERIED_MAX = 5;

/**
 * What needs somebody, over all companies, and how the service itself is. Amounts in centavos.
 */
export async function gatewayStatus(env: Env, clock: Clock) {
  const [companies, rounds, figures, answers, alarms] = await Promise.all([
    countCompanies(env, COMPANIES_MAX),
    roundsOfCompanies(env, COMPANIES_MAX),
    serviceFigures(env, clock),
    operatorAnswers(env, clock.now()),
    listAlarms(env),
  ]);
  const { at, oldest } = figures;
  return {
    at: isoTime(at),
    ...versionOf(env),
    companies,
    contradictions: contradictionsView(figures),
    latePasses: figures.latePasses.map(passView),
    databases: figures.databases.map(({ name, bytes, measuredAt, latencyMs }) => ({
      name,
      bytes,
      measuredAt: isoTimeOrNull(measuredAt),
      latencyMs,
    })),
    pauses: pausesView(figures.pauses),
    archive: archiveView(figures),
    frozen: figures.frozen.map(({ name, ...freeze }) => ({ ...freezeView(freeze), name })),
    copies: copiesView(figures, rounds),
    failing: figures.failing.map(failingView),
    oldestDueDelivery: isoTimeOrNull(oldest.delivery),
    oldest: {
      delivery: isoTimeOrNull(oldest.delivery),
      callback: isoTimeOrNull(oldest.callback),
      payout: isoTimeOrNull(oldest.payout),
      outboxEntry: isoTimeOrNull(oldest.outboxEntry),
    },
    undecidedPayouts: figures.undecidedPayouts.map(({ since, ...payout }) => ({
      ...payout,
      since: isoTime(since),
    })),
    receivers: figures.receivers.map(({ since, openedAt, ...receiver }) => ({
      ...receiver,
      since: isoTime(since),
      stoppedAt: isoTimeOrNull(openedAt),
    })),
    emails: { ...figures.emails, newestAt: isoTimeOrNull(figures.emails.newestAt) },
    deadLetters: {
      open: figures.deadLetters.open,
      oldestAt: isoTimeOrNull(figures.deadLetters.oldestAt),
    },
    providers: figures.providers.map((provider) => providerView(answers, provider)),
    providerAccounts: accountsView(figures),
    heartbeats: figures.heartbeats.map(({ task, lastError, ...times }) => ({
      task,
      lastStartAt: isoTime(times.lastStartAt),
      lastSuccessAt: isoTimeOrNull(times.lastSuccessAt),
      lastErrorAt: isoTimeOrNull(times.lastErrorAt),
      lastError,
    })),
    ...answersView(answers),
    alarmTargets: alarmTargetsView(configOf(env)),
    alarms: alarms.map((alarm) => alarmView(configOf(env), alarm)),
  };
}

function contradictionsView({ contradictions: open }: ServiceFigures) {
  const byKind: Partial<Record<ContradictionKind, number>> = {};
  for (const { kind } of open) byKind[kind] = (byKind[kind] ?? 0) + 1;
  const oldest = open.reduce<number | null>(
    (first, { since }) => (first === null ? since : Math.min(first, since)),
    null,
  );
  return {
    open: open.length,
    held: open.reduce((sum, { held }) => sum + held, 0),
    oldestSince: isoTimeOrNull(oldest),
    byKind,
  };
}

/** How far the comparison of all copies is, and what it rewrote within a day. */
function copiesView(
  { copies }: ServiceFigures,
  companies: Awaited<ReturnType<typeof roundsOfCompanies>>,
) {
  const rounds = companies.flatMap(({ round }) => round ?? []);
  const ends = companies.map(({ roundEndedAt }) => roundEndedAt);
  const shares = rounds.reduce((sum, round) => sum + shareOf(round), 0);
  return {
    comparedRows: copies.comparedRows,
    mendedCopies: copies.mendedCopies,
    runningRounds: rounds.filter(({ endedAt }) => endedAt === null).length,
    share: companies.length === 0 ? 0 : roundedShare(shares / companies.length),
    oldestRoundEndedAt: ends.includes(null) ? null : isoTimeOrNull(oldestOf(ends)),
    mended: copies.mended.map(({ at, ...company }) => ({ ...company, at: isoTime(at) })),
  };
}

function oldestOf(times: (number | null)[]): number | null {
  const known = times.flatMap((time) => time ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

function roundedShare(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}

/** A company's round over all its copies. */
function roundView(round: ComparisonRound, lastEndedAt: number | null) {
  const { startedAt, steps, stepsDone, after, rows, mended } = round;
  return {
    startedAt: isoTime(startedAt),
    lastEndedAt: isoTimeOrNull(lastEndedAt),
    share: roundedShare(shareOf(round)),
    steps,
    stepsDone,
    after,
    comparedRows: rows,
    mendedCopies: mended,
  };
}

function failingView({ checkedAt, acknowledged, ...company }: ServiceFigures["failing"][number]) {
  return {
    ...company,
    checkedAt: isoTime(checkedAt),
    acknowledged:
      acknowledged == null
        ? null
        : {
            at: isoTime(acknowledged.at),
            by: acknowledged.actorName,
            reason: acknowledged.reason,
          },
  };
}

function providerView(answers: OperatorAnswers, provider: ServiceFigures["providers"][number]) {
  const { host, calls, faults, lagMs, lastSuccessAt, lastFaultAt } = provider;
  return {
    host,
    calls,
    faults,
    lagSeconds: Math.floor(lagMs / 1_000),
    lastHour: speedView(answers, provider),
    lastSuccessAt: isoTimeOrNull(lastSuccessAt),
    lastFault:
      lastFaultAt === null
        ? null
        : {
            at: isoTime(lastFaultAt),
            companyId: provider.lastFaultCompany,
            call: provider.lastFaultCall,
            fault: provider.lastFault,
            traceId: provider.lastFaultTrace,
            durationMs: provider.lastFaultMs,
          },
  };
}

/** The accounts that fail, those whose access ends soon, and those near to a day's limit of calls. */
function accountsView({ failingAccounts, expiring, busy, nearQuota }: ServiceFigures) {
  const accounts = [...failingAccounts, ...expiring, ...busy, ...nearQuota];
  const once = new Map(accounts.map((row) => [`${row.companyId} ${row.account}`, row]));
  return [...once.values()].map(({ companyId, account, host, ...at }) => ({
    companyId,
    account,
    host,
    lastSuccessAt: isoTimeOrNull(at.lastSuccessAt),
    failingSince: isoTimeOrNull(at.failingSince),
    certificateExpiresAt: isoTimeOrNull(at.certificateExpiresAt),
    credentialsExpireAt: isoTimeOrNull(at.credentialsExpireAt),
    calls: at.callsDay === null ? null : { day: at.callsDay, endpoints: at.dayCalls ?? {} },
  }));
}

function alarmView(config: Config, { id, severity, detail, since, resolvedAt }: AlarmRow) {
  return {
    id,
    severity,
    detail,
    since: isoTime(since),
    resolvedAt: isoTimeOrNull(resolvedAt),
    runbook: runbookOf(config, id),
  };
}

function freezeView({ since, by, ...freeze }: ShownFreeze & { companyId: number }) {
  return { ...freeze, since: isoTime(since), by: by.name };
}

/** Where alarms go, and what a target lacks. */
function alarmTargetsView({ alarms: { webhook, slackUrl, email, incomplete } }: Config) {
  const set = { webhook, slack: slackUrl, email };
  const names = Object.entries(set).flatMap(([name, target]) => (target === null ? [] : [name]));
  return { names, incomplete };
}

function pausesView(pauses: Pauses | null) {
  if (pauses === null) return { known: false, service: null, companies: [] };
  const { service, companies } = pauses;
  return {
    known: true,
    service: service === null ? null : pauseView(service),
    companies: Object.entries(companies).map(([id, pause]) =>
      Object.assign(pauseView(pause), { companyId: Number(id) }),
    ),
  };
}

function rowsView({ archived, lateSince }: ArchivedRows) {
  return { archived, lateSince: isoTimeOrNull(lateSince) };
}

function archiveView({ archive: { state, companies, longest }, archivedRows }: ServiceFigures) {
  const behind = longest.map(({ companyId, since }) => ({ companyId, since: isoTime(since) }));
  const rows = {
    transactions: rowsView(archivedRows.transactions),
    events: rowsView(archivedRows.events),
  };
  return { state, behindSince: behind[0]?.since ?? null, companies, longest: behind, rows };
}

function pauseView({ since, reason, by }: Pause) {
  return { since: isoTime(since), reason, by: by.name };
}

/**
 * A company's ledger, its balances at the banks, the difference, and the part of it that no open item explains.
 * The last two are null if a balance is not known. Centavos.
 */
export async function companyStatus(context: OperationContext) {
  const { env, company } = context;
  const [position, accounts, passes] = await Promise.all([
    callCompany(env, company.id, (account) => account.ledgerPosition()),
    balancesAtBanks(context),
    listPasses(env, company.id, PASSES_MAX),
  ]);
  const expected = expectedBankBalance(position);
  const atBanks = totalOf(accounts);
  const difference = atBanks === null ? null : atBanks - expected;
  return {
    companyId: company.id,
    mode: company.mode,
    frozen: position.frozen,
    held: position.held,
    ledger: position.accounts,
    expected,
    accounts,
    difference,
    openItems: position.openItems,
    unexplained: difference === null ? null : unexplainedDifference(difference, position.openItems),
    passes: passes.map(passView),
  };
}

/**
 * A company's health as an operator on call asks for it: its last check, how far D1 is behind its object, what
 * waits for a provider or a receiver. Asks no bank. Throws 404.
 */
export async function showHealth(env: Env, companyId: number, nowMs: number) {
  const record = await findCompanyRecord(env, companyId);
  if (record === null) throw notFound("company");
  const [position, snapshot, known, passes] = await Promise.all([
    callCompany(env, companyId, (account) => account.ledgerPosition()),
    fetchSnapshot(env, companyId, EMPTY_QUERY),
    companyHealth(env, companyId, nowMs),
    listPasses(env, companyId, PASSES_MAX),
  ]);
  const { freeze } = snapshot;
  const shown = shownFreeze(freeze);
  const { check } = known;
  const { entries, rejected, attempts } = snapshot.backlog;
  return {
    companyId,
    database: record.database,
    ledger: position.accounts,
    held: position.held,
    volume: known.volume,
    frozen: freeze !== null,
    freeze: shown === null ? null : freezeView({ companyId, ...shown }),
    check:
      check === null
        ? null
        : {
            checkedAt: isoTime(check.checkedAt),
            movement: check.movement,
            violations: check.violations,
          },
    copy: {
      events: snapshot.companySequence,
      copied: known.newestEvent,
      waiting: entries,
      rejected,
      attempts,
    },
    comparison: check?.round == null ? null : roundView(check.round, check.roundEndedAt),
    mended:
      check?.mendedAt == null ? null : { at: isoTime(check.mendedAt), copies: check.mended ?? [] },
    oldestDueDelivery: isoTimeOrNull(known.oldestDueAt),
    undecided: {
      payouts: position.undecided.payouts.map(undecidedView),
      operations: position.undecided.operations.map(undecidedView),
    },
    passes: passes.map(passView),
  };
}

function undecidedView({ since, nextCheckAt, ...item }: Undecided) {
  return { ...item, since: isoTime(since), nextCheckAt: isoTimeOrNull(nextCheckAt) };
}

interface AccountBalance {
  account: string;
  answer: ProviderBalance["kind"];
  /** Centavos; null if not known. */
  balance: Cents | null;
}

/** The balances of the current account and of former ones that are still connected. */
async function balancesAtBanks(context: OperationContext): Promise<AccountBalance[]> {
  const { env, company } = context;
  if (company.accounts.length === 0) return [];
  const served = (await listAccounts(env, company.id)).filter(({ sealed }) => sealed !== "");
  const queried = served.slice(0, company.accounts.length + FORMER_QUERIED_MAX);
  return Promise.all(queried.map(({ account }) => balanceAt(context, account)));
}

async function balanceAt(
  { env, deps, company }: OperationContext,
  account: string,
): Promise<AccountBalance> {
  const provider = await deps.providers(env).ofAccount(company, account);
  if (provider === null) return { account, answer: "unknown", balance: null };
  const about = { provider: provider.name, companyId: company.id };
  const answer = await callProvider(provider.balance(), about);
  return { account, answer: answer.kind, balance: answer.kind === "known" ? answer.balance : null };
}

function totalOf(accounts: AccountBalance[]): Cents | null {
  if (accounts.length === 0) return null;
  return accounts.reduce<Cents | null>(
    (sum, { balance }) => (sum === null || balance === null ? null : sum + balance),
    0,
  );
}

function passView({ companyId, account, list, pass, readUntil, nextRunAt, finishedAt }: PassRow) {
  return {
    companyId,
    account,
    list,
    pass,
    readUntil: isoTime(readUntil),
    nextRunAt: isoTime(nextRunAt),
    finishedAt: finishedAt === null ? null : isoTime(finishedAt),
  };
}
