import { beforeAll, expect, it } from "vitest";
import { held, setFence, type Turn } from "../../../../src/db/sharding/migration/fences.ts";
import { sha256Hex } from "../../../../src/lib/hash.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { issueKey } from "../../../support/builders/credentials.ts";
import {
  givenSecondDatabase,
  moveTo,
  rowsIn,
  newIsolate,
  spreadObject,
} from "../../../support/builders/spread.ts";

/** Of no company that there is: a fence alone refers to nothing. */
const NOBODY = 16_000_001;

beforeAll(givenSecondDatabase);

const at = (turn: number): Turn => ({ companyId: NOBODY, move: 1, turn });
const fence = () =>
  env.DB.prepare("SELECT state, turn FROM fences WHERE company_id = ?").bind(NOBODY).first();

it("a step of a move that comes late neither sets the fence nor writes what a later one may", async () => {
  await setFence(env.DB, at(1), "here");
  await setFence(env.DB, at(3), "closing");
  await setFence(env.DB, at(2), "here");
  expect(await fence()).toEqual({ state: "closing", turn: 3 });

  await expect(env.DB.batch([held(env.DB, at(2), "closing")])).rejects.toThrow();
  await env.DB.batch([held(env.DB, at(3), "closing")]);
  await env.DB.prepare("DELETE FROM fences WHERE company_id = ?").bind(NOBODY).run();
});

it("a row that gets another key while its company moves is there by that one alone, one that goes is not", async () => {
  const company = await givenCompany();
  const isolate = newIsolate();
  await spreadObject(company, isolate);
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
  expect(await rowsIn("DB_2", company.id)).toMatchObject({ applications: 1, api_keys: 1 });
  const { results } = await isolate.DB_2.prepare(
    "SELECT client_id AS clientId FROM applications WHERE company_id = ?",
  )
    .bind(company.id)
    .all();
  expect(results).toEqual([{ clientId: renamed }]);
});
