import { inAccount, type TestCompany } from "./company.ts";

/** What stands on each account of a company's ledger that was ever used, in centavos. */
export function accountsOf(company: TestCompany): Promise<Record<string, number>> {
  return inAccount(company.id, (_, state) =>
    Object.fromEntries(
      state.storage.sql
        .exec<{ account: string; balance: number }>("SELECT account, balance FROM accounts")
        .toArray()
        .map((row) => [row.account, row.balance]),
    ),
  );
}

export interface BookedMovement {
  type: string;
  postings: Record<string, number>;
}

/** Every movement of a company's ledger with its postings by account, oldest first. */
export function movementsOf(company: TestCompany): Promise<BookedMovement[]> {
  return inAccount(company.id, (_, state) => {
    const rows = state.storage.sql
      .exec<{ movement: number; type: string; account: string; amount: number }>(
        `SELECT p.movement, m.type, p.account, p.amount
         FROM postings p JOIN movements m ON m.sequence = p.movement ORDER BY p.sequence`,
      )
      .toArray();
    const movements = new Map<number, BookedMovement>();
    for (const { movement, type, account, amount } of rows) {
      const booked = movements.get(movement) ?? { type, postings: {} };
      booked.postings[account] = amount;
      movements.set(movement, booked);
    }
    return [...movements.values()];
  });
}

/** Every row of every table of a company's object, as text. */
export function dumpObject(company: TestCompany): Promise<string> {
  return inAccount(company.id, (_, state) => {
    const { sql } = state.storage;
    return sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray()
      .map(({ name }) => `${name} ${JSON.stringify(sql.exec(`SELECT * FROM ${name}`).toArray())}`)
      .join("\n");
  });
}

/** How many commits the object still owes D1. */
export function outboxLength(company: TestCompany): Promise<number> {
  return inAccount(
    company.id,
    (_, state) => state.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM outbox").one().n,
  );
}

/** When the object's alarm is set to, or null. */
export function alarmOf(company: TestCompany): Promise<number | null> {
  return inAccount(company.id, (_, state) => state.storage.getAlarm());
}
