import { env, inAccount, type TestCompany } from "../support/builders/companies/company.ts";
import { storedEventsOf } from "../support/probes/webhooks/webhook-rows.ts";
import { accountsIn } from "../support/probes/ledger/ledger-rows.ts";
import {
  byDayAndMethod,
  DAILY_REPORTS_SQL,
  dailyTotalsIn,
  type DailyRow,
} from "../support/probes/ledger/daily-rows.ts";
import { selfCheck } from "../support/probes/ledger/self-check.ts";

type Row = Record<string, string | number | null>;
type ChargeRow = Record<"status" | "paid_amount" | "refunded_amount", string | number> & {
  transaction_id: string;
};

const ACCOUNTS = ["available", "awaiting", "blocked", "payout", "suspense", "fees", "debt"];

/** The state of a company's object after a step, in the model's terms. */
export interface LedgerView {
  violations: string[];
  accounts: Record<string, number>;
  frozen: boolean;
  /** Status, paid and refunded amount; null if the object does not know the charge. */
  charges: (unknown[] | null)[];
  /** Status, amount, deadline and evidence. */
  disputes: unknown[][];
  operations: unknown[][];
  withdraws: unknown[][];
  /** Kind, held amount and whether it is decided. */
  contradictions: unknown[][];
  /** Unexpected payments that nobody returns or has returned. */
  kept: unknown[];
  /** Count, gross, fees and refunds, by day and payment method. */
  dailyTotals: Record<string, number[]>;
  /** Whether an alarm is set if there is open work. */
  hasAlarm: boolean;
}

/** The object's state after its due releases. */
export function ledgerViewOf(company: TestCompany, transactionIds: string[]): Promise<LedgerView> {
  return inAccount(company.id, async (account, state) => {
    const rows = (query: string) => state.storage.sql.exec<Row>(query).toArray();
    const { balances } = await account.balances();
    const violations = selfCheck(state.storage.sql);
    const audit = await account.auditLedger({
      companyId: company.id,
      pass: "cron",
      fromStart: false,
    });
    const accounts = new Map(Object.entries(accountsIn(state.storage.sql)));
    const charges = new Map(
      state.storage.sql
        .exec<ChargeRow>("SELECT transaction_id, status, paid_amount, refunded_amount FROM charges")
        .toArray()
        .map(({ transaction_id: id, ...charge }) => [id, Object.values(charge)]),
    );
    const { backlog: atD1 } = await account.snapshot({ transactionIds: [], withdrawIds: [] });
    const undrained = atD1.entries;
    // Unclaimed work waits while the company is frozen; the commit of the thaw sets the alarm.
    const due = balances.frozen ? "status <> 'Awaiting'" : "true";
    const [owed] = rows(
      `SELECT (SELECT count(*) FROM releases)
         + (SELECT count(*) FROM operations WHERE next_check_at IS NOT NULL)
         + (SELECT count(*) FROM withdraws WHERE next_check_at IS NOT NULL AND ${due}) AS n`,
    );
    return {
      violations: [...violations, ...audit.violations],
      accounts: Object.fromEntries(ACCOUNTS.map((name) => [name, accounts.get(name) ?? 0])),
      frozen: balances.frozen,
      charges: transactionIds.map((id) => charges.get(id) ?? null),
      disputes: rows(
        "SELECT status, amount, deadline, evidence ->> '$.text' AS text FROM disputes ORDER BY number",
      ).map(Object.values),
      operations: rows("SELECT kind, amount, status, approval FROM operations ORDER BY id").map(
        Object.values,
      ),
      withdraws: rows("SELECT amount, fee, status, approval FROM withdraws ORDER BY id").map(
        Object.values,
      ),
      contradictions: rows("SELECT kind, held, status FROM contradictions ORDER BY number").map(
        Object.values,
      ),
      kept: rows("SELECT payment_id FROM payments WHERE status = 'kept' ORDER BY payment_id").map(
        (row) => row["payment_id"],
      ),
      dailyTotals: dailyTotalsIn(state.storage.sql),
      hasAlarm: Number(owed?.["n"]) + undrained === 0 || (await state.storage.getAlarm()) !== null,
    };
  });
}

/** The same state in D1, with the events of each object, oldest first. */
export async function projectionOf(company: TestCompany, transactionIds: string[]) {
  const events = await storedEventsOf(company);
  const [charges, withdraws, daily, disputes] = await env.DB.batch<Row>(
    [
      `SELECT id, status, paid_amount, refunded_amount, refunds FROM transactions
       WHERE company_id = ? ORDER BY seq`,
      "SELECT id, status FROM withdraws WHERE company_id = ? ORDER BY id",
      DAILY_REPORTS_SQL,
      `SELECT id, status, amount, deadline, evidence ->> '$.text' AS text FROM disputes
       WHERE company_id = ? ORDER BY number`,
    ].map((query) => env.DB.prepare(query).bind(company.id)),
  );
  const eventsOf = (objectId: string) =>
    events
      .filter((event) => event.objectId === objectId)
      .map(({ type }) => type.replace(/^\w+\./, ""));
  const byId = new Map(charges!.results.map((row) => [row["id"], row]));
  return {
    charges: transactionIds.map((id) => {
      const row = byId.get(id);
      const refunds = JSON.parse(String(row?.["refunds"])) as { amount: number; status: string }[];
      return [
        row?.["status"],
        row?.["paid_amount"],
        row?.["refunded_amount"],
        refunds.map(({ amount, status }) => [amount, status]),
        eventsOf(id),
      ];
    }),
    disputes: disputes!.results.map(({ id, ...row }) =>
      Object.values<unknown>(row).concat([eventsOf(`dispute:${id}`)]),
    ),
    withdraws: withdraws!.results.map((row) => [row["status"], eventsOf(`withdraw:${row["id"]}`)]),
    dailyTotals: byDayAndMethod(daily!.results as unknown as DailyRow[]),
  };
}
