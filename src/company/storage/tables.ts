import { MONEY_TABLES } from "./money-tables.ts";

/** Made before all else: which entries of `MIGRATIONS` the object has. */
export const APPLIED_MIGRATIONS = `
  -- Applied entries of MIGRATIONS: the platform refuses PRAGMA user_version.
  CREATE TABLE IF NOT EXISTS applied_migrations (
    number INTEGER PRIMARY KEY -- The entry, from 1.
  )
`;

/**
 * The object's tables as they are now: a new object gets them at once. `migrations.ts` brings those of older objects
 * here. A change goes into both.
 */
export const TABLES = `${MONEY_TABLES}
  -- The ledger's newest head that was anchored outside the object (decision 0039): one row.
  CREATE TABLE newest_anchor (
    only INTEGER PRIMARY KEY CHECK (only = 1), -- Always 1.
    number INTEGER NOT NULL, -- Anchors so far.
    day TEXT NOT NULL, -- As in D1's ledger_anchors.
    sequence INTEGER NOT NULL, -- Last statement line's number.
    hash TEXT NOT NULL, -- Newest movement's hash.
    digest TEXT NOT NULL, -- Day's last digest.
    signature TEXT NOT NULL, -- Ed25519, base64, for this company.
    public_key TEXT NOT NULL -- The public key of the signature, base64.
  ) STRICT;

  -- Findings that only two operators can end, such as a provider's report against the books; columns as in D1.
  CREATE TABLE contradictions (
    number INTEGER PRIMARY KEY, -- Dense.
    finding TEXT NOT NULL UNIQUE, -- Unique text of the finding.
    kind TEXT NOT NULL, -- As in D1.
    object TEXT NOT NULL, -- What it is about.
    -- JSON: the provider's report.
    -- Such as {"status":"Paid"}
    said TEXT NOT NULL,
    -- JSON: the books.
    -- Such as {"status":"Failed"}
    booked TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0), -- Centavos in question.
    held INTEGER NOT NULL CHECK (held BETWEEN 0 AND amount), -- Centavos not withdrawable.
    status TEXT NOT NULL, -- open, proposed or decided.
    since INTEGER NOT NULL, -- When it was found.
    proposal TEXT, -- JSON: one operator's proposal.
    decision TEXT, -- JSON: outcome, both operators.
    version INTEGER NOT NULL -- One more per change.
  ) STRICT;
  -- Held money.
  CREATE INDEX contradictions_open ON contradictions (held) WHERE status <> 'decided';
  -- An object's findings.
  CREATE INDEX contradictions_object ON contradictions (object);

  -- Refunds made at the PSP, not by our operations.
  CREATE TABLE external_refunds (
    id TEXT PRIMARY KEY, -- Payment id and refund id, joined by a colon.
    payment_id TEXT NOT NULL, -- The payment that it returns.
    transaction_id TEXT, -- Charge; NULL for an unexpected payment.
    amount INTEGER NOT NULL CHECK (amount > 0), -- Centavos reported.
    booked INTEGER NOT NULL CHECK (booked BETWEEN 0 AND amount), -- Centavos booked, up to the payment.
    created_at INTEGER NOT NULL, -- When it was booked.
    covered INTEGER -- Centavos of booked that operators had taken; NULL before that was stored.
  ) STRICT;
  -- A charge's external refunds.
  CREATE INDEX external_refunds_transaction ON external_refunds (transaction_id);

  -- Disputes of unexpected payments in suspense, whose money is never the company's.
  CREATE TABLE suspense_disputes (
    id TEXT PRIMARY KEY, -- The provider's id.
    payment_id TEXT NOT NULL, -- The payment that it is about.
    amount INTEGER NOT NULL CHECK (amount > 0), -- Centavos claimed.
    status TEXT NOT NULL, -- OPEN, WON or LOST.
    created_at INTEGER NOT NULL, -- When it was opened.
    number INTEGER, -- As in D1.
    reason TEXT, -- As in D1.
    deadline INTEGER, -- As in D1.
    evidence TEXT, -- As in D1.
    updated_at INTEGER, -- As in D1.
    version INTEGER NOT NULL DEFAULT 0, -- As in D1.
    event_sequence INTEGER NOT NULL DEFAULT 0 -- Events so far.
  ) STRICT;
  -- Open ones.
  CREATE INDEX suspense_disputes_open ON suspense_disputes (payment_id) WHERE status = 'OPEN';

  -- Rows that are polled again though they look final: paid payouts, open disputes (decision 0038), and what operators
  -- decided without its provider.
  CREATE TABLE rechecks (
    id INTEGER PRIMARY KEY, -- Number.
    kind TEXT NOT NULL, -- payout, dispute, operation or failed_refund.
    subject TEXT NOT NULL, -- Withdraw number, dispute id or an operation's.
    checks INTEGER NOT NULL, -- Polls so far.
    since INTEGER NOT NULL, -- When the payout was paid or the dispute opened.
    status TEXT NOT NULL, -- OPEN; the row is deleted at the end.
    next_check_at INTEGER NOT NULL, -- Next poll.
    UNIQUE (kind, subject)
  ) STRICT;
  -- Due ones.
  CREATE INDEX rechecks_open ON rechecks (next_check_at) WHERE status = 'OPEN';

  -- Outbox entries that D1 refuses, and later entries of the same object (decision 0040).
  CREATE TABLE outbox_set_aside (
    id INTEGER PRIMARY KEY, -- Order.
    subject TEXT NOT NULL, -- What it is about.
    -- JSON, as in outbox.
    -- Such as {"kind":"transaction"}
    entry TEXT NOT NULL,
    reason TEXT NOT NULL, -- D1's refusal.
    since INTEGER NOT NULL, -- When it was rejected.
    refusals INTEGER NOT NULL, -- Count; 8 opens a contradiction entry_set_aside.
    next_try_at INTEGER -- Next retry of the object's first entry; NULL behind it.
  ) STRICT;
  -- An object's entries, in order.
  CREATE INDEX outbox_set_aside_subject ON outbox_set_aside (subject, id);
  -- Due retries, alarm.
  CREATE INDEX outbox_set_aside_due ON outbox_set_aside (next_try_at) WHERE next_try_at IS NOT NULL;

  -- Withdraws that wait for an approval. A row goes with the decision, the cancel or the end of the wait, which the
  -- alarm finds at the first row: withdraws expire in the order of their numbers.
  CREATE TABLE pending_approvals (
    withdraw_id INTEGER PRIMARY KEY, -- Withdraw.
    expires_at INTEGER NOT NULL -- 72 hours after the request: cancelled.
  ) STRICT;

  -- Centavos of one day that were withdrawn and not given back, while a limit asks for them: to a PIX key
  -- (withdrawKeyDailyLimit), by an application with spending limits. One row for each, written over on its next day.
  CREATE TABLE withdraw_sums (
    kind TEXT NOT NULL, -- key or mandate (an application's spending limits).
    subject TEXT NOT NULL, -- PIX key or client id.
    day TEXT NOT NULL, -- Day in America/Sao_Paulo; an older one is 0.
    amount INTEGER NOT NULL CHECK (amount >= 0), -- Centavos.
    PRIMARY KEY (kind, subject)
  ) STRICT, WITHOUT ROWID;

  -- The PIX keys to which a company allows withdraws, at most 1,000.
  CREATE TABLE allowed_pix_keys (
    id INTEGER PRIMARY KEY, -- Number in the API.
    pix_key TEXT NOT NULL UNIQUE, -- Key in DICT's form, unique.
    pix_key_type TEXT NOT NULL, -- As in D1.
    added_at INTEGER NOT NULL, -- When it was added.
    counts_from INTEGER NOT NULL -- End of the cool-down that was set when added.
  ) STRICT;

  -- What was booked on a day (America/Sao_Paulo), by payment method. Centavos.
  CREATE TABLE daily_totals (
    day TEXT NOT NULL, -- YYYY-MM-DD in America/Sao_Paulo.
    payment_method TEXT NOT NULL, -- Method.
    count INTEGER NOT NULL, -- Payments.
    gross INTEGER NOT NULL, -- Centavos paid.
    fees INTEGER NOT NULL, -- Centavos of fees.
    refunds INTEGER NOT NULL, -- Centavos returned or taken back.
    version INTEGER NOT NULL, -- One more per change.
    hours TEXT NOT NULL DEFAULT '{}', -- JSON: payments by the hour, such as {"9":2,"14":1}.
    PRIMARY KEY (day, payment_method)
  ) STRICT, WITHOUT ROWID;

  -- Payment links, with their counts of payments and of reservations.
  CREATE TABLE payment_links (
    number INTEGER PRIMARY KEY, -- Dense, from 1.
    id TEXT NOT NULL UNIQUE, -- Public id.
    slug TEXT NOT NULL, -- Its address, /l/{slug}.
    name TEXT NOT NULL, -- What is sold.
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)), -- Whether the merchant lets it take payments.
    -- JSON: amounts (centavos), quantity, methods, asked fields, returnUrl; never changes.
    -- Such as {"amount":50000,"minimum":null,"maximum":null,"amounts":null,"maxQuantity":1,"paymentMethods":["PIX"],"fields":[],"returnUrl":null}
    terms TEXT NOT NULL,
    max_payments INTEGER, -- The most payments; NULL for any number.
    expires_at INTEGER, -- When it ends; NULL for none.
    metadata TEXT, -- Goes into each charge; NULL for none.
    paid_count INTEGER NOT NULL CHECK (paid_count >= 0), -- Payments that came.
    open_count INTEGER NOT NULL CHECK (open_count >= 0), -- Reservations that payers hold who have not paid.
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL, -- Grows with each change; an older one is not written.
    event_sequence INTEGER NOT NULL -- Events so far.
  ) STRICT;

  -- Subscriptions with what the provider told of their mandates.
  CREATE TABLE subscriptions (
    number INTEGER PRIMARY KEY, -- Dense, from 1.
    id TEXT NOT NULL UNIQUE, -- Public id; without hyphens the contract of its mandate.
    external_ref TEXT NOT NULL, -- Merchant's number.
    status TEXT NOT NULL, -- See docs/states.md.
    description TEXT NOT NULL, -- What is sold.
    customer TEXT NOT NULL, -- JSON: who is debited; {} once erased.
    -- JSON: amount (centavos), period, days, journey, retries; never changes.
    -- Such as {"amount":{"kind":"fixed","amount":4990},"period":"MONTHLY","firstDueDate":"2026-12-10","endDate":null,"journey":"QR","retry":[1,3]}
    terms TEXT NOT NULL,
    amount INTEGER NOT NULL, -- Centavos of the next cycles.
    account TEXT NOT NULL, -- Account at the provider that has the mandate.
    mandate TEXT NOT NULL, -- JSON: the mandate as the provider told of it.
    next_cycle INTEGER NOT NULL, -- The cycle that is opened next, from 1.
    approval_expires_at INTEGER NOT NULL, -- When nobody can approve it any more.
    metadata TEXT, -- Merchant's text; NULL for none.
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL, -- Grows with each change of it or of a cycle.
    event_sequence INTEGER NOT NULL, -- Events so far.
    mandate_checked_at INTEGER, -- When the provider last told of the mandate; NULL before.
    step TEXT, -- What is done next, such as order_debit; NULL for nothing.
    checks INTEGER NOT NULL, -- Answers in a row that told nothing.
    lease_until INTEGER NOT NULL, -- Until then one request works on it.
    next_check_at INTEGER, -- When that step is due; NULL for nothing.
    secure_random TEXT NOT NULL DEFAULT '', -- Random half of its secureId; empty in those older than it.
    dunning TEXT -- JSON: what is done about cycles that stay unpaid; NULL for nothing.
  ) STRICT;
  -- Those with something to do.
  CREATE INDEX subscriptions_due ON subscriptions (next_check_at) WHERE next_check_at IS NOT NULL;

  -- Cycles of subscriptions, once they are opened.
  CREATE TABLE subscription_cycles (
    number INTEGER PRIMARY KEY, -- Dense, from 1.
    subscription_id TEXT NOT NULL, -- Its subscription.
    cycle INTEGER NOT NULL, -- Its place in the subscription, from 1.
    due_date TEXT NOT NULL, -- YYYY-MM-DD in America/Sao_Paulo.
    amount INTEGER NOT NULL, -- Centavos.
    status TEXT NOT NULL, -- open, paid, failed, cancelled or skipped.
    transaction_id TEXT NOT NULL, -- Its charge.
    debit TEXT NOT NULL, -- JSON: the debit as the provider told of it, and what was ordered.
    attempts TEXT NOT NULL, -- JSON: attempts to debit it, oldest first.
    checked_at INTEGER, -- When the provider last told of the debit; NULL before.
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL, -- Grows with each change.
    recovery TEXT -- JSON: what it is paid by beside its debit; NULL without.
  ) STRICT;
  -- One for each place.
  CREATE UNIQUE INDEX subscription_cycles_cycle ON subscription_cycles (subscription_id, cycle);
  -- The cycle of a charge.
  CREATE UNIQUE INDEX subscription_cycles_transaction ON subscription_cycles (transaction_id);
  -- Those that are being debited.
  CREATE INDEX subscription_cycles_open ON subscription_cycles (subscription_id, cycle) WHERE status = 'open';

  -- The charge by which each cycle can be paid by hand, made or not: a restore loses no such link.
  CREATE TABLE cycle_charges (
    transaction_id TEXT PRIMARY KEY, -- One of them: the ids of a cycle differ in two digits.
    cycle INTEGER NOT NULL -- Its cycle's number.
  ) STRICT, WITHOUT ROWID;

  -- What one payer does under a link: one reservation, any of several charges.
  CREATE TABLE checkouts (
    id TEXT PRIMARY KEY, -- The payer's checkout, 22 characters.
    link INTEGER NOT NULL, -- The link's number.
    status TEXT NOT NULL, -- held: a reservation without a charge yet; open: with an open charge; paid; ended.
    held_until INTEGER, -- When a reservation without a charge ends; NULL in other statuses.
    paid_by TEXT, -- Transaction whose payment counts; NULL before.
    charges INTEGER NOT NULL, -- Charges that were made in it.
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Reservations to free.
  CREATE INDEX checkouts_held ON checkouts (held_until) WHERE status = 'held';

  -- The charges of a checkout, with the terms of those that have not changed yet (JSON).
  CREATE TABLE checkout_charges (
    transaction_id TEXT PRIMARY KEY, -- The charge.
    checkout_id TEXT NOT NULL, -- Its checkout.
    -- JSON: the charge's terms, to cancel it before its first change.
    -- Such as {"transactionId":"019aa6c0-5e00-8d2c-9f31-6b1f0c000002","amount":50000}
    terms TEXT NOT NULL,
    is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)), -- Whether it is neither paid nor ended.
    is_counted INTEGER NOT NULL DEFAULT 0, -- Whether the quota of links counts it; 0 from before that quota.
    expires_at INTEGER -- When a limited link's PIX expires; NULL of any other.
  ) STRICT, WITHOUT ROWID;
  -- The others to cancel when one is paid.
  CREATE INDEX checkout_charges_checkout ON checkout_charges (checkout_id);

  -- Checkout sessions under which a payer's page made a card's token, so that each works once. An expired one is
  -- deleted by the next.
  CREATE TABLE card_sessions (
    id TEXT PRIMARY KEY, -- Of the session, made with the page.
    expires_at INTEGER NOT NULL -- When it ends by itself, an hour later.
  ) STRICT, WITHOUT ROWID;
  -- Those to delete.
  CREATE INDEX card_sessions_expire ON card_sessions (expires_at);

  -- Reservations of links that payers hold, until they are sold or given back.
  CREATE TABLE held_places (
    checkout_id TEXT PRIMARY KEY, -- The checkout that holds it.
    is_limited INTEGER NOT NULL CHECK (is_limited IN (0, 1)), -- Whether the link limits its payments.
    address TEXT, -- HMAC-SHA256 of the payer's network address under the company's key; may be NULL.
    taken_at INTEGER NOT NULL, -- Since when it is held.
    lapses_at INTEGER, -- When its unpaid PIX gives it back; NULL while another charge or none holds it.
    renewals INTEGER NOT NULL -- How often that time began anew, at most twice.
  ) STRICT, WITHOUT ROWID;
  -- Those of one address.
  CREATE INDEX held_places_address ON held_places (address, taken_at) WHERE is_limited = 1;
  -- Those to give back.
  CREATE INDEX held_places_lapse ON held_places (lapses_at) WHERE lapses_at IS NOT NULL;

  -- Declined cards of 30 days, which the brands' rules count, by keyed hashes. An older one is deleted by the next.
  CREATE TABLE card_declines (
    id INTEGER PRIMARY KEY, -- In order.
    source TEXT NOT NULL, -- api, or link for a payer's.
    card TEXT, -- HMAC-SHA256 of first six, last four and expiry under the company's key; NULL of one that is unknown.
    address TEXT, -- The same of a payer's network address; NULL for the API.
    declined_at INTEGER NOT NULL, -- When it was declined.
    brand TEXT NOT NULL DEFAULT 'unknown', -- The card's, as card-validator names it.
    amount INTEGER NOT NULL DEFAULT 0, -- Centavos: brands count attempts with one amount.
    code TEXT, -- The brand's own code; NULL where the acquirer gave none.
    advice TEXT -- Mastercard's advice (MAC); NULL without one.
  ) STRICT;
  -- Those to delete.
  CREATE INDEX card_declines_at ON card_declines (declined_at);
  -- The count of a card and of an address.
  CREATE INDEX card_declines_card ON card_declines (source, card, declined_at) WHERE card IS NOT NULL;
  -- The count of a card and of an address.
  CREATE INDEX card_declines_address ON card_declines (source, address, declined_at)
    WHERE address IS NOT NULL;

  -- Those of tokens whose card nobody knew beforehand, by a keyed hash of who was to pay; deleted likewise.
  CREATE TABLE payer_declines (
    id INTEGER PRIMARY KEY, -- In order.
    source TEXT NOT NULL, -- As of card_declines.
    payer TEXT NOT NULL, -- HMAC-SHA256 of the document under the company's key.
    declined_at INTEGER NOT NULL -- When it was declined.
  ) STRICT;
  -- Those to delete.
  CREATE INDEX payer_declines_at ON payer_declines (declined_at);
  -- The count of a payer.
  CREATE INDEX payer_declines_payer ON payer_declines (source, payer, declined_at);

  -- What two operators decided, by the id of their proposal, so that each has its effect once (decision 0041). Written
  -- with what it books.
  CREATE TABLE operator_decisions (
    proposal_id TEXT PRIMARY KEY, -- The proposal in D1; a return has it as its operation's id.
    action TEXT NOT NULL, -- payout.decide and such.
    target TEXT NOT NULL, -- What it is about.
    -- JSON: client id and name.
    -- Such as {"id":"op_5f0c8e4b1d2a4f6e9b7c3a1d0e8f6b42","name":"Ana Souza"}
    proposed_by TEXT NOT NULL,
    proposed_at INTEGER NOT NULL, -- When it was proposed.
    -- JSON: client id and name.
    -- Such as {"id":"op_0a1b2c3d4e5f60718293a4b5c6d7e8f9","name":"Rui Lima"}
    approved_by TEXT NOT NULL,
    reason TEXT NOT NULL, -- The proposer's reason.
    approval_reason TEXT NOT NULL, -- The approver's reason.
    evidence TEXT, -- What shows it; NULL for nothing.
    provider TEXT NOT NULL, -- agreed, silent or not_asked.
    -- JSON: what the provider said; NULL for nothing.
    -- Such as {"kind":"unknown"}
    provider_answer TEXT,
    decided_at INTEGER NOT NULL, -- When it was booked.
    attempt TEXT NOT NULL -- The call that booked it: when its answer is lost, its repeat still has to send a return.
  ) STRICT, WITHOUT ROWID;
  -- The decisions on one thing.
  CREATE INDEX operator_decisions_target ON operator_decisions (target, decided_at);

  -- What went back to payers on a day by refunds and returns that callers asked for, less what failed: of the company
  -- ('') and of each caller. Centavos. Overwritten by the next day.
  CREATE TABLE exit_sums (
    subject TEXT PRIMARY KEY, -- A client id; empty for the whole company.
    day TEXT NOT NULL, -- Day (America/Sao_Paulo).
    amount INTEGER NOT NULL, -- Centavos.
    unapproved INTEGER NOT NULL -- Centavos of them that nobody approved or must.
  ) STRICT, WITHOUT ROWID;

  -- Refunds and returns that wait for an approval.
  CREATE TABLE waiting_exits (
    operation INTEGER PRIMARY KEY, -- operations.id.
    expires_at INTEGER NOT NULL -- End of the window; then it fails.
  ) STRICT;

  -- Changes that D1 has and the archive has not taken (docs/restore.md#what-is-kept), until it does. Empty while R2
  -- answers.
  CREATE TABLE unarchived (
    number INTEGER PRIMARY KEY, -- Order.
    at INTEGER NOT NULL, -- When D1 took it.
    -- JSON: rows of transactions (charges), outbox entries.
    -- Such as {"charges":[],"entries":[{"kind":"balance","number":4,"balances":{"available":1500},"event":{"type":"balance.released","companySequence":22}}]}
    change TEXT NOT NULL,
    next_try_at INTEGER NOT NULL -- Next try; only the oldest row's counts.
  ) STRICT;
`;
