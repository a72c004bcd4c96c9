import { redactSecureId } from "../../domain/shared/ids.ts";
import { withdrawSubject } from "../../domain/shared/event-subject.ts";
import type { TableRow, RowsByTable } from "../../domain/shared/inspection.ts";
import type { Env } from "../../config.ts";
import { databaseFor } from "../client.ts";

/** Events shown of one object, the newest. */
const EVENTS_MAX = 100;

const EVENTS = `SELECT * FROM events INDEXED BY events_object
  WHERE company_id = ?1 AND object_id = ?2 ORDER BY company_sequence DESC LIMIT ${EVENTS_MAX}`;
const DELIVERIES = `SELECT deliveries.* FROM deliveries
  WHERE company_id = ?1 AND company_sequence IN (SELECT company_sequence FROM (${EVENTS}))`;

/** Columns that hold secrets or ciphertexts. */
const SEALED = /sealed|secret|key_hash|secure_random/;
const HIDDEN = "(not shown)";

/** D1's rows about a transaction, by table: the row itself, its events and their deliveries. */
export async function transactionRows(
  env: Env,
  companyId: number,
  id: string,
): Promise<RowsByTable> {
  const [transactions, events, deliveries] = await read(env, companyId, [
    ["SELECT * FROM transactions WHERE id = ?2 AND company_id = ?1", id],
    [EVENTS, id],
    [DELIVERIES, id],
  ]);
  // An event contains the `secureId`, and a receiver may echo it.
  const redacted = (rows: TableRow[]) => rows.map((row) => withoutSecureIdOf(row, id));
  return {
    transactions: transactions!,
    events: redacted(events!),
    deliveries: redacted(deliveries!),
  };
}

/** D1's rows about a withdraw, by table: the row itself, its events and their deliveries. */
export async function withdrawRows(env: Env, companyId: number, id: number): Promise<RowsByTable> {
  const object = withdrawSubject(id);
  const [withdraws, events, deliveries] = await read(env, companyId, [
    ["SELECT * FROM withdraws WHERE company_id = ?1 AND id = ?2", id],
    [EVENTS, object],
    [DELIVERIES, object],
  ]);
  return { withdraws: withdraws!, events: events!, deliveries: deliveries! };
}

/** D1's rows about a company, by table: settings, applications, last self-check, webhook endpoints, failing hosts. */
export async function companyRows(env: Env, companyId: number): Promise<RowsByTable> {
  const [companies, applications, checks, endpoints, hosts, transactions] = await read(
    env,
    companyId,
    [
      ["SELECT * FROM companies WHERE id = ?1"],
      ["SELECT * FROM applications WHERE company_id = ?1 LIMIT 100"],
      ["SELECT * FROM self_checks WHERE company_id = ?1"],
      ["SELECT * FROM webhook_endpoints WHERE company_id = ?1 LIMIT 100"],
      ["SELECT * FROM webhook_hosts WHERE company_id = ?1 LIMIT 100"],
      ["SELECT * FROM transactions WHERE company_id = ?1 ORDER BY seq DESC LIMIT 5"],
    ],
  );
  return {
    companies: companies!,
    applications: applications!,
    self_checks: checks!,
    webhook_endpoints: endpoints!,
    webhook_hosts: hosts!,
    "transactions, the newest": transactions!,
  };
}

async function read(
  env: Env,
  companyId: number,
  queries: [statement: string, ...values: (string | number)[]][],
): Promise<TableRow[][]> {
  const { $client: database } = databaseFor(env, companyId);
  const answers = await database.batch<TableRow>(
    queries.map(([statement, ...values]) => database.prepare(statement).bind(companyId, ...values)),
  );
  return answers.map(({ results }) => results.map(withoutSecrets));
}

function withoutSecrets(row: TableRow): TableRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      SEALED.test(name) && value !== null && value !== "" ? HIDDEN : value,
    ]),
  );
}

function withoutSecureIdOf(row: TableRow, transactionId: string): TableRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" ? redactSecureId(value, transactionId, HIDDEN) : value,
    ]),
  );
}
