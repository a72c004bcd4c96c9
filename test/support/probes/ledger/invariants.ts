import { expect } from "vitest";
import {
  statementLineView,
  type StatementLine,
  type StatementQuery,
} from "../../../../src/domain/ledger/statement.ts";
import { StatementVerifier } from "../../../../src/domain/ledger/statement-verifier.ts";
import { CURRENCY } from "../../../../src/domain/shared/money.ts";
import {
  env,
  hasStarted,
  inAccount,
  takeCreatedCompanies,
} from "../../builders/companies/company.ts";
import { byDayAndMethod, DAILY_REPORTS_SQL, dailyTotalsIn } from "./daily-rows.ts";
import { eventCountIn } from "./ledger-rows.ts";
import { unrecorded } from "../database/recorded-queries.ts";
import { SPARE_DB } from "../database/shards.ts";
import { selfCheck } from "./self-check.ts";

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

const SUBSCRIPTIONS_SQL = `SELECT number, id, status, customer, amount, mandate, dunning, next_cycle, version
  FROM subscriptions`;
const CYCLES_SQL = `SELECT number, subscription_id, cycle, status, amount, transaction_id, debit, attempts, recovery, version
  FROM subscription_cycles`;

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

/** What an object has of itself, to be compared with D1. */
interface ObjectState {
  violations: string[];
  undrained: number;
  charges: object[];
  withdraws: object[];
  disputes: object[];
  payments: object[];
  links: object[];
  subscriptions: object[];
  cycles: object[];
  events: number;
  daily: Record<string, number[]>;
  statement: string | null;
}

/** An object that nobody called has neither tables nor rows. */
const NOT_STARTED: ObjectState = {
  violations: [],
  undrained: 0,
  charges: [],
  withdraws: [],
  disputes: [],
  payments: [],
  links: [],
  subscriptions: [],
  cycles: [],
  events: 0,
  daily: {},
  statement: null,
};

function stateOf(companyId: number): Promise<ObjectState> {
  return inAccount(companyId, async (account, state) => {
    await account.runNow();
    const { backlog } = await account.snapshot({ transactionIds: [], withdrawIds: [] });
    const statement = statementError(await account.statement(WHOLE_STATEMENT));
    return unrecorded(() => ({
      violations: selfCheck(state.storage.sql),
      undrained: backlog.entries,
      ...rowsIn(state.storage.sql),
      statement,
    }));
  });
}

/** The rows of which D1 has copies. */
function rowsIn(sql: SqlStorage): Omit<ObjectState, "violations" | "undrained" | "statement"> {
  const rows = (query: string) => sql.exec(query).toArray();
  return {
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
    subscriptions: rows(SUBSCRIPTIONS_SQL),
    cycles: rows(CYCLES_SQL),
    events: eventCountIn(sql),
    daily: dailyTotalsIn(sql),
  };
}

/** The company's rows in D1 that an object has, too, and those that have an order of their own. */
const COPIES = {
  charges: "SELECT id, status, version FROM transactions WHERE company_id = ? AND version > 0",
  withdraws:
    "SELECT id, status, version FROM withdraws WHERE company_id = ? AND status <> 'Awaiting'",
  transactions:
    "SELECT seq, created_at AS createdAt FROM transactions WHERE company_id = ? ORDER BY seq",
  payments: `SELECT payment_id AS id, status, transaction_id AS "transaction", version
    FROM unexpected_payments WHERE company_id = ?`,
  events:
    "SELECT company_sequence AS sequence FROM events WHERE company_id = ? ORDER BY company_sequence",
  daily: DAILY_REPORTS_SQL,
  disputes:
    "SELECT number, id, status, amount, version, evidence FROM disputes WHERE company_id = ?",
  links: `${LINKS_SQL} WHERE company_id = ?`,
  subscriptions: `${SUBSCRIPTIONS_SQL} WHERE company_id = ?`,
  cycles: `${CYCLES_SQL} WHERE company_id = ?`,
  deliveries: "SELECT status, next_attempt_at AS dueAt FROM deliveries WHERE company_id = ?",
  database: "SELECT database FROM placements WHERE company_id = ?",
};

type Copies = Record<keyof typeof COPIES, any[]>;

async function copiesIn(database: D1Database, companyId: number): Promise<Copies> {
  const statements = unrecorded(() =>
    Object.values(COPIES).map((query) => database.prepare(query).bind(companyId)),
  );
  const answers = await database.batch<any>(statements);
  return Object.fromEntries(
    Object.keys(COPIES).map((name, index) => [name, answers[index]!.results]),
  ) as Copies;
}

/** From the company's own database, which nearly always is the first one. */
async function copiesOf(companyId: number): Promise<Copies> {
  const found = await copiesIn(env.DB, companyId);
  return found.database[0]?.database === "DB_2" ? copiesIn(SPARE_DB, companyId) : found;
}

async function violationsOf(companyId: number): Promise<string[]> {
  const own = hasStarted(companyId) ? await stateOf(companyId) : NOT_STARTED;
  const copies = await copiesOf(companyId);
  const violations = [...own.violations];
  const check = (name: string, holds: boolean) => {
    if (!holds) violations.push(name);
  };
  if (own.statement !== null) violations.push(`the statement: ${own.statement}`);
  check("the outbox is not drained", own.undrained === 0);
  check("I9 charges differ", sameRows(own.charges, copies.charges));
  check("I9 withdraws differ", sameRows(own.withdraws, copies.withdraws));
  check("I9 disputes differ", sameRows(own.disputes, copies.disputes));
  check("I9 payment links differ", sameRows(own.links, copies.links));
  check("I9 subscriptions differ", sameRows(own.subscriptions, copies.subscriptions));
  check("I9 cycles of subscriptions differ", sameRows(own.cycles, copies.cycles));
  check("I9 unexpected payments differ", sameRows(own.payments, copies.payments));
  check(
    "I9 daily totals differ",
    JSON.stringify(own.daily) === JSON.stringify(byDayAndMethod(copies.daily)),
  );
  check(
    "I7 seq has a gap",
    copies.transactions.every((row, index) => row.seq === index + 1),
  );
  check(
    "I7 createdAt falls",
    copies.transactions.every(
      (row, index, all) => index === 0 || row.createdAt >= all[index - 1].createdAt,
    ),
  );
  check(
    "I8 events have a gap or are missing",
    copies.events.length === own.events &&
      copies.events.every((row, index) => row.sequence === index + 1),
  );
  check(
    "I8 a delivery is neither due nor final",
    copies.deliveries.every(({ status, dueAt }) => (dueAt === null) === (status !== "pending")),
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
