import { expect, it } from "vitest";
import { movedTables } from "../../../../src/db/sharding/migration/tables.ts";
import { env } from "../../../support/fakes/env.ts";

/** Tables whose rows stay where they are, each with the reason in docs/storage.md. */
const STAY = [
  "anchor_days",
  "clients",
  "cursors",
  "fences",
  "move_changes",
  "pix_keys",
  "placements",
  "sandbox_card_charges",
  "sandbox_card_tokens",
  "sandbox_charges",
  "sandbox_disputes",
  "sandbox_payments",
  "sandbox_payouts",
  "sandbox_refunds",
  "storage_gauges",
];

it("every table either moves with its company or is known to stay", async () => {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
     AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*' ORDER BY name`,
  ).all<{ name: string }>();
  const moved = (await movedTables(env.DB)).map(({ name }) => name);
  expect(results.map(({ name }) => name)).toEqual([...moved, ...STAY].toSorted());
});

it("a table that says neither whose its rows are nor that they stay stops every move", async () => {
  await env.DB.prepare("CREATE TABLE stray (id INTEGER PRIMARY KEY) STRICT").run();
  await expect(movedTables(env.DB)).rejects.toThrow("stray does not say whose its rows are");
  await env.DB.prepare("DROP TABLE stray").run();
});

it("rows are told apart by what is theirs in every database, not by a number that one gave them", async () => {
  const tables = new Map((await movedTables(env.DB)).map((table) => [table.name, table]));
  expect(tables.get("api_keys")).toMatchObject({ unique: ["key_hash"], key: ["key_hash"] });
  expect(tables.get("api_keys")?.columns).not.toContain("id");
  expect(tables.get("companies")).toMatchObject({ company: "id", unique: ["id"], key: [] });
  expect(tables.get("transactions")).toMatchObject({
    company: "company_id",
    unique: ["company_id", "seq"],
    key: ["seq"],
  });
  expect(tables.get("events")).toMatchObject({ key: ["company_sequence"] });
  expect(tables.get("deliveries")).toMatchObject({ key: ["company_sequence", "target"] });
});
