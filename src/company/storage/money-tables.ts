/** The object's tables of money, and those that every change of money writes; the others are in `tables.ts`. */
export const MONEY_TABLES = `
  -- One row: the company, its counters and flags.
  CREATE TABLE company (
    only INTEGER PRIMARY KEY CHECK (only = 1), -- Always 1.
    company_id INTEGER, -- Owner; NULL before the first commit.
    newest_event INTEGER NOT NULL DEFAULT 0, -- Newest event's number.
    newest_movement INTEGER NOT NULL DEFAULT 0, -- Least length of the ledger; reveals a truncated one.
    balance_events INTEGER NOT NULL DEFAULT 0, -- Balance events so far.
    webhook_tests INTEGER NOT NULL DEFAULT 0, -- Test events so far.
    frozen INTEGER NOT NULL DEFAULT 0 CHECK (frozen IN (0, 1)), -- 1 stops withdraws, refunds, returns and credits.
    credentials_version INTEGER, -- Newest known version (decision 0022).
    newest_operator_event INTEGER NOT NULL DEFAULT 0, -- Newest operator event's number.
    usage_day TEXT NOT NULL DEFAULT '', -- The day (São Paulo) of the usage.
    usage_events INTEGER NOT NULL DEFAULT 0, -- Its events so far.
    usage_bytes INTEGER NOT NULL DEFAULT 0, -- Bytes that they, and small writes, count in D1.
    usage_object_bytes INTEGER NOT NULL DEFAULT 0, -- The object's size as the day began.
    -- Charges paid or ended, those of links from the first; NULL in an object from before it was counted.
    ended_charges INTEGER,
    newest_unexpected_payment INTEGER NOT NULL DEFAULT 0, -- Number of the newest unexpected payment.
    newest_dispute INTEGER NOT NULL DEFAULT 0, -- Number of the newest dispute.
    daily_totals_from INTEGER NOT NULL DEFAULT 0, -- First movement that daily_totals counts; 0 before any.
    usage_link_charges INTEGER NOT NULL DEFAULT 0, -- Charges that payers of links made on that day.
    usage_link_bytes INTEGER NOT NULL DEFAULT 0, -- Bytes that payers of links stored on it.
    open_link_charges INTEGER NOT NULL DEFAULT 0, -- Charges of links neither paid nor ended.
    freeze_cause TEXT, -- JSON: why it is frozen and who froze it; NULL while it is not.
    frozen_since INTEGER, -- Since when it is frozen; NULL while it is not.
    freeze_changes INTEGER NOT NULL DEFAULT 0, -- Freezes and their ends so far.
    settings_events INTEGER NOT NULL DEFAULT 0, -- Events about loosened settings so far.
    frozen_again_at INTEGER, -- When it was last frozen while it was frozen; NULL if never.
    -- Newest withdraw that D1 had when the object was restored to an earlier time, and no number up to it is given
    -- again; 0 before that.
    withdraw_floor INTEGER NOT NULL DEFAULT 0,
    link_floor INTEGER NOT NULL DEFAULT 0, -- The same of payment links.
    contradiction_floor INTEGER NOT NULL DEFAULT 0, -- The same of contradictions.
    clock_offset_ms INTEGER NOT NULL DEFAULT 0, -- Milliseconds by which a tester moved the company's clock.
    subscription_floor INTEGER NOT NULL DEFAULT 0, -- As withdraw_floor, of subscriptions.
    cycle_floor INTEGER NOT NULL DEFAULT 0 -- The same of their cycles.
  ) STRICT;
  INSERT INTO company (only) VALUES (1);

  -- The ledger, append-only: one row for each movement, with every balance after it; the newest row holds the balances.
  -- CHECKs enforce I3 and the sum of all accounts at 0. A statement line's number is sequence * 16 + line.
  CREATE TABLE movements (
    sequence INTEGER PRIMARY KEY, -- Dense.
    type TEXT NOT NULL, -- charge_paid, refund_done, withdraw_requested, ...
    transaction_id TEXT, -- Charge, if any.
    withdraw_id INTEGER, -- Withdraw, if any.
    created_at INTEGER NOT NULL, -- Never decreases in the order of sequence.
    -- JSON: centavos by account, sum 0.
    -- Such as {"provider":-25000,"fees":258,"available":24742}
    postings TEXT NOT NULL,
    available INTEGER NOT NULL CHECK (available >= 0), -- Balance: withdrawable.
    awaiting INTEGER NOT NULL CHECK (awaiting >= 0), -- Balance: credits before their release date.
    blocked INTEGER NOT NULL CHECK (blocked >= 0), -- Balance: held for refunds and disputes.
    payout INTEGER NOT NULL CHECK (payout >= 0), -- Balance: withdraws in flight.
    debt INTEGER NOT NULL CHECK (debt <= 0), -- Balance: owed by the company, negative.
    suspense INTEGER NOT NULL CHECK (suspense >= 0), -- Balance: unexpected payments.
    fees INTEGER NOT NULL, -- Balance: the gateway's fees.
    provider INTEGER NOT NULL, -- Balance: outside world; money it holds for us is negative.
    hash TEXT NOT NULL, -- SHA-256 over this movement and the previous hash (decision 0007).
    details TEXT, -- JSON: payee, amount, release dates, which later payments rely on (decision 0039).
    details_hash TEXT, -- SHA-256 of details, which hash covers.
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

  -- Changes that D1 does not have yet, in commit order; the drain deletes a row once D1 has it. Numbers restart at 1
  -- after it empties.
  CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY, -- Commit order.
    -- JSON: new state and event, if any.
    -- Such as {"kind":"transaction","transactionId":"01a2...","state":{"status":"paid","version":1,...},"event":{"type":"transaction.paid","companySequence":21,...}}
    entry TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, -- Failed drains in a row; oldest row only.
    next_attempt_at INTEGER NOT NULL -- Alarm's drain: 5 s after the commit, then backoff up to a minute.
  ) STRICT;

  -- State of each charge since its first change here. Terms never change.
  CREATE TABLE charges (
    transaction_id TEXT PRIMARY KEY, -- UUID.
    amount INTEGER NOT NULL CHECK (amount > 0), -- Term, centavos.
    payment_method TEXT NOT NULL, -- Term: never changes.
    installments INTEGER NOT NULL, -- Term.
    fee_basis_points INTEGER NOT NULL, -- Term.
    fee_fixed INTEGER NOT NULL, -- Term, centavos.
    release_days INTEGER NOT NULL, -- Term.
    status TEXT NOT NULL, -- See docs/states.md#charge.
    version INTEGER NOT NULL, -- One more per change; guards the projection.
    event_sequence INTEGER NOT NULL, -- Events so far.
    updated_at INTEGER NOT NULL,
    paid_at INTEGER, -- When it was paid.
    paid_amount INTEGER NOT NULL CHECK (paid_amount >= 0), -- Centavos credited, fee included.
    -- Centavos returned, at most paid_amount.
    refunded_amount INTEGER NOT NULL CHECK (refunded_amount BETWEEN 0 AND paid_amount),
    payment_id TEXT, -- Credited payment.
    end_to_end_id TEXT, -- End-to-end id of its PIX.
    cancel_reason TEXT, -- As in D1.
    refund_reason TEXT, -- As in D1.
    card TEXT, -- As in D1.
    refused_reason TEXT, -- As in D1.
    external_nsu TEXT, -- As in D1.
    -- JSON list, first 500 changes: at, from, to, cause, movement, event.
    -- Such as [{"at":1795350405867,"from":"waiting_payment","to":"paid","cause":{"kind":"payment",...},"movement":17,"event":{"type":"transaction.paid",...}}]
    trail TEXT NOT NULL,
    -- JSON list, newest 1,000 movements.
    -- Such as [17,18,19]
    movements TEXT NOT NULL,
    account TEXT NOT NULL DEFAULT 'first', -- The PSP account that received a payment; only this account can return it.
    text_bytes INTEGER NOT NULL DEFAULT 2000, -- Bytes of a charge's texts in each of its events.
    -- JSON: who paid, with a masked document.
    -- Such as {"name":"Maria da Silva","documentMasked":"***.456.789-**","ispb":"00000000"}
    paid_by TEXT,
    payer_match TEXT, -- As in D1.
    failure_reason TEXT, -- As in D1.
    booked_day TEXT -- The day whose totals count the charge's payment.
  ) STRICT, WITHOUT ROWID;

  -- Every received payment by the provider's id; none is credited twice.
  CREATE TABLE payments (
    payment_id TEXT PRIMARY KEY, -- End-to-end id, else the provider's.
    transaction_id TEXT, -- Its charge, if any.
    payment_method TEXT NOT NULL, -- Method.
    amount INTEGER NOT NULL CHECK (amount > 0), -- Centavos.
    paid_at INTEGER NOT NULL, -- When it was paid.
    suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)), -- 1 while in suspense.
    return_operation INTEGER, -- Operation that returns it.
    account TEXT NOT NULL DEFAULT 'first', -- The PSP account that received a payment; only this account can return it.
    -- Centavos of an unexpected payment that were returned at the PSP, not by an operation.
    returned_amount INTEGER NOT NULL DEFAULT 0,
    paid_by TEXT, -- JSON: who paid, with a masked document.
    number INTEGER, -- As in D1's unexpected_payments; NULL of an expected payment.
    reason TEXT, -- As in D1's unexpected_payments.
    rule TEXT, -- As in D1's unexpected_payments.
    status TEXT, -- As in D1's unexpected_payments.
    received_at INTEGER, -- As in D1's unexpected_payments.
    version INTEGER NOT NULL DEFAULT 0, -- As in D1's unexpected_payments.
    event_sequence INTEGER NOT NULL DEFAULT 0, -- Events so far.
    requested_by TEXT, -- As in D1's unexpected_payments.
    approval TEXT NOT NULL DEFAULT 'none', -- As in D1's unexpected_payments.
    CHECK (suspended = 1 OR transaction_id IS NOT NULL)
  ) STRICT, WITHOUT ROWID;
  -- The operator's list.
  CREATE INDEX payments_suspended ON payments (payment_id) WHERE suspended = 1;

  -- Content of awaiting: a row per unreleased installment, deleted on release.
  CREATE TABLE releases (
    transaction_id TEXT NOT NULL, -- Its charge.
    installment INTEGER NOT NULL, -- From 1.
    amount INTEGER NOT NULL CHECK (amount > 0), -- Remaining centavos.
    due_at INTEGER NOT NULL, -- When it is released.
    day TEXT NOT NULL, -- Release day, fixed.
    PRIMARY KEY (transaction_id, installment)
  ) STRICT, WITHOUT ROWID;
  -- Due rows, alarm.
  CREATE INDEX releases_due ON releases (due_at);

  -- Sum of releases per day, for forecast and audit.
  CREATE TABLE release_days (
    day TEXT PRIMARY KEY, -- Day in America/Sao_Paulo, such as 2026-12-22.
    amount INTEGER NOT NULL CHECK (amount >= 0) -- Centavos.
  ) STRICT, WITHOUT ROWID;

  -- Refunds, cancels, captures, returns and changes of due dates (decision 0010).
  CREATE TABLE operations (
    id INTEGER PRIMARY KEY, -- Dense.
    operation_id TEXT NOT NULL UNIQUE, -- The provider's UUID, unique, fixed before sending.
    kind TEXT NOT NULL, -- refund, cancel, capture, return or due_date.
    transaction_id TEXT, -- Charge; NULL for a payment without one.
    payment_method TEXT NOT NULL, -- Method.
    payment_id TEXT, -- Returned payment; NULL if known by its charge.
    amount INTEGER NOT NULL CHECK (amount >= 0), -- Centavos; 0 if no money moves.
    -- JSON: origin of the money in blocked: available, parts of releases.
    -- Such as {"available":5000,"parts":[]}
    holding TEXT,
    status TEXT NOT NULL, -- See docs/states.md#operation.
    failure_reason TEXT, -- Why it failed.
    created_at INTEGER NOT NULL, -- When it was accepted.
    checks INTEGER NOT NULL, -- Polls without answer, for backoff.
    lease_until INTEGER NOT NULL, -- End of the current claim.
    next_check_at INTEGER, -- Next poll; NULL once final.
    account TEXT NOT NULL DEFAULT 'first', -- The PSP account that carries it out.
    -- JSON: who asked; NULL before this was stored.
    -- Such as {"kind":"application","id":"app_local_loja","name":"Loja"}
    requested_by TEXT,
    -- JSON: since when and through whom a caller had its rights; else NULL.
    -- Such as {"since":0,"givenBy":[]}
    standing TEXT,
    approval TEXT NOT NULL DEFAULT 'none', -- none, pending, approved or refused.
    decided_by TEXT, -- JSON: who approved or refused it.
    decision_reason TEXT, -- Why it was approved or refused.
    counted_on TEXT, -- Day of exit_sums that counts it for who asked; NULL if none does.
    decided_on TEXT, -- The same for who approved it.
    sent_at INTEGER, -- When it was first sent to the provider; NULL before.
    instead_of TEXT, -- The dispute that a refund stands instead of; else NULL.
    bank_took INTEGER, -- Centavos that the bank says it took for that dispute; NULL if it did not.
    -- JSON: from and to of a change of a due date, then boleto, as it is since; else NULL.
    -- Such as {"from":"2026-12-01","to":"2026-12-10"}
    due_date TEXT,
    covered INTEGER -- Centavos of a refund done after all that operators had taken; NULL if it was not, or before.
  ) STRICT;
  -- A charge's operations.
  CREATE INDEX operations_transaction ON operations (transaction_id);
  -- Due ones, audit.
  CREATE INDEX operations_pending ON operations (next_check_at) WHERE status = 'PENDING';

  -- Disputes of credited payments.
  CREATE TABLE disputes (
    id TEXT PRIMARY KEY, -- The provider's id.
    kind TEXT NOT NULL, -- DISPUTE (blocked until decided) or CHARGEBACK (already taken).
    transaction_id TEXT NOT NULL, -- Charge.
    amount INTEGER NOT NULL CHECK (amount > 0), -- Centavos claimed.
    held INTEGER NOT NULL CHECK (held BETWEEN 0 AND amount), -- Centavos of them in blocked.
    -- JSON: their origin, as in operations.
    -- Such as {"available":4000,"parts":[]}
    holding TEXT,
    status TEXT NOT NULL, -- OPEN, WON or LOST.
    created_at INTEGER NOT NULL, -- When it was opened.
    number INTEGER, -- As in D1.
    reason TEXT, -- As in D1.
    deadline INTEGER, -- As in D1.
    evidence TEXT, -- As in D1.
    updated_at INTEGER, -- As in D1.
    version INTEGER NOT NULL DEFAULT 0, -- As in D1.
    event_sequence INTEGER NOT NULL DEFAULT 0, -- Events so far.
    covered INTEGER -- Centavos of a lost one that operators had taken; NULL if it was never lost, or before.
  ) STRICT;
  -- A charge's disputes.
  CREATE INDEX disputes_transaction ON disputes (transaction_id);
  -- Open ones and their holds.
  CREATE INDEX disputes_open ON disputes (held) WHERE status = 'OPEN';

  -- Withdraws with their idempotency keys; next_check_at is the payout's outbox (decision 0010); while approval is
  -- pending it is when the wait ends.
  CREATE TABLE withdraws (
    id INTEGER PRIMARY KEY, -- Dense.
    payout_id TEXT NOT NULL, -- The provider's UUID, with company and number.
    idempotency_key TEXT NOT NULL, -- Idempotency key of the request.
    request_hash TEXT NOT NULL, -- SHA-256 of the request.
    amount INTEGER NOT NULL CHECK (amount > 0), -- Centavos to the payee.
    fee INTEGER NOT NULL CHECK (fee >= 0), -- Centavos, on top.
    currency TEXT NOT NULL, -- BRL.
    pix_key TEXT NOT NULL, -- The payee's PIX key.
    pix_key_type TEXT NOT NULL, -- As in D1.
    creditor_document TEXT NOT NULL, -- Payee's CPF or CNPJ.
    description TEXT NOT NULL, -- Merchant's text.
    metadata TEXT, -- Merchant's text.
    status TEXT NOT NULL, -- See docs/states.md#withdraw.
    version INTEGER NOT NULL, -- One more per change; guards the projection.
    event_sequence INTEGER NOT NULL, -- Events so far.
    end_to_end_id TEXT, -- End-to-end id of its PIX.
    failure_reason TEXT, -- The provider's words.
    created_at INTEGER NOT NULL, -- When it was accepted.
    updated_at INTEGER NOT NULL,
    checks INTEGER NOT NULL, -- Polls without answer.
    lease_until INTEGER NOT NULL, -- End of the current claim.
    next_check_at INTEGER, -- Next poll; NULL once final.
    -- JSON list; the first took its money.
    -- Such as [20,21]
    movements TEXT NOT NULL,
    guarded_from INTEGER, -- First withdraw of the guard's current period; NULL if off.
    day_sum INTEGER NOT NULL CHECK (day_sum >= 0), -- Day's total up to it; the newest row's is current.
    account TEXT NOT NULL DEFAULT 'first', -- The PSP account that pays it out.
    returned_amount INTEGER NOT NULL DEFAULT 0, -- Centavos returned after payment.
    approval TEXT NOT NULL DEFAULT 'none', -- none, pending, approved or refused.
    requested_by TEXT NOT NULL DEFAULT '', -- Client id that asked; '' before it was kept.
    decided_by TEXT, -- Client id that approved or refused.
    decision_reason TEXT, -- Its reason, or that nobody approved it in time.
    night_sum INTEGER NOT NULL DEFAULT 0, -- Night's total up to it, 0 by day; the newest row's is current.
    keys_from INTEGER, -- First withdraw since which each is in withdraw_sums by key; NULL if this one is not.
    mandated INTEGER NOT NULL DEFAULT 0, -- 1 if it is in withdraw_sums by application.
    -- When it was counted in withdraw_sums for the application that approved it; else NULL.
    approval_counted_at INTEGER,
    failure_code TEXT, -- Why it failed, as a code; failure_reason has the provider's words.
    paid_at INTEGER, -- When its payment was booked.
    -- JSON: who asked, by kind, id, name and key, and since when and through whom they may.
    -- Such as {"kind":"application","id":"app_local_loja","name":"default","keyPrefix":"sk_test_loc","since":0,"givenBy":[]}
    requester TEXT,
    decider TEXT, -- JSON: who decided, by kind, id and name.
    unapproved_sum INTEGER NOT NULL DEFAULT 0 -- The part of day_sum that nobody approved and that waits for nobody.
  ) STRICT;
  -- One withdraw per key.
  CREATE UNIQUE INDEX withdraws_key ON withdraws (idempotency_key);
  -- Due ones, audit; a freeze skips the first.
  CREATE INDEX withdraws_awaiting ON withdraws (next_check_at) WHERE status = 'Awaiting';
  -- Due ones, audit; a freeze skips the first.
  CREATE INDEX withdraws_processing ON withdraws (next_check_at) WHERE status = 'Processing';
  -- Duplicates by key and amount.
  CREATE INDEX withdraws_payee ON withdraws (pix_key, amount, created_at)
    WHERE guarded_from IS NOT NULL;

  -- Keys of all requests except creates (D1) and withdraws (own row). Never expires.
  CREATE TABLE idempotency (
    -- refund, cancel, capture, withdraw_cancel, withdraw_approve, withdraw_refuse, settings_change or webhook_test.
    operation TEXT NOT NULL,
    key TEXT NOT NULL, -- As sent.
    request_hash TEXT NOT NULL, -- SHA-256; for withdraw_cancel the withdraw's number.
    record_id INTEGER NOT NULL, -- Operation, withdraw or event number.
    -- JSON: first answer, if it cannot be derived.
    -- Such as {"outcome":"DONE","reason":null,"state":{"status":"paid","version":3,...}}
    answer TEXT,
    PRIMARY KEY (operation, key)
  ) STRICT, WITHOUT ROWID;

  -- Watermark per audit pass (decision 0013).
  CREATE TABLE audits (
    walk TEXT PRIMARY KEY, -- cron (continuous) or reconcile (restarts on request).
    movement INTEGER NOT NULL, -- Newest proven movement.
    hash TEXT NOT NULL, -- Its hash.
    -- JSON: centavos by account.
    -- Such as {"available":52742,"awaiting":60000,"blocked":4000,"payout":0,"debt":0,"suspense":1234,"fees":258,"provider":-118234}
    balances TEXT NOT NULL,
    payment TEXT NOT NULL, -- Last checked payment; '' at the start.
    awaited TEXT NOT NULL DEFAULT '', -- Last transaction with compared releases; '' at the start.
    withdraws TEXT NOT NULL DEFAULT '', -- JSON: position among open withdraws; '' at the start.
    -- JSON: sums of the day that the pass is in, and wrong days.
    -- Such as {"open":{"day":"2026-11-22","methods":{"PIX":{"count":9,"gross":225000,"fees":2318,"refunds":5000}}},"wrong":[]}
    daily_totals TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;

  -- Quarantined charges, audited again in each step.
  CREATE TABLE audit_suspects (
    transaction_id TEXT PRIMARY KEY -- Charge.
  ) STRICT, WITHOUT ROWID;
`;
