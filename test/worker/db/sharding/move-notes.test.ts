import { expect, it } from "vitest";
import { applyChanges, noteChanges } from "../../../../src/db/sharding/migration/changes.ts";
import { movedTables } from "../../../../src/db/sharding/migration/tables.ts";
import { env } from "../../../support/fakes/env.ts";

/** No company of any test. */
const COMPANY_ID = 8_000_001;

it("a step that applies the oldest notes of a move leaves the newer ones noted", async () => {
  const table = (await movedTables(env.DB)).find(({ name }) => name === "events")!;
  await noteChanges(
    env.DB,
    COMPANY_ID,
    [1, 2, 3].map((key) => ({ table, key: [key] })),
  );

  const step = { companyId: COMPANY_ID, move: 1, turn: 1 };
  expect(await applyChanges(env.DB, env.DB, step, [], 1)).toBe(1);

  const { results } = await env.DB.prepare(
    "SELECT row_key FROM move_changes WHERE company_id = ? ORDER BY number",
  )
    .bind(COMPANY_ID)
    .all();
  expect(results).toEqual([{ row_key: "[2]" }, { row_key: "[3]" }]);
  expect(await applyChanges(env.DB, env.DB, step, [], 9)).toBe(2);
});
