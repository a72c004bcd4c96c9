/**
 * Ids of transactions become the 16 bytes of their UUIDs in every table, types of movements numbers and
 * accounts in postings letters (`stored-id.ts`, `short-words.ts`). Trails and entries stay as they are:
 * what was stored in full reads as itself.
 */
export const SHORT_ROWS = `
  CREATE TABLE movements_now (
    sequence INTEGER PRIMARY KEY,
    type INTEGER NOT NULL,
    transaction_id BLOB,
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
    SELECT sequence,
      CASE type
        WHEN 'charge_paid' THEN 1
        WHEN 'credit_released' THEN 2
        WHEN 'payment_suspended' THEN 3
        WHEN 'suspense_returned' THEN 4
        WHEN 'refund_requested' THEN 5
        WHEN 'refund_done' THEN 6
        WHEN 'refund_failed' THEN 7
        WHEN 'dispute_opened' THEN 8
        WHEN 'dispute_won' THEN 9
        WHEN 'dispute_lost' THEN 10
        WHEN 'dispute_reduced' THEN 11
        WHEN 'chargeback' THEN 12
        WHEN 'withdraw_requested' THEN 13
        WHEN 'withdraw_paid' THEN 14
        WHEN 'withdraw_failed' THEN 15
        WHEN 'withdraw_cancelled' THEN 16
        WHEN 'withdraw_returned' THEN 17
      END,
      unhex(transaction_id, '-'), withdraw_id, created_at,
      replace(replace(replace(replace(replace(replace(replace(replace(postings,
        '"available"', '"a"'), '"awaiting"', '"w"'), '"blocked"', '"b"'), '"payout"', '"o"'),
        '"debt"', '"d"'), '"suspense"', '"s"'), '"fees"', '"f"'), '"provider"', '"p"'),
      available, awaiting, blocked, payout, debt, suspense, fees, provider, hash, entry, note,
      events, drained_movement, drained_note
    FROM movements ORDER BY sequence;
  DROP TABLE movements;
  ALTER TABLE movements_now RENAME TO movements;

  CREATE TABLE charges_now (
    transaction_id BLOB PRIMARY KEY,
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
    refund_reason TEXT,
    installments INTEGER NOT NULL,
    fee_basis_points INTEGER NOT NULL,
    fee_fixed INTEGER NOT NULL,
    release_days INTEGER NOT NULL,
    trail TEXT NOT NULL,
    trail_after INTEGER,
    card TEXT,
    refused_reason TEXT,
    external_nsu TEXT,
    movements TEXT NOT NULL,
    payment_id TEXT
  ) STRICT, WITHOUT ROWID;
  INSERT INTO charges_now
    SELECT unhex(transaction_id, '-'), amount, payment_method, status, version, event_sequence,
      updated_at, paid_at, paid_amount, refunded_amount, end_to_end_id, cancel_reason,
      refund_reason, installments, fee_basis_points, fee_fixed, release_days, trail, trail_after,
      card, refused_reason, external_nsu, movements, payment_id
    FROM charges ORDER BY transaction_id;
  DROP TABLE charges;
  ALTER TABLE charges_now RENAME TO charges;

  CREATE TABLE payments_now (
    payment_id TEXT PRIMARY KEY,
    transaction_id BLOB,
    payment_method TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    paid_at INTEGER NOT NULL,
    suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)),
    return_operation INTEGER,
    CHECK (suspended = 1 OR transaction_id IS NOT NULL)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO payments_now
    SELECT payment_id, unhex(transaction_id, '-'), payment_method, amount, paid_at, suspended,
      return_operation
    FROM payments ORDER BY payment_id;
  DROP TABLE payments;
  ALTER TABLE payments_now RENAME TO payments;
  CREATE INDEX payments_suspended ON payments (payment_id) WHERE suspended = 1;

  CREATE TABLE releases_now (
    transaction_id BLOB NOT NULL,
    installment INTEGER NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    due_at INTEGER NOT NULL,
    day TEXT NOT NULL,
    PRIMARY KEY (transaction_id, installment)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO releases_now
    SELECT unhex(transaction_id, '-'), installment, amount, due_at, day FROM releases;
  DROP TABLE releases;
  ALTER TABLE releases_now RENAME TO releases;
  CREATE INDEX releases_due ON releases (due_at);

  DROP INDEX operations_transaction;
  ALTER TABLE operations ADD COLUMN charge BLOB;
  UPDATE operations SET charge = unhex(transaction_id, '-');
  ALTER TABLE operations DROP COLUMN transaction_id;
  ALTER TABLE operations RENAME COLUMN charge TO transaction_id;
  CREATE INDEX operations_transaction ON operations (transaction_id);

  CREATE TABLE disputes_now (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    transaction_id BLOB NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    held INTEGER NOT NULL CHECK (held BETWEEN 0 AND amount),
    holding TEXT,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO disputes_now
    SELECT id, kind, unhex(transaction_id, '-'), amount, held, holding, status, created_at
    FROM disputes ORDER BY rowid;
  DROP TABLE disputes;
  ALTER TABLE disputes_now RENAME TO disputes;
  CREATE INDEX disputes_transaction ON disputes (transaction_id);
  CREATE INDEX disputes_open ON disputes (held) WHERE status = 'OPEN';

  CREATE TABLE suspects_now (transaction_id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
  INSERT INTO suspects_now SELECT unhex(transaction_id, '-') FROM audit_suspects;
  DROP TABLE audit_suspects;
  ALTER TABLE suspects_now RENAME TO audit_suspects;
`;
