/** The object's tables of money, and those that every change of money writes; the others are in `tables.ts`. */
export const MONEY_TABLES = `
  -- One row: the company, its counters and flags.
  CREATE TABLE company (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    company_id INTEGER,
    newest_event INTEGER NOT NULL DEFAULT 0,
    newest_movement INTEGER NOT NULL DEFAULT 0,
    balance_events INTEGER NOT NULL DEFAULT 0,
    webhook_tests INTEGER NOT NULL DEFAULT 0,
    frozen INTEGER NOT NULL DEFAULT 0 CHECK (frozen IN (0, 1)),
    credentials_version INTEGER,
    newest_operator_event INTEGER NOT NULL DEFAULT 0,
    -- What the company has stored on a day: events, their bytes in D1, and this object's size as it began.
    usage_day TEXT NOT NULL DEFAULT '',
    usage_events INTEGER NOT NULL DEFAULT 0,
    usage_bytes INTEGER NOT NULL DEFAULT 0,
    usage_object_bytes INTEGER NOT NULL DEFAULT 0,
    -- Charges that were paid or have ended; NULL in an object that had events before it was counted.
    ended_charges INTEGER,
    newest_unexpected_payment INTEGER NOT NULL DEFAULT 0,
    newest_dispute INTEGER NOT NULL DEFAULT 0,
    -- The first movement that the daily totals count; 0 before any.
    daily_totals_from INTEGER NOT NULL DEFAULT 0,
    -- What payers of links have stored on a day, and their open charges.
    usage_link_charges INTEGER NOT NULL DEFAULT 0,
    usage_link_bytes INTEGER NOT NULL DEFAULT 0,
    open_link_charges INTEGER NOT NULL DEFAULT 0,
    -- Why the company is frozen, and who froze it (JSON); and the number of its freezes and their ends.
    freeze_cause TEXT,
    frozen_since INTEGER,
    freeze_changes INTEGER NOT NULL DEFAULT 0,
    -- Events about settings that were loosened, so far.
    settings_events INTEGER NOT NULL DEFAULT 0,
    -- When a freeze was asked for again while it held.
    frozen_again_at INTEGER,
    -- Numbers that D1 had when the object was restored to an earlier time: none up to them is given again.
    withdraw_floor INTEGER NOT NULL DEFAULT 0,
    link_floor INTEGER NOT NULL DEFAULT 0,
    contradiction_floor INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO company (only) VALUES (1);

  -- The ledger, append-only: one row for each movement, with every balance after it.
  CREATE TABLE movements (
    sequence INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    transaction_id TEXT,
    withdraw_id INTEGER,
    created_at INTEGER NOT NULL,
    postings TEXT NOT NULL,
    available INTEGER NOT NULL CHECK (available >= 0),
    awaiting INTEGER NOT NULL CHECK (awaiting >= 0),
    blocked INTEGER NOT NULL CHECK (blocked >= 0),
    payout INTEGER NOT NULL CHECK (payout >= 0),
    debt INTEGER NOT NULL CHECK (debt <= 0),
    suspense INTEGER NOT NULL CHECK (suspense >= 0),
    fees INTEGER NOT NULL,
    provider INTEGER NOT NULL,
    hash TEXT NOT NULL,
    -- What later payments rely on (payee, amount, release dates), and its hash, which the movement's own
    -- hash covers.
    details TEXT,
    details_hash TEXT,
    CHECK (available + awaiting + blocked + payout + debt + suspense + fees + provider = 0)
  ) STRICT;
  CREATE TRIGGER movements_never_change BEFORE UPDATE ON movements
    BEGIN SELECT RAISE(ABORT, 'a movement is never changed'); END;
  CREATE TRIGGER movements_never_go BEFORE DELETE ON movements
    BEGIN SELECT RAISE(ABORT, 'a movement is never deleted'); END;
  -- REPLACE deletes without firing the trigger above.
  CREATE TRIGGER movements_only_follow BEFORE INSERT ON movements
    WHEN EXISTS (SELECT 1 FROM movements WHERE sequence = NEW.sequence)
    BEGIN SELECT RAISE(ABORT, 'a movement is never replaced'); END;

  -- Changes that D1 does not have yet, in commit order. A row is deleted once D1 has it.
  CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY,
    entry TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE charges (
    transaction_id TEXT PRIMARY KEY,
    amount INTEGER NOT NULL CHECK (amount > 0),
    payment_method TEXT NOT NULL,
    installments INTEGER NOT NULL,
    fee_basis_points INTEGER NOT NULL,
    fee_fixed INTEGER NOT NULL,
    release_days INTEGER NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    event_sequence INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    paid_at INTEGER,
    paid_amount INTEGER NOT NULL CHECK (paid_amount >= 0),
    refunded_amount INTEGER NOT NULL CHECK (refunded_amount BETWEEN 0 AND paid_amount),
    payment_id TEXT,
    end_to_end_id TEXT,
    cancel_reason TEXT,
    refund_reason TEXT,
    card TEXT,
    refused_reason TEXT,
    external_nsu TEXT,
    trail TEXT NOT NULL,
    movements TEXT NOT NULL,
    -- The PSP account that received a payment; only this account can return it.
    account TEXT NOT NULL DEFAULT 'first',
    -- Bytes of a charge's texts in each of its events.
    text_bytes INTEGER NOT NULL DEFAULT 2000,
    -- Who paid (JSON, with a masked document), whether it is the customer, and why a charge failed (JSON).
    paid_by TEXT,
    payer_match TEXT,
    failure_reason TEXT,
    -- The day whose totals count the charge's payment.
    booked_day TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE payments (
    payment_id TEXT PRIMARY KEY,
    transaction_id TEXT,
    payment_method TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    paid_at INTEGER NOT NULL,
    suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)),
    return_operation INTEGER,
    -- The PSP account that received a payment; only this account can return it.
    account TEXT NOT NULL DEFAULT 'first',
    -- Centavos of a suspended payment that were returned at the PSP, not by an operation.
    returned_amount INTEGER NOT NULL DEFAULT 0,
    -- Who paid (JSON, with a masked document).
    paid_by TEXT,
    -- An unexpected payment: why, what the company's rule does with it, its status and its events.
    number INTEGER,
    reason TEXT,
    rule TEXT,
    status TEXT,
    received_at INTEGER,
    version INTEGER NOT NULL DEFAULT 0,
    event_sequence INTEGER NOT NULL DEFAULT 0,
    -- Who asked for the return or credit of an unexpected payment (JSON), and whether its return waits.
    requested_by TEXT,
    approval TEXT NOT NULL DEFAULT 'none',
    CHECK (suspended = 1 OR transaction_id IS NOT NULL)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX payments_suspended ON payments (payment_id) WHERE suspended = 1;

  CREATE TABLE releases (
    transaction_id TEXT NOT NULL,
    installment INTEGER NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    due_at INTEGER NOT NULL,
    day TEXT NOT NULL,
    PRIMARY KEY (transaction_id, installment)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX releases_due ON releases (due_at);

  CREATE TABLE release_days (
    day TEXT PRIMARY KEY,
    amount INTEGER NOT NULL CHECK (amount >= 0)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE operations (
    id INTEGER PRIMARY KEY,
    operation_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    transaction_id TEXT,
    payment_method TEXT NOT NULL,
    payment_id TEXT,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    holding TEXT,
    status TEXT NOT NULL,
    failure_reason TEXT,
    created_at INTEGER NOT NULL,
    checks INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    next_check_at INTEGER,
    -- The PSP account that carries it out.
    account TEXT NOT NULL DEFAULT 'first',
    -- Who asked for an operation, with the standing of a caller (JSON); whether it waits for an approval, who decided
    -- and why; the days (America/Sao_Paulo) in whose sums it counts for who asked and for who approved.
    requested_by TEXT,
    standing TEXT,
    approval TEXT NOT NULL DEFAULT 'none',
    decided_by TEXT,
    decision_reason TEXT,
    counted_on TEXT,
    decided_on TEXT
  ) STRICT;
  CREATE INDEX operations_transaction ON operations (transaction_id);
  CREATE INDEX operations_pending ON operations (next_check_at) WHERE status = 'PENDING';

  CREATE TABLE disputes (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    held INTEGER NOT NULL CHECK (held BETWEEN 0 AND amount),
    holding TEXT,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    number INTEGER,
    reason TEXT,
    deadline INTEGER,
    evidence TEXT,
    updated_at INTEGER,
    version INTEGER NOT NULL DEFAULT 0,
    event_sequence INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX disputes_transaction ON disputes (transaction_id);
  CREATE INDEX disputes_open ON disputes (held) WHERE status = 'OPEN';

  CREATE TABLE withdraws (
    id INTEGER PRIMARY KEY,
    payout_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    fee INTEGER NOT NULL CHECK (fee >= 0),
    currency TEXT NOT NULL,
    pix_key TEXT NOT NULL,
    pix_key_type TEXT NOT NULL,
    creditor_document TEXT NOT NULL,
    description TEXT NOT NULL,
    metadata TEXT,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    event_sequence INTEGER NOT NULL,
    end_to_end_id TEXT,
    failure_reason TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checks INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    next_check_at INTEGER,
    movements TEXT NOT NULL,
    guarded_from INTEGER,
    day_sum INTEGER NOT NULL CHECK (day_sum >= 0),
    -- The PSP account that pays it out.
    account TEXT NOT NULL DEFAULT 'first',
    -- Centavos of a paid withdraw that have come back.
    returned_amount INTEGER NOT NULL DEFAULT 0,
    -- Who asked for a withdraw and who decided about it, by client id.
    approval TEXT NOT NULL DEFAULT 'none',
    requested_by TEXT NOT NULL DEFAULT '',
    decided_by TEXT,
    decision_reason TEXT,
    -- The night's total up to it; whether it is counted for its key and for its application's mandate.
    night_sum INTEGER NOT NULL DEFAULT 0,
    keys_from INTEGER,
    mandated INTEGER NOT NULL DEFAULT 0,
    -- When the mandate of the application that approved it counted it; NULL if none limits that application.
    approval_counted_at INTEGER,
    -- Why a payout failed, as a code; failure_reason has the provider's words.
    failure_code TEXT,
    paid_at INTEGER,
    -- Who asked for a withdraw, with the standing of their right, and who decided about it (JSON).
    requester TEXT,
    decider TEXT,
    -- The part of day_sum that nobody approved and that waits for nobody.
    unapproved_sum INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX withdraws_key ON withdraws (idempotency_key);
  CREATE INDEX withdraws_awaiting ON withdraws (next_check_at) WHERE status = 'Awaiting';
  CREATE INDEX withdraws_processing ON withdraws (next_check_at) WHERE status = 'Processing';
  CREATE INDEX withdraws_payee ON withdraws (pix_key, amount, created_at)
    WHERE guarded_from IS NOT NULL;

  CREATE TABLE idempotency (
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    answer TEXT,
    PRIMARY KEY (operation, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audits (
    walk TEXT PRIMARY KEY,
    movement INTEGER NOT NULL,
    hash TEXT NOT NULL,
    balances TEXT NOT NULL,
    payment TEXT NOT NULL,
    -- How far each audit pass has compared pending credits and open withdraws with their movements.
    awaited TEXT NOT NULL DEFAULT '',
    withdraws TEXT NOT NULL DEFAULT '',
    -- The totals of the day that each audit pass is walking through.
    daily_totals TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audit_suspects (
    transaction_id TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
`;
