import { expect, it } from "vitest";
import { companyTables } from "../../../../../src/db/sharding/move/company-tables.ts";
import { env } from "../../../../support/builders/companies/env.ts";

/** Tables whose rows stay where they are, each with the reason in its comment in src/db/schema. */
const STAY = [
  "accounts",
  "acknowledgements",
  "alarm_notices",
  "alarms",
  "anchor_days",
  "cashier_devices",
  "cashier_pins",
  "check_claims",
  "certificate_trials",
  "clients",
  "company_creations",
  "company_forks",
  "cron_heartbeats",
  "cursors",
  "dead_letters",
  "fences",
  "invitations",
  "saved_views",
  "schema_version",
  "memberships",
  "move_changes",
  "operator_keys",
  "operator_proposals",
  "operators",
  "passkeys",
  "payment_owners",
  "pix_keys",
  "placements",
  "provider_accounts",
  "provider_hosts",
  "sandbox_card_charges",
  "sandbox_card_tokens",
  "sandbox_charges",
  "sandbox_debits",
  "sandbox_disputes",
  "sandbox_mandates",
  "sandbox_payments",
  "sandbox_payouts",
  "sandbox_refunds",
  "service_samples",
  "sessions",
  "storage_gauges",
  "two_factors",
  "users",
  "verifications",
  "webhook_attempts",
];

it("every table is declared as moved or as not moved", async () => {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
     AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*' ORDER BY name`,
  ).all<{ name: string }>();
  const moved = (await companyTables(env.DB)).map(({ name }) => name);
  expect(results.map(({ name }) => name)).toEqual([...moved, ...STAY].toSorted());
});

it("an undeclared table stops every company move", async () => {
  await env.DB.prepare("CREATE TABLE stray (id INTEGER PRIMARY KEY) STRICT").run();
  await expect(companyTables(env.DB)).rejects.toThrow("stray has no company column");
  await env.DB.prepare("DROP TABLE stray").run();
});

it("rows are identified by keys that are equal in every shard, not by local numbers", async () => {
  const tables = new Map((await companyTables(env.DB)).map((table) => [table.name, table]));
  expect(tables.get("api_keys")).toMatchObject({ unique: ["key_hash"], key: ["key_hash"] });
  expect(tables.get("api_keys")?.columns).not.toContain("id");
  expect(tables.get("companies")).toMatchObject({ companyColumn: "id", unique: ["id"], key: [] });
  expect(tables.get("transactions")).toMatchObject({
    companyColumn: "company_id",
    unique: ["company_id", "seq"],
    key: ["seq"],
  });
  expect(tables.get("events")).toMatchObject({ key: ["company_sequence"] });
  expect(tables.get("deliveries")).toMatchObject({ key: ["company_sequence", "target"] });
});
