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
