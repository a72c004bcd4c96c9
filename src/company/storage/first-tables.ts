/** The first migration of the object: its tables as they began. A deployed migration is never edited. */
export const FIRST_TABLES = `
  -- One row: the company, its counters and flags.
  CREATE TABLE company (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    company_id INTEGER,
    newest_event INTEGER NOT NULL DEFAULT 0,
    newest_movement INTEGER NOT NULL DEFAULT 0,
    balance_events INTEGER NOT NULL DEFAULT 0,
    webhook_tests INTEGER NOT NULL DEFAULT 0,
    frozen INTEGER NOT NULL DEFAULT 0 CHECK (frozen IN (0, 1)),
    credentials_version INTEGER
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
    CHECK (available + awaiting + blocked + payout + debt + suspense + fees + provider = 0)
  ) STRICT;

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
    movements TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE payments (
    payment_id TEXT PRIMARY KEY,
    transaction_id TEXT,
    payment_method TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    paid_at INTEGER NOT NULL,
    suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)),
    return_operation INTEGER,
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
    next_check_at INTEGER
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
    created_at INTEGER NOT NULL
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
    day_sum INTEGER NOT NULL CHECK (day_sum >= 0)
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
    payment TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE audit_suspects (transaction_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

/** The second entry of `MIGRATIONS`. */
export const SECOND_TABLES = `
  -- How far each audit pass has compared pending credits and open withdraws with their movements.
  ALTER TABLE audits ADD COLUMN awaited TEXT NOT NULL DEFAULT '';
  ALTER TABLE audits ADD COLUMN withdraws TEXT NOT NULL DEFAULT '';

  -- The ledger's newest head that was anchored outside the object: one row.
  CREATE TABLE newest_anchor (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    number INTEGER NOT NULL,
    day TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    digest TEXT NOT NULL,
    signature TEXT NOT NULL,
    public_key TEXT NOT NULL
  ) STRICT;

  -- What later payments rely on (payee, amount, release dates), and its hash, which the movement's own
  -- hash covers.
  ALTER TABLE movements ADD COLUMN details TEXT;
  ALTER TABLE movements ADD COLUMN details_hash TEXT;
  CREATE TRIGGER movements_never_change BEFORE UPDATE ON movements
    BEGIN SELECT RAISE(ABORT, 'a movement is never changed'); END;
  CREATE TRIGGER movements_never_go BEFORE DELETE ON movements
    BEGIN SELECT RAISE(ABORT, 'a movement is never deleted'); END;
  -- REPLACE deletes without firing the trigger above.
  CREATE TRIGGER movements_only_follow BEFORE INSERT ON movements
    WHEN EXISTS (SELECT 1 FROM movements WHERE sequence = NEW.sequence)
    BEGIN SELECT RAISE(ABORT, 'a movement is never replaced'); END;

  -- The PSP account that received a payment; only this account can return it.
  ALTER TABLE charges ADD COLUMN account TEXT NOT NULL DEFAULT 'first';
  ALTER TABLE payments ADD COLUMN account TEXT NOT NULL DEFAULT 'first';
  ALTER TABLE operations ADD COLUMN account TEXT NOT NULL DEFAULT 'first';
  ALTER TABLE withdraws ADD COLUMN account TEXT NOT NULL DEFAULT 'first';
  -- Centavos of an unexpected payment that were returned at the PSP, not by an operation.
  ALTER TABLE payments ADD COLUMN returned_amount INTEGER NOT NULL DEFAULT 0;
  -- Centavos of a paid withdraw that have come back.
  ALTER TABLE withdraws ADD COLUMN returned_amount INTEGER NOT NULL DEFAULT 0;

  ALTER TABLE company ADD COLUMN newest_operator_event INTEGER NOT NULL DEFAULT 0;

  -- Findings that only two operators can end, such as a provider's report against the books.
  CREATE TABLE contradictions (
    number INTEGER PRIMARY KEY,
    finding TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    object TEXT NOT NULL,
    said TEXT NOT NULL,
    booked TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    held INTEGER NOT NULL CHECK (held BETWEEN 0 AND amount),
    status TEXT NOT NULL,
    since INTEGER NOT NULL,
    proposal TEXT,
    decision TEXT,
    version INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX contradictions_open ON contradictions (held) WHERE status <> 'decided';
  CREATE INDEX contradictions_object ON contradictions (object);

  -- Refunds made at the PSP itself, not by an operation.
  CREATE TABLE external_refunds (
    id TEXT PRIMARY KEY,
    payment_id TEXT NOT NULL,
    transaction_id TEXT,
    amount INTEGER NOT NULL CHECK (amount > 0),
    booked INTEGER NOT NULL CHECK (booked BETWEEN 0 AND amount),
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX external_refunds_transaction ON external_refunds (transaction_id);

  -- Disputes of unexpected payments, whose money is never the company's.
  CREATE TABLE suspense_disputes (
    id TEXT PRIMARY KEY,
    payment_id TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX suspense_disputes_open ON suspense_disputes (payment_id) WHERE status = 'OPEN';

  -- Rows that are polled again though they look final: paid payouts, open disputes.
  CREATE TABLE rechecks (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    checks INTEGER NOT NULL,
    since INTEGER NOT NULL,
    status TEXT NOT NULL,
    next_check_at INTEGER NOT NULL,
    UNIQUE (kind, subject)
  ) STRICT;
  CREATE INDEX rechecks_open ON rechecks (next_check_at) WHERE status = 'OPEN';

  -- Outbox entries that D1 refuses, and later ones of the same object, which have no next_try_at.
  CREATE TABLE outbox_set_aside (
    id INTEGER PRIMARY KEY,
    subject TEXT NOT NULL,
    entry TEXT NOT NULL,
    reason TEXT NOT NULL,
    since INTEGER NOT NULL,
    refusals INTEGER NOT NULL,
    next_try_at INTEGER
  ) STRICT;
  CREATE INDEX outbox_set_aside_subject ON outbox_set_aside (subject, id);
  CREATE INDEX outbox_set_aside_due ON outbox_set_aside (next_try_at) WHERE next_try_at IS NOT NULL;
  `;
