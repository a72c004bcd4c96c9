/** The only code of the bench that knows the tables: it copies rows that real requests made, by SQL. */
import {
  env,
  inAccount,
  type TestCompany,
} from "../../../test/support/builders/companies/company.ts";
import { cloneSql, columnsSql, rangesOf, type Cloning } from "./clones.ts";

/** A table whose rows are copied, and its storage. */
export interface Fixture {
  store: "D1" | "object";
  cloning: Cloning;
}

/** Copies each fixture's template once for each number from `first` to `last`. */
export async function cloneRows(
  company: TestCompany,
  fixtures: Fixture[],
  first: number,
  last: number,
): Promise<void> {
  for (const { store, cloning } of fixtures) {
    if (store === "D1") await cloneInD1(cloning, first, last);
    else await cloneInObject(company, cloning, first, last);
  }
}

async function cloneInD1(cloning: Cloning, first: number, last: number): Promise<void> {
  const { results } = await env.DB.prepare(columnsSql(cloning.table)).all<{ name: string }>();
  const columns = results.map(({ name }) => name);
  for (const range of rangesOf(first, last)) {
    await env.DB.prepare(cloneSql(cloning, columns, range.first, range.last)).run();
  }
}

function cloneInObject(
  company: TestCompany,
  cloning: Cloning,
  first: number,
  last: number,
): Promise<void> {
  return inAccount(company.id, (_account, { storage: { sql } }) => {
    const named = sql.exec<{ name: string }>(columnsSql(cloning.table)).toArray();
    const columns = named.map(({ name }) => name);
    for (const range of rangesOf(first, last)) {
      sql.exec(cloneSql(cloning, columns, range.first, range.last));
    }
  });
}

/** Copies the transaction whose `seq` is the SQL expression `template`. */
export function transactions(
  company: TestCompany,
  template: string,
  changed: { createdAt: string; dayCharges: string; externalRef: string },
): Fixture {
  return {
    store: "D1",
    cloning: {
      table: "transactions",
      template: `company_id = ${company.id} AND seq = ${template}`,
      changed: {
        seq: "n",
        id: clonedIdSql(company),
        external_ref: changed.externalRef,
        idempotency_key: "'k' || n",
        created_at: changed.createdAt,
        updated_at: changed.createdAt,
        day_charges: changed.dayCharges,
        day_methods: `json_object('PIX', ${changed.dayCharges})`,
      },
    },
  };
}

function clonedIdSql({ id }: TestCompany): string {
  return `printf('00000000-0000-8000-8000-%06x%06x', n, ${id})`;
}

/** The id of a copied transaction. */
export function clonedTransactionId(company: TestCompany, seq: number): string {
  return `00000000-0000-8000-8000-${hex(seq)}${hex(company.id)}`;
}

function hex(value: number): string {
  return value.toString(16).padStart(6, "0");
}

/** Copies the company's first event. */
export function events(company: TestCompany, createdAt: string): Fixture {
  return {
    store: "D1",
    cloning: {
      table: "events",
      template: firstEventOf(company),
      changed: { company_sequence: "n", created_at: createdAt },
    },
  };
}

/** Copies the delivery of the company's first event. */
export function deliveries(company: TestCompany, updatedAt: string): Fixture {
  return {
    store: "D1",
    cloning: {
      table: "deliveries",
      template: firstEventOf(company),
      changed: { company_sequence: "n", updated_at: updatedAt },
    },
  };
}

function firstEventOf({ id }: TestCompany): string {
  return `company_id = ${id} AND company_sequence = 1`;
}

/** Event numbers that real events do not reach. */
const UNUSED_SEQUENCE = "1000000 + n";

/** Copies the company's first event with unused numbers and with deliveries due from `dueAt` on. */
export function undeliveredEvents(company: TestCompany, dueAt: number): Fixture[] {
  return [
    {
      store: "D1",
      cloning: {
        table: "events",
        template: firstEventOf(company),
        changed: { company_sequence: UNUSED_SEQUENCE },
      },
    },
    {
      store: "D1",
      cloning: {
        table: "deliveries",
        template: firstEventOf(company),
        changed: {
          company_sequence: UNUSED_SEQUENCE,
          status: "'pending'",
          next_attempt_at: `${dueAt} + n`,
        },
      },
    },
  ];
}

/** Copies the first movement. */
export const MOVEMENTS: Fixture = {
  store: "object",
  cloning: {
    table: "movements",
    template: "sequence = 1",
    changed: { sequence: "n", created_at: "created_at + n" },
  },
};

/** Copies the release that a transaction awaits: one for each copied transaction, in the minutes after it. */
export function releases(company: TestCompany, transactionId: string): Fixture {
  return {
    store: "object",
    cloning: {
      table: "releases",
      template: `transaction_id = '${transactionId}'`,
      changed: {
        transaction_id: clonedIdSql(company),
        due_at: "due_at + n",
      },
    },
  };
}

/** Copies the first withdraw. */
export const WITHDRAWS: Fixture = {
  store: "object",
  cloning: {
    table: "withdraws",
    template: "id = 1",
    changed: { id: "n", payout_id: "payout_id || n", idempotency_key: "'k' || n" },
  },
};

/** Copies a withdraw in Processing; the copies are polled from `dueAt` on. */
export function openWithdraws(id: number, dueAt: number): Fixture {
  return {
    store: "object",
    cloning: {
      table: "withdraws",
      template: `id = ${id}`,
      changed: {
        id: "n",
        payout_id: "payout_id || n",
        idempotency_key: "'k' || n",
        next_check_at: `${dueAt} + n`,
      },
    },
  };
}

/** Copies the first operation as open operations of other transactions, polled from `dueAt` on. */
export function openOperations(dueAt: number): Fixture {
  return {
    store: "object",
    cloning: {
      table: "operations",
      template: "id = 1",
      changed: {
        id: "n",
        operation_id: "operation_id || n",
        transaction_id: "lower(hex(randomblob(16)))",
        status: "'PENDING'",
        lease_until: "0",
        next_check_at: `${dueAt} + n`,
      },
    },
  };
}

/** Copies the next credit to release, for other transactions and with later release days. */
export const UNRELEASED: Fixture = {
  store: "object",
  cloning: {
    table: "releases",
    template: "due_at = (SELECT min(due_at) FROM releases)",
    changed: { transaction_id: "lower(hex(randomblob(16)))", due_at: "due_at + n" },
  },
};

/** Copies the newest outbox entry. */
export function outboxEntries(newest: number): Fixture {
  return {
    store: "object",
    cloning: {
      table: "outbox",
      template: `sequence = ${newest}`,
      changed: { sequence: "n" },
    },
  };
}

/** The number of the newest outbox entry. */
export function newestEntry(company: TestCompany): Promise<number> {
  return inAccount(
    company.id,
    (_account, { storage: { sql } }) =>
      sql.exec<{ newest: number }>("SELECT max(sequence) AS newest FROM outbox").one().newest,
  );
}

/** The `seq` of the company's newest transaction. */
export async function newestTransaction({ id }: TestCompany): Promise<number> {
  const newest = await env.DB.prepare(
    "SELECT max(seq) AS seq FROM transactions WHERE company_id = ?",
  )
    .bind(id)
    .first<number>("seq");
  return newest ?? 0;
}
