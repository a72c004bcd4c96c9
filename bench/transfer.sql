-- A minimal double-entry transfer out of one hot company: lock, check, key, two entries, balances.
\set key random(1, 9000000000000000000)
BEGIN;
SELECT balance FROM accounts WHERE company = 1 AND account = 'available' FOR UPDATE \gset
\if :balance >= 1000
INSERT INTO idempotency (key, request_hash) VALUES (:key, 'hash');
INSERT INTO transfers (company, amount, status) VALUES (1, 1000, 'Awaiting') RETURNING id \gset
INSERT INTO entries (transfer, company, account, amount, balance)
VALUES (:id, 1, 'available', -1000, :balance::bigint - 1000), (:id, 1, 'payout', 1000, 0);
UPDATE accounts SET balance = balance - 1000 WHERE company = 1 AND account = 'available';
UPDATE accounts SET balance = balance + 1000 WHERE company = 1 AND account = 'payout';
\endif
COMMIT;
