import { callCompany } from "../../company-client/stub.ts";
import { balanceView } from "../../domain/ledger/balance.ts";
import type { StatementLine, StatementQuery } from "../../domain/ledger/statement.ts";
import type { Env } from "../../config.ts";

/** A company's balance in reais, with the newest head of its ledger and the newest anchor. */
export async function readBalance(env: Env, companyId: number, currency: string) {
  const { balances, head, anchor } = await callCompany(env, companyId, (account) =>
    account.balances(),
  );
  return {
    ...balanceView(companyId, currency, balances),
    ledgerSequence: head.sequence,
    ledgerHash: head.hash,
    ledgerAnchor: anchor,
  };
}

/** A company's balance in centavos, with the newest head of its ledger. */
export async function readOwnBalance(env: Env, companyId: number, currency: string) {
  const { balances, head } = await callCompany(env, companyId, (account) => account.balances());
  const { available, held, awaiting, blocked, owed } = balances;
  return {
    companyId,
    currency,
    availableCents: available,
    heldCents: held,
    awaitingCents: awaiting,
    blockedCents: blocked,
    owedCents: owed,
    ledgerSequence: head.sequence,
    ledgerHash: head.hash,
  };
}

/** A company's amounts that await release, by day. Centavos. */
export async function readForecast(env: Env, companyId: number, currency: string) {
  const items = await callCompany(env, companyId, (account) => account.forecast());
  const total = items.reduce((sum, day) => sum + day.amount, 0);
  return { companyId, currency, total, items };
}

/** One page of a statement, and whether more lines follow. */
export async function statementPage(
  env: Env,
  companyId: number,
  query: StatementQuery,
): Promise<{ lines: StatementLine[]; hasMore: boolean }> {
  const lines = await callCompany(env, companyId, (account) =>
    account.statement({ ...query, limit: query.limit + 1 }),
  );
  return { lines: lines.slice(0, query.limit), hasMore: lines.length > query.limit };
}
