import { callCompany } from "../../../company-client/stub.ts";
import { openContradictions } from "../../../db/reconciliation/contradictions.ts";
import { listFormerAccounts } from "../../../db/companies/former-accounts.ts";
import {
  countCompanies,
  databaseGauges,
  listOverduePasses,
  listPasses,
  type PassRow,
} from "../../../db/operator/status.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import type { ContradictionKind } from "../../../domain/reconciliation/contradiction.ts";
import type { Cents } from "../../../domain/shared/money.ts";
import {
  expectedBankBalance,
  unexplainedDifference,
} from "../../../domain/reconciliation/ledger-position.ts";
import type { Env } from "../../../config.ts";
import { callProvider, type ProviderBalance } from "../../../providers/provider.ts";
import type { OperationContext } from "../../transactions/operations.ts";

/** Companies counted per database: each costs a row read. */
const COMPANIES_MAX = 10_000;
/** Open contradictions counted per database. */
const CONTRADICTIONS_MAX = 1_000;
/** Late passes listed. */
const PASSES_SHOWN = 100;
/** A due pass normally runs within a minute; one that waits this long is late. */
const PASS_LATE_MS = 15 * 60_000;
/** Enough for four passes over four lists of each account whose balance is queried. */
const PASSES_MAX = 100;
/** Newest former accounts whose balance is queried: each costs a call to a PSP. */
const FORMER_QUERIED_MAX = 5;

/** Open contradictions, late passes and database sizes, over all companies. Amounts in centavos. */
export async function gatewayStatus(env: Env, nowMs: number) {
  const [companies, open, late, gauges] = await Promise.all([
    countCompanies(env, COMPANIES_MAX),
    openContradictions(env, CONTRADICTIONS_MAX),
    listOverduePasses(env, { nowMs, dueBefore: nowMs - PASS_LATE_MS }, PASSES_SHOWN),
    databaseGauges(env),
  ]);
  const byKind: Partial<Record<ContradictionKind, number>> = {};
  for (const { kind } of open) byKind[kind] = (byKind[kind] ?? 0) + 1;
  const oldest = open.reduce<number | null>(
    (first, { since }) => (first === null ? since : Math.min(first, since)),
    null,
  );
  return {
    at: isoTime(nowMs),
    companies,
    contradictions: {
      open: open.length,
      held: open.reduce((sum, { held }) => sum + held, 0),
      oldestSince: oldest === null ? null : isoTime(oldest),
      byKind,
    },
    latePasses: late.map(passView),
    databases: gauges.map(({ name, bytes, measuredAt }) => ({
      name,
      bytes,
      measuredAt: isoTime(measuredAt),
    })),
  };
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

interface AccountBalance {
  account: string;
  answer: ProviderBalance["kind"];
  /** Centavos; null if not known. */
  balance: Cents | null;
}

/** The balances of the current account and of former ones that are still connected. */
async function balancesAtBanks(context: OperationContext): Promise<AccountBalance[]> {
  const { env, company } = context;
  if (company.pixApi === null) return [];
  const former = await listFormerAccounts(env, company.id);
  const connected = former.filter(({ sealed }) => sealed !== "").slice(0, FORMER_QUERIED_MAX);
  const accounts = [company.pixApi.account, ...connected.map(({ account }) => account)];
  return Promise.all(accounts.map((account) => balanceAt(context, account)));
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
