import { FORKED_TABLES } from "../../../../src/domain/fork/object-tables.ts";

/** The relevant columns of `EXPLAIN QUERY PLAN`. */
export interface PlanRow {
  detail: string;
}

/** Tables that do not grow with payments. */
const CONSTANT_SIZE_TABLES: Record<string, string> = {
  applied_migrations: "one row for each migration of the object",
  allowed_pix_keys: "at most 1,000 PIX keys of a company",
  company_clocks: "one row for each sandbox company whose clock was moved",
  cron_heartbeats: "one row for each task of the cron",
  provider_hosts: "one row for each PSP",
  alarms: "one row for each alarm of thresholds.ts",
  service_samples: "a row each five minutes, for eight days",
  webhook_attempts: "two rows",
  alarm_notices: "one row for each alarm and target",
  d1_migrations: "one row for each migration of D1",
  company: "one row: what an object knows of its company",
  audit_suspects: "what one step of the audit could not prove; the next step begins by clearing it",
  sqlite_master: "the schema, which the mover of a company reads",
  two_factors:
    "one row for each person with an authenticator app, read whole by a rotation of keys",
  release_days: "one row for each future day that money is released on; it goes with the money",
};

/** Tables of open work: a row is deleted when it is done. */
const WORK_QUEUES: Record<string, string> = {
  outbox: "what D1 is still owed by an object's commits",
  outbox_set_aside: "what of it D1 refuses, until it is mended or a person gives it up",
  unarchived: "what the archive has not taken; empty while its bucket answers",
  callbacks: "what providers said and nobody has read back yet",
  move_changes: "what changed of companies that are being moved; empty between moves",
  releases: "credits that are still awaited",
  pending_approvals: "withdraws that wait for an approval, at most three days",
  waiting_exits: "refunds and returns that wait for an approval, at most three days",
  payer_erasure_requests: "requests whose charges are not all in line; one is there for minutes",
};

/** Partial indices of open work, which are counted or read at their first entry. */
const OPEN_WORK_TABLES: Record<string, string> = {
  applications_pending: "limits that were loosened since the application's last change",
  companies_frozen: "frozen companies",
  companies_pending: "settings that were loosened since the company's last change",
  checkouts_held: "reservations that wait for their charge, at most two minutes",
  contradictions_open: "what a person has still to decide: it is counted up to a limit",
  dead_letters_open: "what a person has still to send again: it is counted up to a limit",
  disputes_open: "disputes that are not decided",
  operations_pending: "refunds, cancels, captures and returns without an outcome",
  placements_moving: "companies that are being moved to another database",
  payments_suspended: "payments that nobody expected: a person has to look at each",
  rechecks_open: "payouts of the last 90 days and open disputes: the first one is looked for",
  suspense_disputes_open: "disputes of unexpected payments that are not decided",
  self_checks_operations: "companies with operations that a provider has not answered",
  unexpected_payments_open: "payments that are neither returned nor credited",
  withdraws_undecided: "payouts that a provider has not decided",
  withdraws_awaiting: "withdraws that nobody has claimed",
  withdraws_processing: "withdraws whose provider has not given its last word",
};

