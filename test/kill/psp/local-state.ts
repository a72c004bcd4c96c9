import { DatabaseSync } from "node:sqlite";
import { directoryIn } from "../lib/database.ts";
import type { StoredState } from "./check-bank-agreement.ts";

const HOUR_MS = 3_600_000;
const TEN_MINUTES_MS = 600_000;

/**
 * What only a folder of one's own machine allows, beside a service that stands still: nobody can make a
 * live company, or turn the time, over the API.
 */
function editDatabase(stateDir: string, statements: string[]): void {
  const db = new DatabaseSync(directoryIn(stateDir));
  try {
    for (const statement of statements) db.exec(statement);
  } finally {
    db.close();
  }
}

/** The local companies are live ones, whose money is at their PSPs. */
export function makeCompaniesLive(stateDir: string): void {
  editDatabase(stateDir, ["UPDATE companies SET mode = 'live'"]);
}

/** Their PSPs were configured an hour ago: what a PSP's clock that is behind says is not too old. */
export function backdateConfiguration(stateDir: string): void {
  editDatabase(stateDir, [
    `UPDATE company_providers SET created_at = created_at - ${HOUR_MS},
       listed_until = listed_until - ${TEN_MINUTES_MS}`,
    `UPDATE reconciliation_passes SET read_until = read_until - ${TEN_MINUTES_MS}`,
  ]);
}

/** Every list is due to be read with the next cron, which otherwise takes minutes. */
export function makePassesDue(stateDir: string): void {
  editDatabase(stateDir, ["UPDATE reconciliation_passes SET next_run_at = 0"]);
}

/**
 * The payouts' ids, and the contradictions that nobody has decided. A payment set aside is booked: it is
 * a person's to give away, and no difference.
 */
export function storedStateOf(stateDir: string, companyId: number): StoredState {
  const db = new DatabaseSync(directoryIn(stateDir), { readOnly: true });
  try {
    const payouts = db
      .prepare("SELECT id, payout_id AS payoutId FROM withdraws WHERE company_id = ?")
      .all(companyId);
    const open = db
      .prepare(
        `SELECT object, said || ' ' || booked AS text, amount FROM contradictions
         WHERE company_id = ? AND status <> 'decided' AND kind <> 'payment_set_aside'`,
      )
      .all(companyId);
    return {
      payoutIds: new Map(payouts.map(({ id, payoutId }) => [Number(id), String(payoutId)])),
      disputes: open.map(({ object, text, amount }) => ({
        object: String(object),
        text: String(text),
        amount: Number(amount),
      })),
    };
  } finally {
    db.close();
  }
}
