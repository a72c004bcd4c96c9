-- A typical double-entry schema for a company's withdraws in PostgreSQL. Amounts in centavos.
CREATE TABLE api_keys (
  client_id  text PRIMARY KEY,
  company_id integer NOT NULL,
  key_hash   bytea NOT NULL
);

CREATE TABLE accounts (
  company_id integer NOT NULL,
  account    text NOT NULL,
  balance    bigint NOT NULL CHECK (balance >= 0),
  PRIMARY KEY (company_id, account)
);

CREATE TABLE withdraws (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_id      integer NOT NULL,
  idempotency_key text NOT NULL,
  request_hash    bytea NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  status          text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (company_id, idempotency_key)
);

CREATE TABLE entries (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  withdraw_id bigint NOT NULL REFERENCES withdraws,
  company_id  integer NOT NULL,
  account     text NOT NULL,
  amount      bigint NOT NULL,
  balance     bigint NOT NULL
);

INSERT INTO api_keys VALUES ('app_local_loja', 1, sha256('sk_test_local_loja'));
INSERT INTO accounts VALUES (1, 'available', 900000000000), (1, 'payout', 0);
