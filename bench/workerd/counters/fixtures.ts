/**
 * All that the bench knows of how D1 and the object store things: what it needs many of, it makes once by
 * real requests and copies by SQL.
 */
import {
  env,
  inAccount,
  type TestCompany,
} from "../../../test/support/builders/companies/company.ts";
import { cloneSql, columnsSql, rangesOf, type Cloning } from "./clones.ts";

/** A table to copy rows in, and where it is. */
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

/** Transactions like the one whose `seq` the SQL `template` names, `n` being the copy's own. */
export function transactions(
  company: TestCompany,
  template: string,
  changed: { createdAt: string; externalRef: string },
): Fixture {
  return {
    store: "D1",
    cloning: {
      table: "transactions",
      template: `company_id = ${company.id} AND seq = ${template}`,
      changed: {
        seq: "n",
        id: `printf('00000000-0000-8000-8000-%06x%06x', n, ${company.id})`,
        external_ref: changed.externalRef,
        idempotency_key: "'k' || n",
        created_at: changed.createdAt,
        updated_at: changed.createdAt,
      },
    },
  };
}

/** The id of a transaction that was copied. */
export function clonedTransactionId(company: TestCompany, seq: number): string {
  return `00000000-0000-8000-8000-${hex(seq)}${hex(company.id)}`;
}

function hex(value: number): string {
  return value.toString(16).padStart(6, "0");
}

/** Events like the company's first. */
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

/** Deliveries like that of the company's first event. */
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

/** Numbers of events beyond all that come. */
const BEYOND = "1000000 + n";

/** Events like the company's first, numbered beyond all that come, to be delivered from a time on. */
export function undeliveredEvents(company: TestCompany, dueAt: number): Fixture[] {
  return [
    {
      store: "D1",
      cloning: {
        table: "events",
        template: firstEventOf(company),
        changed: { company_sequence: BEYOND },
      },
    },
    {
      store: "D1",
      cloning: {
        table: "deliveries",
        template: firstEventOf(company),
        changed: {
          company_sequence: BEYOND,
          status: "'pending'",
          next_attempt_at: `${dueAt} + n`,
        },
      },
    },
  ];
}

/** Movements like the first. */
export const MOVEMENTS: Fixture = {
  store: "object",
  cloning: {
    table: "movements",
    template: "sequence = 1",
    changed: { sequence: "n", created_at: "created_at + n" },
  },
};

/** Withdraws like the first, as they are. */
export const WITHDRAWS: Fixture = {
  store: "object",
  cloning: {
    table: "withdraws",
    template: "id = 1",
    changed: { id: "n", payout_id: "payout_id || n", idempotency_key: "'k' || n" },
  },
};

/** Withdraws like one in Processing, to be asked about from a time on. */
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

/** Operations like the first, which is done, but of other transactions and open. */
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

/** Credits like the earliest that is not released yet, of other transactions and due after it. */
export const UNRELEASED: Fixture = {
  store: "object",
  cloning: {
    table: "releases",
    template: "due_at = (SELECT min(due_at) FROM releases)",
    changed: { transaction_id: "lower(hex(randomblob(16)))", due_at: "due_at + n" },
  },
};

/** What the object's newest commit owes D1, again and again after it. */
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

/** The number of the object's newest entry. */
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
