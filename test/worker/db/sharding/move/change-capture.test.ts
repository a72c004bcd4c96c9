import { expect, it } from "vitest";
import {
  applyChanges,
  captureChanges,
} from "../../../../../src/db/sharding/move/change-capture.ts";
import { companyTables } from "../../../../../src/db/sharding/move/company-tables.ts";
import { env } from "../../../../support/builders/companies/env.ts";

/** No company of any test. */
const COMPANY_ID = 8_000_001;

it("a step that applies the oldest captured changes keeps the newer ones", async () => {
  const table = (await companyTables(env.DB)).find(({ name }) => name === "events")!;
  await captureChanges(
    env.DB,
    COMPANY_ID,
    [1, 2, 3].map((key) => ({ table, key: [key] })),
  );

  const step = { companyId: COMPANY_ID, move: 1, epoch: 1 };
  expect(await applyChanges(env.DB, env.DB, step, [], 1)).toBe(1);

  const { results } = await env.DB.prepare(
    "SELECT row_key FROM move_changes WHERE company_id = ? ORDER BY number",
  )
    .bind(COMPANY_ID)
    .all();
  expect(results).toEqual([{ row_key: "[2]" }, { row_key: "[3]" }]);
  expect(await applyChanges(env.DB, env.DB, step, [], 9)).toBe(2);
});
