import { SECOND_TABLES, FIRST_TABLES } from "./first-tables.ts";
import { APPLIED_MIGRATIONS, TABLES } from "./tables.ts";

/**
 * How the Durable Object's tables came to be what `TABLES` says. A change is a new entry at the end, and goes into
 * `TABLES` too; a deployed entry is never edited. The platform refuses `PRAGMA user_version`, so a table counts the
 * applied entries.
 */
export const MIGRATIONS: readonly string[] = [
  FIRST_TABLES,
  SECOND_TABLES,
  `
  -- Who asked for a withdraw and who decided about it, by client id.
  ALTER TABLE withdraws ADD COLUMN approval TEXT NOT NULL DEFAULT 'none';
  ALTER TABLE withdraws ADD COLUMN requested_by TEXT NOT NULL DEFAULT '';
  ALTER TABLE withdraws ADD COLUMN decided_by TEXT;
  ALTER TABLE withdraws ADD COLUMN decision_reason TEXT;
  -- The night's total up to it; whether it is counted for its key and for its application's mandate.
  ALTER TABLE withdraws ADD COLUMN night_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE withdraws ADD COLUMN keys_from INTEGER;
  ALTER TABLE withdraws ADD COLUMN mandated INTEGER NOT NULL DEFAULT 0;
  -- When the mandate of the application that approved it counted it; NULL if none limits that application.
  ALTER TABLE withdraws ADD COLUMN approval_counted_at INTEGER;

  -- Withdraws that wait for an approval. They expire in their own order.
  CREATE TABLE pending_approvals (
    withdraw_id INTEGER PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT;

  -- Centavos of one day, while a limit asks for them: of a PIX key, of an application with a mandate.
  CREATE TABLE withdraw_sums (
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    day TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (kind, subject)
  ) STRICT, WITHOUT ROWID;

  -- The PIX keys to which the company allows withdraws.
  CREATE TABLE allowed_pix_keys (
    id INTEGER PRIMARY KEY,
    pix_key TEXT NOT NULL UNIQUE,
    pix_key_type TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    counts_from INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- What the company has stored on a day: events, their bytes in D1, and this object's size as it began.
  ALTER TABLE company ADD COLUMN usage_day TEXT NOT NULL DEFAULT '';
  ALTER TABLE company ADD COLUMN usage_events INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE company ADD COLUMN usage_bytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE company ADD COLUMN usage_object_bytes INTEGER NOT NULL DEFAULT 0;
  -- Charges that were paid or have ended; NULL in an object that had events before it was counted.
  ALTER TABLE company ADD COLUMN ended_charges INTEGER;
  -- Bytes of a charge's texts in each of its events.
  ALTER TABLE charges ADD COLUMN text_bytes INTEGER NOT NULL DEFAULT 2000;
  `,
  `
  -- Who paid (JSON, with a masked document), whether it is the customer, and why a charge failed (JSON).
  ALTER TABLE charges ADD COLUMN paid_by TEXT;
  ALTER TABLE charges ADD COLUMN payer_match TEXT;
  ALTER TABLE charges ADD COLUMN failure_reason TEXT;
  ALTER TABLE payments ADD COLUMN paid_by TEXT;

  -- An unexpected payment: why, what the company's rule does with it, its status and its events.
  ALTER TABLE payments ADD COLUMN number INTEGER;
  ALTER TABLE payments ADD COLUMN reason TEXT;
  ALTER TABLE payments ADD COLUMN rule TEXT;
  ALTER TABLE payments ADD COLUMN status TEXT;
  ALTER TABLE payments ADD COLUMN received_at INTEGER;
  ALTER TABLE payments ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE payments ADD COLUMN event_sequence INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE company ADD COLUMN newest_unexpected_payment INTEGER NOT NULL DEFAULT 0;

  ALTER TABLE disputes ADD COLUMN number INTEGER;
  ALTER TABLE disputes ADD COLUMN reason TEXT;
  ALTER TABLE disputes ADD COLUMN deadline INTEGER;
  ALTER TABLE disputes ADD COLUMN evidence TEXT;
  ALTER TABLE disputes ADD COLUMN updated_at INTEGER;
  ALTER TABLE disputes ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE disputes ADD COLUMN event_sequence INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE suspense_disputes ADD COLUMN number INTEGER;
  ALTER TABLE suspense_disputes ADD COLUMN reason TEXT;
  ALTER TABLE suspense_disputes ADD COLUMN deadline INTEGER;
  ALTER TABLE suspense_disputes ADD COLUMN evidence TEXT;
  ALTER TABLE suspense_disputes ADD COLUMN updated_at INTEGER;
  ALTER TABLE suspense_disputes ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE suspense_disputes ADD COLUMN event_sequence INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE company ADD COLUMN newest_dispute INTEGER NOT NULL DEFAULT 0;

  -- Why a payout failed, as a code; failure_reason has the provider's words.
  ALTER TABLE withdraws ADD COLUMN failure_code TEXT;
  ALTER TABLE withdraws ADD COLUMN paid_at INTEGER;

  -- What was booked on a day (America/Sao_Paulo), by payment method. Centavos.
  CREATE TABLE daily_totals (
    day TEXT NOT NULL,
    payment_method TEXT NOT NULL,
    count INTEGER NOT NULL,
    gross INTEGER NOT NULL,
    fees INTEGER NOT NULL,
    refunds INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (day, payment_method)
  ) STRICT, WITHOUT ROWID;
  -- The totals of the day that each audit pass is walking through.
  ALTER TABLE audits ADD COLUMN daily_totals TEXT NOT NULL DEFAULT '';
  -- The first movement that the daily totals count; 0 before any.
  ALTER TABLE company ADD COLUMN daily_totals_from INTEGER NOT NULL DEFAULT 0;
  -- The day whose totals count the charge's payment.
  ALTER TABLE charges ADD COLUMN booked_day TEXT;
  `,
  `
  -- Payment links, with their counts of payments and of reservations.
  CREATE TABLE payment_links (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    terms TEXT NOT NULL,
    max_payments INTEGER,
    expires_at INTEGER,
    metadata TEXT,
    paid_count INTEGER NOT NULL CHECK (paid_count >= 0),
    open_count INTEGER NOT NULL CHECK (open_count >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    event_sequence INTEGER NOT NULL
  ) STRICT;
  -- What one payer does under a link: one reservation, any of several charges.
  CREATE TABLE checkouts (
    id TEXT PRIMARY KEY,
    link INTEGER NOT NULL,
    status TEXT NOT NULL,
    held_until INTEGER,
    paid_by TEXT,
    charges INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX checkouts_held ON checkouts (held_until) WHERE status = 'held';
  -- The charges of a checkout, with the terms of those that have not changed yet (JSON).
  CREATE TABLE checkout_charges (
    transaction_id TEXT PRIMARY KEY,
    checkout_id TEXT NOT NULL,
    terms TEXT NOT NULL,
    is_open INTEGER NOT NULL CHECK (is_open IN (0, 1))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX checkout_charges_checkout ON checkout_charges (checkout_id);
  -- Checkout sessions under which a card's token was made, so that each works once.
  CREATE TABLE card_sessions (
    id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX card_sessions_expire ON card_sessions (expires_at);
  `,
  `
  -- What payers of links have stored on a day, and their open charges.
  ALTER TABLE company ADD COLUMN usage_link_charges INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE company ADD COLUMN usage_link_bytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE company ADD COLUMN open_link_charges INTEGER NOT NULL DEFAULT 0;
  -- Whether the quota of links counts it; until when it holds a reservation.
  ALTER TABLE checkout_charges ADD COLUMN is_counted INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE checkout_charges ADD COLUMN expires_at INTEGER;
  -- Reservations that payers hold; address is a keyed hash.
  CREATE TABLE held_places (
    checkout_id TEXT PRIMARY KEY,
    is_limited INTEGER NOT NULL CHECK (is_limited IN (0, 1)),
    address TEXT,
    taken_at INTEGER NOT NULL,
    lapses_at INTEGER,
    renewals INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX held_places_address ON held_places (address, taken_at) WHERE is_limited = 1;
  CREATE INDEX held_places_lapse ON held_places (lapses_at) WHERE lapses_at IS NOT NULL;
  -- Declined cards of the hour, by keyed hashes.
  CREATE TABLE card_declines (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    card TEXT,
    address TEXT,
    declined_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX card_declines_at ON card_declines (declined_at);
  CREATE INDEX card_declines_card ON card_declines (source, card, declined_at) WHERE card IS NOT NULL;
  CREATE INDEX card_declines_address ON card_declines (source, address, declined_at)
    WHERE address IS NOT NULL;
  `,
  `
  -- What two operators decided, by the id of their proposal, so that each has its effect once.
  CREATE TABLE operator_decisions (
    proposal_id TEXT PRIMARY KEY,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    proposed_by TEXT NOT NULL,
    proposed_at INTEGER NOT NULL,
    approved_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    approval_reason TEXT NOT NULL,
    evidence TEXT,
    provider TEXT NOT NULL,
    provider_answer TEXT,
    decided_at INTEGER NOT NULL,
    -- The call that booked it: when its answer is lost, its repeat still has to send a return.
    attempt TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operator_decisions_target ON operator_decisions (target, decided_at);
  -- Why the company is frozen, and who froze it (JSON); and the number of its freezes and their ends.
  ALTER TABLE company ADD COLUMN freeze_cause TEXT;
  ALTER TABLE company ADD COLUMN frozen_since INTEGER;
  ALTER TABLE company ADD COLUMN freeze_changes INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Who asked for a withdraw, with the standing of their right, and who decided about it (JSON).
  ALTER TABLE withdraws ADD COLUMN requester TEXT;
  ALTER TABLE withdraws ADD COLUMN decider TEXT;
  -- The part of day_sum that nobody approved and that waits for nobody.
  ALTER TABLE withdraws ADD COLUMN unapproved_sum INTEGER NOT NULL DEFAULT 0;
  -- Events about settings that were loosened, so far.
  ALTER TABLE company ADD COLUMN settings_events INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Who asked for an operation, with the standing of a caller (JSON); whether it waits for an approval, who decided
  -- and why; the days (America/Sao_Paulo) in whose sums it counts for who asked and for who approved.
  ALTER TABLE operations ADD COLUMN requested_by TEXT;
  ALTER TABLE operations ADD COLUMN standing TEXT;
  ALTER TABLE operations ADD COLUMN approval TEXT NOT NULL DEFAULT 'none';
  ALTER TABLE operations ADD COLUMN decided_by TEXT;
  ALTER TABLE operations ADD COLUMN decision_reason TEXT;
  ALTER TABLE operations ADD COLUMN counted_on TEXT;
  ALTER TABLE operations ADD COLUMN decided_on TEXT;
  -- Who asked for the return or credit of an unexpected payment (JSON), and whether its return waits.
  ALTER TABLE payments ADD COLUMN requested_by TEXT;
  ALTER TABLE payments ADD COLUMN approval TEXT NOT NULL DEFAULT 'none';
  -- Centavos of refunds and returns of a day, of the company ('') and of each caller.
  CREATE TABLE exit_sums (
    subject TEXT PRIMARY KEY,
    day TEXT NOT NULL,
    amount INTEGER NOT NULL,
    unapproved INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Refunds and returns that wait for an approval.
  CREATE TABLE waiting_exits (
    operation INTEGER PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT;
  `,
  "/* When a freeze was asked for again. */ ALTER TABLE company ADD COLUMN frozen_again_at INTEGER;",
  `
  -- Changes (JSON) that D1 has and the archive has not taken, until it does; a time to try in the oldest one.
  CREATE TABLE unarchived (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    change TEXT NOT NULL,
    next_try_at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Numbers that D1 had when the object was restored to an earlier time: none up to them is given again.
  ALTER TABLE company ADD COLUMN withdraw_floor INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE company ADD COLUMN link_floor INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE company ADD COLUMN contradiction_floor INTEGER NOT NULL DEFAULT 0;
  `,
  "/* Payments of a day by the hour. */ ALTER TABLE daily_totals ADD COLUMN hours TEXT NOT NULL DEFAULT '{}';",
  "/* Clock moved by a tester. */ ALTER TABLE company ADD COLUMN clock_offset_ms INTEGER NOT NULL DEFAULT 0;",
  "/* When an operation was first sent. */ ALTER TABLE operations ADD COLUMN sent_at INTEGER;",
  "/* By what brands count declines. */ ALTER TABLE card_declines ADD COLUMN brand TEXT NOT NULL DEFAULT 'unknown'; ALTER TABLE card_declines ADD COLUMN amount INTEGER NOT NULL DEFAULT 0; ALTER TABLE card_declines ADD COLUMN code TEXT; ALTER TABLE card_declines ADD COLUMN advice TEXT;",
  `
  -- Declined tokens of the hour whose card nobody knew beforehand, by a keyed hash of who was to pay.
  CREATE TABLE payer_declines (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    payer TEXT NOT NULL,
    declined_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX payer_declines_at ON payer_declines (declined_at);
  CREATE INDEX payer_declines_payer ON payer_declines (source, payer, declined_at);
  `,
  "/* Refunds instead of disputes. */ ALTER TABLE operations ADD COLUMN instead_of TEXT; ALTER TABLE operations ADD COLUMN bank_took INTEGER;",
  `
  -- Subscriptions with the mandates of their payers, and the cycles that are debited.
  CREATE TABLE subscriptions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    external_ref TEXT NOT NULL,
    status TEXT NOT NULL,
    description TEXT NOT NULL,
    customer TEXT NOT NULL,
    terms TEXT NOT NULL,
    amount INTEGER NOT NULL,
    account TEXT NOT NULL,
    mandate TEXT NOT NULL,
    next_cycle INTEGER NOT NULL,
    approval_expires_at INTEGER NOT NULL,
    metadata TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    event_sequence INTEGER NOT NULL,
    mandate_checked_at INTEGER,
    step TEXT,
    checks INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    next_check_at INTEGER
  ) STRICT;
  CREATE INDEX subscriptions_due ON subscriptions (next_check_at) WHERE next_check_at IS NOT NULL;
  CREATE TABLE subscription_cycles (
    number INTEGER PRIMARY KEY,
    subscription_id TEXT NOT NULL,
    cycle INTEGER NOT NULL,
    due_date TEXT NOT NULL,
    amount INTEGER NOT NULL,
    status TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    debit TEXT NOT NULL,
    attempts TEXT NOT NULL,
    checked_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX subscription_cycles_cycle ON subscription_cycles (subscription_id, cycle);
  CREATE UNIQUE INDEX subscription_cycles_transaction ON subscription_cycles (transaction_id);
  CREATE INDEX subscription_cycles_open ON subscription_cycles (subscription_id, cycle) WHERE status = 'open';
  -- Numbers that D1 had when the object was restored to an earlier time: none up to them is given again.
  ALTER TABLE company ADD COLUMN subscription_floor INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE company ADD COLUMN cycle_floor INTEGER NOT NULL DEFAULT 0;
  `,
  "/* Payers' own pages. */ ALTER TABLE subscriptions ADD COLUMN secure_random TEXT NOT NULL DEFAULT '';",
  `
  -- Cycles that are paid by another charge than their debit's.
  ALTER TABLE subscription_cycles ADD COLUMN recovery TEXT;
  CREATE TABLE cycle_charges (
    transaction_id TEXT PRIMARY KEY,
    cycle INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  "/* What is done about unpaid cycles. */ ALTER TABLE subscriptions ADD COLUMN dunning TEXT;",
  "/* Changes of due dates. */ ALTER TABLE operations ADD COLUMN due_date TEXT;",
  `
  -- What of money that went back was not taken, because operators had taken it. NULL where that was not stored yet.
  ALTER TABLE external_refunds ADD COLUMN covered INTEGER;
  ALTER TABLE disputes ADD COLUMN covered INTEGER;
  ALTER TABLE operations ADD COLUMN covered INTEGER;
  `,
];

/**
 * Makes an object's tables, or migrates them to the newest schema. Runs in the constructor, before any request, so it
 * must not rewrite a table (`test/unit/tooling/migrations.test.ts`). Returns `newer`, writing nothing, if newer code
 * has migrated the tables.
 */
export function migrateObject(storage: DurableObjectStorage): "ready" | "newer" {
  return storage.transactionSync(() => {
    storage.sql.exec(APPLIED_MIGRATIONS);
    const { applied } = storage.sql
      .exec<{ applied: number }>("SELECT count(*) AS applied FROM applied_migrations")
      .one();
    if (applied > MIGRATIONS.length) return "newer";
    const missing = MIGRATIONS.slice(applied);
    // A new object gets all at once: each change of a table has SQLite read the whole schema again.
    for (const change of applied === 0 ? [TABLES] : missing) storage.sql.exec(change);
    missing.forEach((_, index) => {
      storage.sql.exec("INSERT INTO applied_migrations (number) VALUES (?)", applied + index + 1);
    });
    return "ready";
  });
}
