import { MONEY_TABLES } from "./money-tables.ts";

/**
 * The object's tables as they are now: a new object gets them at once. `migrations.ts` brings those of older objects
 * here. A change goes into both.
 */
export const TABLES = `${MONEY_TABLES}
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

  -- Disputes of suspended payments, whose money is never the company's.
  CREATE TABLE suspense_disputes (
    id TEXT PRIMARY KEY,
    payment_id TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
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

  -- Payment links, with their counts of payments and of places that are held.
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

  -- What one payer does under a link: one place, any of several charges.
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
    is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)),
    -- Whether the quota of links counts it; until when it holds a limited place.
    is_counted INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX checkout_charges_checkout ON checkout_charges (checkout_id);

  -- Checkout sessions under which a card's token was made, so that each works once.
  CREATE TABLE card_sessions (
    id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX card_sessions_expire ON card_sessions (expires_at);

  -- Places that payers hold; address is a keyed hash.
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

  -- Changes (JSON) that D1 has and the archive has not taken, until it does; a time to try in the oldest one.
  CREATE TABLE unarchived (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    change TEXT NOT NULL,
    next_try_at INTEGER NOT NULL
  ) STRICT;
`;