/** Plans that seem to grow, each with its bound. */
const BOUNDED: { query: string; detail: string; bound: string }[] = [
  ...[
    "SCAN psp_accounts",
    "SCAN company_providers",
    "SCAN former_accounts",
    "USE TEMP B-TREE FOR GROUP BY",
  ].map((detail) => ({
    query: "first_company",
    detail,
    bound: "one row for each company with a PSP, once a minute",
  })),
  ...["SCAN settlement_passes", "USE TEMP B-TREE FOR ORDER BY"].map((detail) => ({
    query: 'from "settlement_passes" inner join "psp_accounts"',
    detail,
    bound: "one row for each account whose house tells its settlements, once a minute",
  })),
  {
    query: 'from "company_accounts" where',
    detail: "USE TEMP B-TREE FOR ORDER BY",
    bound: "the accounts that a company has and has had",
  },
  {
    query: 'sum("gross") from "daily_reports"',
    detail: "USE TEMP B-TREE FOR GROUP BY",
    bound: "the reports of today and yesterday, by their day: a row for each company and method",
  },
  ...["USE TEMP B-TREE FOR GROUP BY", "USE TEMP B-TREE FOR ORDER BY"].map((detail) => ({
    query: 'select "daily_reports"."company_id", "companies"."name", sum(CASE WHEN',
    detail,
    bound: "the reports of two weeks, by their day: read by the cron, once a day",
  })),
  {
    query: "\"attempts_log\" ->> '$[0].at'",
    detail: "SCAN deliveries USING INDEX deliveries_due",
    bound: "the 500 open deliveries that are due first or last, by their partial index",
  },
  ...["last_day, is_due", "days_early"].map((group) => ({
    query: `group by payment_method, ${group}`,
    detail: "USE TEMP B-TREE FOR GROUP BY",
    bound: "the days of a company's open charges, and of at most 5,000 past ones",
  })),
  {
    query: "SELECT at / 3600000 AS hour",
    detail: "USE TEMP B-TREE FOR GROUP BY",
    bound: "the hours in which approvals expire, and of the deadlines of open disputes",
  },
  {
    query: '"name", "bytes" from "storage_gauges"',
    detail: "SCAN storage_gauges USING COVERING INDEX storage_gauges_bytes",
    bound: "the seventy largest, by the index backwards",
  },
  {
    query: "SELECT * FROM payment_links ORDER BY number DESC LIMIT",
    detail: "SCAN payment_links",
    bound: "the newest hundred, by the primary key backwards, that an operator inspects",
  },
  {
    query: "SELECT * FROM exit_sums ORDER BY subject LIMIT",
    detail: "SCAN exit_sums",
    bound:
      "the company's row and those of its first callers, in the primary key's order: at most a hundred",
  },
  ...["pragma_table_info(tables.name)", "pragma_index_info(indexes.name)"].map((query) => ({
    query,
    detail: "USE TEMP B-TREE FOR ORDER BY",
    bound: "the columns of the schema",
  })),
  {
    query: 'ORDER BY "key_hash" LIMIT',
    detail: "USE TEMP B-TREE FOR ORDER BY",
    bound: "the keys of a company that is moved, of which two are active",
  },
  {
    query: 'order by "applications"."deleted_at" desc limit',
    detail: "USE TEMP B-TREE FOR ORDER BY",
    bound: "a company's applications: at most fifty, and the newest fifty deleted ones",
  },
  ...[
    ["FROM subscription_cycles AS c", "the debits that are due in at most 90 days"],
    ["FROM subscriptions AS s", "the subscriptions that were made in at most 90 days"],
    [
      "FROM subscriptions INDEXED BY subscriptions_status",
      "the subscriptions that are debited now",
    ],
  ].map(([query = "", bound = ""]) => ({ query, detail: "USE TEMP B-TREE FOR GROUP BY", bound })),
  {
    query: 'from "transactions" where false',
    detail: "SCAN transactions",
    bound: "a search for what cannot be there: no row is read",
  },
  ...FORKED_TABLES.map((table) => ({
    query: `SELECT * FROM ${table} LIMIT -1`,
    detail: `SCAN ${table}`,
    bound: "all rows of a company that an operator forks, up to a size",
  })),
  {
    query: "FROM movements ORDER BY sequence DESC LIMIT 1",
    detail: "SCAN movements",
    bound: "the newest row, from the end of the primary key",
  },
  {
    query: "FROM withdraws ORDER BY id DESC LIMIT 1",
    detail: "SCAN withdraws",
    bound: "the newest row, from the end of the primary key",
  },
  {
    query: "FROM audits a LEFT JOIN movements m",
    detail: "SCAN a",
    bound: "one row for each of the two walks of the audit",
  },
];

const SCAN = /^SCAN (?<name>\S+)(?: USING (?:COVERING )?INDEX (?<index>\S+))?/;
/** Constants and the query's own values are not a table. */
const NO_TABLE = /^SCAN (?:\d+ )?(?:CONSTANT ROWS?|\d+-ROW VALUES CLAUSE|\(|\S+ VIRTUAL TABLE)/;
/** A materialized subquery; its own reads have their own lines. */
const DERIVED = /^(?:MATERIALIZE|CO-ROUTINE) (?<name>\S+)/;

/**
 * The lines of a plan that grow with history: scans of growing tables or of their indices,
 * automatic indices, and unbounded temporary B-trees. Empty for a good plan.
 */
export function problemsOfPlan(query: string, plan: readonly PlanRow[]): string[] {
  const details = plan.map(({ detail }) => detail);
  const derived = new Set(details.map((detail) => DERIVED.exec(detail)?.groups?.["name"]));
  return details.filter((detail) => {
    const isBounded = BOUNDED.some(
      (known) => known.detail === detail && query.includes(known.query),
    );
    if (isBounded) return false;
    if (/\b(?:TEMP B-TREE|AUTOMATIC)\b/.test(detail)) return true;
    const scan = NO_TABLE.test(detail) ? undefined : SCAN.exec(detail)?.groups;
    if (scan === undefined || derived.has(scan["name"])) return false;
    const { name = "", index = "" } = scan;
    return !(name in CONSTANT_SIZE_TABLES || name in WORK_QUEUES || index in OPEN_WORK_TABLES);
  });
}

/** Whether the query has a plan: it reads or writes rows, and is no DDL. */
export function hasPlan(query: string): boolean {
  return /^\s*(?:select|insert|update|delete|replace|with)\b/i.test(query);
}

const QUOTED = /'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*.*?\*\//gs;

/** The number of a query's bound parameters; those with a name count once. No query has both kinds. */
export function bindingCount(query: string): number {
  const unquoted = query.replaceAll(QUOTED, "");
  const names = new Set(unquoted.match(/:[a-z]\w*/gi));
  let count = names.size;
  for (const [, number] of unquoted.matchAll(/\?(\d*)/g)) {
    count = number === "" ? count + 1 : Math.max(count, Number(number));
  }
  return count;
}
