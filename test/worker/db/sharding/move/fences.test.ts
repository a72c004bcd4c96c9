import { beforeAll, expect, it } from "vitest";
import {
  assertEpoch,
  setFence,
  type StepLease,
} from "../../../../../src/db/sharding/move/fences.ts";
import { sha256Hex } from "../../../../../src/lib/hash.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { issueKey } from "../../../../support/builders/companies/credentials.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  useShards,
} from "../../../../support/builders/companies/sharded.ts";
import { rowCountsIn } from "../../../../support/probes/database/shards.ts";

/** Of no company that there is: a fence alone refers to nothing. */
const UNKNOWN_COMPANY_ID = 16_000_001;

beforeAll(givenSecondDatabase);

const at = (epoch: number): StepLease => ({ companyId: UNKNOWN_COMPANY_ID, move: 1, epoch });
const fence = () =>
  env.DB.prepare("SELECT state, turn FROM fences WHERE company_id = ?")
    .bind(UNKNOWN_COMPANY_ID)
    .first();

it("a late move step neither sets the fence nor overwrites later steps", async () => {
  await setFence(env.DB, at(1), "here");
  await setFence(env.DB, at(3), "closing");
  await setFence(env.DB, at(2), "here");
  expect(await fence()).toEqual({ state: "closing", turn: 3 });

  await expect(env.DB.batch([assertEpoch(env.DB, at(2), "closing")])).rejects.toThrow();
  await env.DB.batch([assertEpoch(env.DB, at(3), "closing")]);
  await env.DB.prepare("DELETE FROM fences WHERE company_id = ?").bind(UNKNOWN_COMPANY_ID).run();
});

it("a row that changes its key during a move exists only under the new key, and a deleted row is gone", async () => {
  const company = await givenCompany();
  const isolate = newIsolate();
  await useShards(company, isolate);
  const renamed = `${company.clientId}_renamed`;
  const key = await issueKey(company);
  let isRenamed = false;
  await moveTo(isolate, company, "DB_2", async (before) => {
    if (before?.stage !== "catching_up" || isRenamed) return;
    isRenamed = true;
    await env.DB.prepare("UPDATE applications SET client_id = ? WHERE company_id = ?")
      .bind(renamed, company.id)
      .run();
    await env.DB.prepare("DELETE FROM api_keys WHERE key_hash = ?")
      .bind(await sha256Hex(key))
      .run();
  });

  expect(isRenamed).toBe(true);
  expect(await rowCountsIn("DB_2", company.id)).toMatchObject({ applications: 1, api_keys: 1 });
  const { results } = await isolate.DB_2.prepare(
    "SELECT client_id AS clientId FROM applications WHERE company_id = ?",
  )
    .bind(company.id)
    .all();
  expect(results).toEqual([{ clientId: renamed }]);
});
