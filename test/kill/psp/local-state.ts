import { DatabaseSync } from "node:sqlite";
import { databasesWith, directoryIn } from "../lib/database.ts";
import type { StoredState } from "./check-bank-agreement.ts";

const HOUR_MS = 3_600_000;
const TEN_MINUTES_MS = 600_000;

/**
 * Changes of the local state while the service is stopped: no API creates a live company or
 * changes the time.
 */
function editDatabase(stateDir: string, statements: string[]): void {
  edit(directoryIn(stateDir), statements);
}

function edit(file: string, statements: string[]): void {
  const db = new DatabaseSync(file);
  try {
    for (const statement of statements) db.exec(statement);
  } finally {
    db.close();
  }
}

/** Makes the local companies live. */
export function makeCompaniesLive(stateDir: string): void {
  editDatabase(stateDir, ["UPDATE companies SET mode = 'live'"]);
}

/**
 * Dates the PSPs' configuration back by an hour, so that records of a slow PSP clock are not too
 * old.
 */
export function backdateConfiguration(stateDir: string): void {
  editDatabase(stateDir, [
    `UPDATE psp_accounts SET created_at = created_at - ${HOUR_MS},
       listed_until = listed_until - ${TEN_MINUTES_MS}`,
    `UPDATE reconciliation_passes SET read_until = read_until - ${TEN_MINUTES_MS}`,
  ]);
}

/**
 * Makes every list due at the next cron, instead of in minutes, and every further question about what is paid or was
 * decided by operators, instead of in an hour. What was sent counts as sent ten minutes earlier: no request is under
 * way any more, so that a bank's refusal to repeat it is final.
 */
export function makeQuestionsDue(stateDir: string): void {
  editDatabase(stateDir, ["UPDATE reconciliation_passes SET next_run_at = 0"]);
  for (const file of databasesWith(stateDir, "rechecks")) {
    edit(file, [
      "UPDATE rechecks SET next_check_at = 0",
      `UPDATE operations SET next_check_at = 0, sent_at = sent_at - ${TEN_MINUTES_MS}
       WHERE status = 'PENDING' AND approval <> 'pending'`,
      `UPDATE withdraws SET next_check_at = 0, updated_at = updated_at - ${TEN_MINUTES_MS}
       WHERE status = 'Processing'`,
    ]);
  }
}

/**
 * The payouts' ids and the open contradictions. An unexpected payment is booked, so it is no
 * difference.
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
    const refunds = db
      .prepare(
        `SELECT transactions.id, each.value ->> '$.id' AS refundId, each.value ->> '$.status' AS status,
           format('%s of %d (approval %s)', each.value ->> '$.id', each.value ->> '$.amount',
             coalesce(each.value ->> '$.approval', 'none')) AS title
         FROM transactions, json_each(refunds) AS each
         WHERE company_id = ?`,
      )
      .all(companyId);
    return {
      refundIds: new Map(refunds.map(({ id, refundId }) => [String(refundId), String(id)])),
      openRefunds: new Map(
        refunds
          .filter(({ status }) => status === "PENDING")
          .map(({ refundId, title }) => [String(refundId), String(title)]),
      ),
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
