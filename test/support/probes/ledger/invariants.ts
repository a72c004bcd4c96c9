import { expect } from "vitest";
import {
  statementLineView,
  type StatementLine,
  type StatementQuery,
} from "../../../../src/domain/ledger/statement.ts";
import { StatementVerifier } from "../../../../src/domain/ledger/statement-verifier.ts";
import { CURRENCY } from "../../../../src/domain/shared/money.ts";
import { inAccount, takeCreatedCompanies } from "../../builders/companies/company.ts";
import { byDayAndMethod, DAILY_REPORTS_SQL, dailyTotalsIn } from "./daily-rows.ts";
import { eventCountIn } from "./ledger-rows.ts";
import { shardOf } from "../database/shards.ts";
import { selfCheck } from "./self-check.ts";
import { deliveriesOf } from "../webhooks/webhook-rows.ts";

/**
 * Asserts the invariants of docs/architecture.md for every company of the test: those of one
 * object (I1-I6, I8, I11), and, once its outbox is drained, those between object and D1 (I7, I9).
 */
export async function assertInvariants(): Promise<void> {
  for (const companyId of takeCreatedCompanies()) {
    expect(await violationsOf(companyId), `company ${companyId}`).toEqual([]);
  }
}

const LINKS_SQL = `SELECT number, id, slug, name, is_active, terms, max_payments, expires_at, metadata,
  paid_count, open_count, created_at, updated_at, version FROM payment_links`;

const WHOLE_STATEMENT: StatementQuery = {
  currency: CURRENCY,
  after: 0,
  limit: Number.MAX_SAFE_INTEGER,
  from: null,
  to: null,
  accounts: "all",
};

/** What the verifier of exported statements says of the company's own; null if it is genuine. */
function statementError(lines: StatementLine[]): string | null {
  const verifier = new StatementVerifier();
  for (const line of lines) verifier.add(statementLineView(line));
  const { error, missesProviderLines } = verifier.end();
  return error ?? (missesProviderLines ? "it misses the provider's lines" : null);
}

async function violationsOf(companyId: number): Promise<string[]> {
  const own = await inAccount(companyId, async (account, state) => {
    await account.runNow();
    const violations = selfCheck(state.storage.sql);
    const rows = (query: string) => state.storage.sql.exec(query).toArray();
    return {
      violations,
      undrained: (await account.snapshot({ transactionIds: [], withdrawIds: [] })).backlog.entries,
      charges: rows("SELECT transaction_id AS id, status, version FROM charges"),
      withdraws: rows("SELECT id, status, version FROM withdraws WHERE status <> 'Awaiting'"),
      disputes: rows(
        `SELECT number, id, status, amount, version, evidence FROM disputes WHERE version > 0
         UNION ALL SELECT number, id, status, amount, version, evidence FROM suspense_disputes
         WHERE version > 0 AND id NOT IN (SELECT id FROM disputes)`,
      ),
      payments: rows(
        `SELECT payment_id AS id, status, transaction_id AS "transaction", version FROM payments
         WHERE number IS NOT NULL`,
      ),
      links: rows(LINKS_SQL),
      events: eventCountIn(state.storage.sql),
      daily: dailyTotalsIn(state.storage.sql),
      statement: statementError(await account.statement(WHOLE_STATEMENT)),
    };
  });
  const home = await shardOf(companyId);
  const [copies, withdraws, transactions, payments, events, daily, disputes, links] =
    await home.batch<any>(
      [
        `SELECT id, status, version FROM transactions
       WHERE company_id = ? AND version > 0`,
        "SELECT id, status, version FROM withdraws WHERE company_id = ? AND status <> 'Awaiting'",
        "SELECT seq, created_at AS createdAt FROM transactions WHERE company_id = ? ORDER BY seq",
        `SELECT payment_id AS id, status, transaction_id AS "transaction", version
       FROM unexpected_payments WHERE company_id = ?`,
        "SELECT company_sequence AS sequence FROM events WHERE company_id = ? ORDER BY company_sequence",
        DAILY_REPORTS_SQL,
        "SELECT number, id, status, amount, version, evidence FROM disputes WHERE company_id = ?",
        `${LINKS_SQL} WHERE company_id = ?`,
      ].map((query) => home.prepare(query).bind(companyId)),
    );
  const violations = [...own.violations];
  const check = (name: string, holds: boolean) => {
    if (!holds) violations.push(name);
  };
  if (own.statement !== null) violations.push(`the statement: ${own.statement}`);
  check("the outbox is not drained", own.undrained === 0);
  check("I9 charges differ", sameRows(own.charges, copies!.results));
  check("I9 withdraws differ", sameRows(own.withdraws, withdraws!.results));
  check("I9 disputes differ", sameRows(own.disputes, disputes!.results));
  check("I9 payment links differ", sameRows(own.links, links!.results));
  check("I9 unexpected payments differ", sameRows(own.payments, payments!.results));
  check(
    "I9 daily totals differ",
    JSON.stringify(own.daily) === JSON.stringify(byDayAndMethod(daily!.results)),
  );
  check(
    "I7 seq has a gap",
    transactions!.results.every((row, index) => row.seq === index + 1),
  );
  check(
    "I7 createdAt falls",
    transactions!.results.every(
      (row, index, all) => index === 0 || row.createdAt >= all[index - 1].createdAt,
    ),
  );
  check(
    "I8 events have a gap or are missing",
    events!.results.length === own.events &&
      events!.results.every((row, index) => row.sequence === index + 1),
  );
  check(
    "I8 a delivery is neither due nor final",
    (await deliveriesOf({ id: companyId })).every(
      ({ status, dueAt }) => (dueAt === null) === (status !== "pending"),
    ),
  );
  return violations;
}

function sameRows(left: object[], right: object[]): boolean {
  return asSortedText(left) === asSortedText(right);
}

function asSortedText(rows: object[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join();
}
