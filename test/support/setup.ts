import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach } from "vitest";
import { assertInvariants } from "./invariants.ts";

const { DB, TEST_MIGRATIONS } = env as unknown as {
  DB: D1Database;
  TEST_MIGRATIONS: D1Migration[];
};

await applyD1Migrations(DB, TEST_MIGRATIONS);

// Whatever a test did, the invariants of docs/architecture.md hold afterwards.
afterEach(assertInvariants);
