/**
 * All that the bench knows of how D1 and the object store things: what it needs many of, it makes once by
 * real requests and copies by SQL.
 */
import { env, inAccount, type TestCompany } from "../../../test/support/company.ts";
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
        id: `unhex(printf('00000000000080008000%06x%06x', n, ${company.id}))`,
        is_repeat: "1",
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

/** Events like the company's first, each with its delivery. */
export function events(company: TestCompany, createdAt: string): Fixture {
  return {
    store: "D1",
    cloning: {
      table: "events",
      template: `company_id = ${company.id} AND company_sequence = 1`,
      changed: { company_sequence: "n", created_at: createdAt },
    },
  };
}

/** Events like the company's first, numbered beyond all that come, to be delivered from a time on. */
export function undeliveredEvents(company: TestCompany, dueAt: number): Fixture {
  return {
    store: "D1",
    cloning: {
      table: "events",
      template: `company_id = ${company.id} AND company_sequence = 1`,
      changed: {
        company_sequence: "1000000 + n",
        endpoint: `json_set(endpoint, '$[1]', 0, '$[5]', ${dueAt} + n)`,
      },
    },
  };
}

/** The ledger's rows, which owe D1 nothing. */
export const MOVEMENTS: Fixture = {
  store: "object",
  cloning: {
    table: "movements",
    template: "sequence = 1",
    changed: {
      sequence: "n",
      created_at: "created_at + n",
      entry: "NULL",
      drained_movement: "n",
    },
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
        transaction_id: "randomblob(16)",
        status: "'PENDING'",
        open: "1",
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
    changed: { transaction_id: "randomblob(16)", due_at: "due_at + n" },
  },
};

/** What the object's newest commit owes D1, again and again after it. */
export function outboxEntries(newest: number): Fixture {
  return {
    store: "object",
    cloning: {
      table: "movements",
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
      sql.exec<{ newest: number }>("SELECT max(sequence) AS newest FROM movements").one().newest,
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
