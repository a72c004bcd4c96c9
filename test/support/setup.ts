import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll } from "vitest";
import { anchorNothing } from "./builders/reconciliation/anchors.ts";
import { assertInvariants } from "./probes/ledger/invariants.ts";
import { allowLoopbackOnly } from "./fakes/loopback-only.ts";
import { assertQueryPlans, recordQueries } from "./probes/database/recorded-queries.ts";
import { deleteAllDue } from "./builders/webhooks/webhook-history.ts";

const { DB, TEST_MIGRATIONS } = env as unknown as {
  DB: D1Database;
  TEST_MIGRATIONS: D1Migration[];
};

await applyD1Migrations(DB, TEST_MIGRATIONS);
allowLoopbackOnly();

// A day that is not over: only tests of anchors want their companies to be told of theirs.
beforeAll(() => anchorNothing(DB));

// What other files left would fill the sweep of this one's cron, and make its writes cost more.
beforeAll(deleteAllDue);

// Whatever a test did, the invariants of docs/architecture.md hold afterwards.
afterEach(assertInvariants);

// Whatever a file's tests made the product ask, no query of it grows with history.
await recordQueries();
afterAll(assertQueryPlans);
