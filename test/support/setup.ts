import "./no-schema-check.ts";
import "./quick-passwords.ts";
import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll } from "vitest";
import { anchorNothing } from "./builders/reconciliation/anchors.ts";
import { addLocalOperators } from "./builders/companies/local-operators.ts";
import { assertInvariants } from "./probes/ledger/invariants.ts";
import { allowLoopbackOnly } from "./fakes/loopback-only.ts";
import { assertQueryPlans, recordQueries } from "./probes/database/recorded-queries.ts";
import { deleteAllDue } from "./builders/webhooks/webhook-history.ts";

const { DB, TEST_MIGRATIONS, SHOWS_LOG } = env as unknown as {
  DB: D1Database;
  TEST_MIGRATIONS: D1Migration[];
  SHOWS_LOG: boolean;
};

// Each line would be sent to vitest's process and be answered, for nothing.
for (const level of SHOWS_LOG ? [] : (["log", "warn", "error"] as const)) {
  console[level] = () => undefined;
}

await applyD1Migrations(DB, TEST_MIGRATIONS);
await addLocalOperators(DB);
allowLoopbackOnly();

// Anchors are off, except in their own tests: every anchor is an event of its company.
beforeAll(() => anchorNothing(DB));

// Deliveries that other files left would fill this file's sweep and add to its write counts.
beforeAll(deleteAllDue);

// The invariants of docs/architecture.md hold after every test.
afterEach(assertInvariants);

// No query that the file's tests caused grows with history.
await recordQueries();
afterAll(assertQueryPlans);
