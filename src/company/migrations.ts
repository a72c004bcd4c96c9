import { shortenRows } from "./short-rows-migration.ts";

/**
 * The Durable Object's tables. Append-only: a shape that was deployed is never edited, a change is
 * a new entry. `PRAGMA user_version` is refused by the platform, hence the table of its own.
 */
const MIGRATIONS: readonly (string | ((sql: SqlStorage) => void))[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE accounts (
    currency TEXT NOT NULL,
    account TEXT NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (currency, account),
    CHECK (balance >= 0 OR account NOT IN ('available', 'awaiting', 'blocked', 'payout'))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE movements (
    sequence INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    currency TEXT NOT NULL,
    transaction_id TEXT,
    withdraw_id INTEGER,
    created_at INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;

  CREATE TABLE postings (
    sequence INTEGER PRIMARY KEY,
    movement INTEGER NOT NULL,
    account TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0),
    balance INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX postings_movement ON postings (movement);

  CREATE TABLE charges (
    transaction_id TEXT PRIMARY KEY,
    amount INTEGER NOT NULL CHECK (amount > 0),
    payment_method TEXT NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    event_sequence INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    paid_at INTEGER,
    paid_amount INTEGER NOT NULL CHECK (paid_amount >= 0),
    refunded_amount INTEGER NOT NULL CHECK (refunded_amount BETWEEN 0 AND paid_amount),
    end_to_end_id TEXT,
    cancel_reason TEXT,
    refund_reason TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE payments (
    end_to_end_id TEXT PRIMARY KEY,
    transaction_id TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    paid_at INTEGER NOT NULL,
    suspended INTEGER NOT NULL CHECK (suspended IN (0, 1))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE withdraws (
    id INTEGER PRIMARY KEY,
    payout_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
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
    payout_checks INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    next_check_at INTEGER
  ) STRICT;
  CREATE INDEX withdraws_due ON withdraws (next_check_at) WHERE next_check_at IS NOT NULL;

  CREATE TABLE idempotency (
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    PRIMARY KEY (operation, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    entry TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due_at INTEGER NOT NULL
  ) STRICT;

  `,
  `
  CREATE TABLE withdraw_days (
    day TEXT PRIMARY KEY,
    amount INTEGER NOT NULL CHECK (amount >= 0)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO withdraw_days (day, amount)
    SELECT date(created_at / 1000 - 3 * 3600, 'unixepoch'), sum(amount) FROM withdraws
    WHERE status NOT IN ('Failed', 'Cancelled', 'Returned') GROUP BY 1;
  CREATE INDEX withdraws_payee ON withdraws (pix_key, amount, created_at);
  `,
  `
  CREATE TABLE accounts_now (
    currency TEXT NOT NULL,
    account TEXT NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (currency, account),
    CHECK (balance >= 0
      OR account NOT IN ('available', 'awaiting', 'blocked', 'payout', 'suspense')),
    CHECK (balance <= 0 OR account <> 'debt')
  ) STRICT, WITHOUT ROWID;
  INSERT INTO accounts_now SELECT currency, account, balance FROM accounts;
  DROP TABLE accounts;
  ALTER TABLE accounts_now RENAME TO accounts;

  ALTER TABLE charges ADD COLUMN installments INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE charges ADD COLUMN fee_basis_points INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE charges ADD COLUMN fee_fixed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE charges ADD COLUMN release_days INTEGER NOT NULL DEFAULT 0;

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
    end_to_end_id TEXT,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    holding TEXT,
    status TEXT NOT NULL,
    failure_reason TEXT,
    created_at INTEGER NOT NULL,
    checks INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    next_check_at INTEGER
  ) STRICT;
  CREATE INDEX operations_due ON operations (next_check_at) WHERE next_check_at IS NOT NULL;
  CREATE INDEX operations_transaction ON operations (transaction_id);
  CREATE INDEX operations_open ON operations (kind, amount) WHERE status = 'PENDING';

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

  CREATE TABLE payments_now (
    end_to_end_id TEXT PRIMARY KEY,
    transaction_id TEXT,
    payment_method TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    paid_at INTEGER NOT NULL,
    suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)),
    return_operation INTEGER,
    CHECK (suspended = 1 OR transaction_id IS NOT NULL)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO payments_now
    SELECT end_to_end_id, transaction_id,
      coalesce((SELECT c.payment_method FROM charges c
        WHERE c.transaction_id = payments.transaction_id), 'PIX'),
      amount, paid_at, suspended, NULL
    FROM payments;
  DROP TABLE payments;
  ALTER TABLE payments_now RENAME TO payments;
  CREATE INDEX payments_transaction ON payments (transaction_id);
  CREATE INDEX payments_suspended ON payments (end_to_end_id) WHERE suspended = 1;

  ALTER TABLE idempotency ADD COLUMN answer TEXT;

  CREATE INDEX withdraws_open ON withdraws (amount) WHERE status IN ('Awaiting', 'Processing');

  CREATE TABLE audits (
    walk TEXT PRIMARY KEY,
    movement INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE audit_suspects (transaction_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE audit_balances (
    walk TEXT NOT NULL,
    currency TEXT NOT NULL,
    account TEXT NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (walk, currency, account)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE INDEX movements_transaction ON movements (transaction_id)
    WHERE transaction_id IS NOT NULL;
  ALTER TABLE charges ADD COLUMN trail TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE charges ADD COLUMN trail_after INTEGER;
  INSERT INTO meta (name, value) SELECT 'trails_after', coalesce(max(sequence), 0) FROM movements;
  `,
  `
  ALTER TABLE payments RENAME COLUMN end_to_end_id TO payment_id;
  ALTER TABLE operations RENAME COLUMN end_to_end_id TO payment_id;
  ALTER TABLE charges ADD COLUMN card TEXT;
  ALTER TABLE charges ADD COLUMN refused_reason TEXT;
  ALTER TABLE charges ADD COLUMN external_nsu TEXT;
  `,
  `
  CREATE TABLE movements_now (
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
    hash BLOB NOT NULL,
    entry TEXT,
    note INTEGER NOT NULL,
    events INTEGER NOT NULL,
    drained_movement INTEGER NOT NULL,
    drained_note INTEGER NOT NULL,
    CHECK (available + awaiting + blocked + payout + debt + suspense + fees + provider = 0)
  ) STRICT;
  INSERT INTO movements_now
    SELECT m.sequence, m.type, m.transaction_id, m.withdraw_id, m.created_at, p.postings,
      sum(p.available) OVER so_far, sum(p.awaiting) OVER so_far, sum(p.blocked) OVER so_far,
      sum(p.payout) OVER so_far, sum(p.debt) OVER so_far, sum(p.suspense) OVER so_far,
      sum(p.fees) OVER so_far, sum(p.provider) OVER so_far, unhex(m.hash), NULL, 0, 0, 0, 0
    FROM movements m JOIN (
      SELECT movement, json_group_object(account, amount ORDER BY sequence) AS postings,
        sum(iif(account = 'available', amount, 0)) AS available,
        sum(iif(account = 'awaiting', amount, 0)) AS awaiting,
        sum(iif(account = 'blocked', amount, 0)) AS blocked,
        sum(iif(account = 'payout', amount, 0)) AS payout,
        sum(iif(account = 'debt', amount, 0)) AS debt,
        sum(iif(account = 'suspense', amount, 0)) AS suspense,
        sum(iif(account = 'fees', amount, 0)) AS fees,
        sum(iif(account = 'provider', amount, 0)) AS provider
      FROM postings GROUP BY movement
    ) p ON p.movement = m.sequence
    WINDOW so_far AS (ORDER BY m.sequence);

  ALTER TABLE charges ADD COLUMN movements TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE charges ADD COLUMN payment_id TEXT;
  UPDATE charges SET
    movements = (SELECT json_group_array(m.sequence ORDER BY m.sequence)
      FROM movements m INDEXED BY movements_transaction
      WHERE m.transaction_id = charges.transaction_id),
    payment_id = (SELECT p.payment_id FROM payments p INDEXED BY payments_transaction
      WHERE p.transaction_id = charges.transaction_id AND p.suspended = 0
        AND p.payment_id IS NOT charges.end_to_end_id);
  DROP INDEX payments_transaction;

  DROP TABLE movements;
  DROP TABLE postings;
  DROP TABLE accounts;
  ALTER TABLE movements_now RENAME TO movements;

  CREATE TABLE notes (
    number INTEGER PRIMARY KEY,
    movement INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    entry TEXT,
    events INTEGER NOT NULL,
    drained_movement INTEGER NOT NULL,
    drained_note INTEGER NOT NULL
  ) STRICT;
  INSERT INTO notes
    SELECT 1, newest, 0, NULL,
      coalesce((SELECT value FROM meta WHERE name = 'company_sequence'), 0), newest, 1
    FROM (SELECT coalesce(max(sequence), 0) AS newest FROM movements)
    WHERE EXISTS (SELECT 1 FROM meta WHERE name = 'company_id');
  INSERT INTO notes
    SELECT 1 + row_number() OVER (ORDER BY o.id), n.movement, o.due_at, o.entry, n.events,
      n.drained_movement, n.drained_note
    FROM outbox o JOIN notes n ON n.number = 1 ORDER BY o.id;
  DROP TABLE outbox;
  DELETE FROM meta WHERE name = 'company_sequence';

  ALTER TABLE withdraws ADD COLUMN request_hash TEXT NOT NULL DEFAULT '';
  ALTER TABLE withdraws ADD COLUMN guarded_from INTEGER;
  ALTER TABLE withdraws ADD COLUMN day_sum INTEGER NOT NULL DEFAULT 0 CHECK (day_sum >= 0);
  ALTER TABLE withdraws ADD COLUMN open INTEGER;
  UPDATE withdraws SET guarded_from = 1, open = iif(next_check_at IS NULL, NULL, 1), request_hash = coalesce((
    SELECT i.request_hash FROM idempotency i
    WHERE i.operation = 'withdraw' AND i.key = withdraws.idempotency_key), '');
  UPDATE withdraws SET day_sum = coalesce((
    SELECT d.amount FROM withdraw_days d
    WHERE d.day = date(withdraws.created_at / 1000 - 3 * 3600, 'unixepoch')), 0)
  WHERE id = (SELECT max(id) FROM withdraws);
  DELETE FROM idempotency WHERE operation = 'withdraw';
  DROP TABLE withdraw_days;
  DROP INDEX withdraws_open;
  DROP INDEX withdraws_due;
  DROP INDEX withdraws_payee;
  CREATE UNIQUE INDEX withdraws_key ON withdraws (idempotency_key);
  CREATE INDEX withdraws_open ON withdraws (id) WHERE open = 1;
  CREATE INDEX withdraws_payee ON withdraws (pix_key, amount, created_at)
    WHERE guarded_from IS NOT NULL;

  DROP INDEX operations_due;
  DROP INDEX operations_open;
  ALTER TABLE operations ADD COLUMN open INTEGER;
  UPDATE operations SET open = iif(next_check_at IS NULL, NULL, 1);
  CREATE INDEX operations_open ON operations (id) WHERE open = 1;

  CREATE TABLE audits_now (
    walk TEXT PRIMARY KEY,
    movement INTEGER NOT NULL,
    hash BLOB NOT NULL,
    balances TEXT NOT NULL,
    payment TEXT
  ) STRICT, WITHOUT ROWID;
  INSERT INTO audits_now
    SELECT walk, movement, unhex(hash), (
      SELECT json_group_object(b.account, b.balance) FROM audit_balances b
      WHERE b.walk = audits.walk), NULL
    FROM audits;
  DROP TABLE audits;
  DROP TABLE audit_balances;
  ALTER TABLE audits_now RENAME TO audits;
  `,
  `
  CREATE INDEX withdraws_old_payout ON withdraws (payout_id)
    WHERE substr(payout_id, 15, 1) <> '8';
  `,
  shortenRows,
];

/**
 * Brings an object's tables to the newest shape, or to an earlier one that is asked for. Runs in the
 * constructor, before any request.
 */
export function migrateCompany(
  storage: DurableObjectStorage,
  shape: number = MIGRATIONS.length,
): void {
  storage.transactionSync(() => {
    storage.sql.exec("CREATE TABLE IF NOT EXISTS applied_migrations (number INTEGER PRIMARY KEY)");
    const { applied } = storage.sql
      .exec<{ applied: number }>("SELECT count(*) AS applied FROM applied_migrations")
      .one();
    MIGRATIONS.slice(applied, shape).forEach((change, offset) => {
      if (typeof change === "string") storage.sql.exec(change);
      else change(storage.sql);
      storage.sql.exec("INSERT INTO applied_migrations (number) VALUES (?)", applied + offset + 1);
    });
  });
}
