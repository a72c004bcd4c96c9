import { beforeAll, expect, it } from "vitest";
import { claimSql, companySql, directorySql } from "../../scripts/lib/company-sql.ts";
import { claimPixKey, dropPixKeys } from "../../src/db/pix-keys.ts";
import { systemRandom } from "../../src/domain/clock.ts";
import { newUuid } from "../../src/domain/ids.ts";
import { configOf } from "../../src/env.ts";
import { env, givenCompany } from "../support/company.ts";
import { expectProblem } from "../support/problem.ts";
import { givenSecondDatabase, newIsolate } from "../support/spread.ts";
import { createTransaction } from "../support/transaction.ts";

beforeAll(givenSecondDatabase);

/** Runs statements as `wrangler d1 execute` does. */
async function execute(database: D1Database, statements: string): Promise<void> {
  for (const statement of statements.split(";\n").filter((part) => part.trim() !== "")) {
    await database.prepare(statement).run();
  }
}

it("a company is made in another database under the directory's next number", async () => {
  const before = await givenCompany();
  const isolate = newIsolate();
  const company = {
    name: "Loja Nova",
    mode: "sandbox" as const,
    providerCompanyId: newUuid(systemRandom),
    clientId: `app_${newUuid(systemRandom)}`,
    apiKey: `sk_test_${newUuid(systemRandom)}`,
    webhookSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    mainPixKey: null,
    bankDocument: "",
  };
  const credentials = { "X-Client-Id": company.clientId, "X-API-Key": company.apiKey };
  const early = newIsolate();
  await expectProblem(await createTransaction({ ...before, credentials }, {}, { env: early }), {
    status: 401,
    code: "INVALID_CREDENTIALS",
  });

  const id = await env.DB.prepare(claimSql("DB_2")).first<number>("id");
  expect(id).toBe(before.id + 1);
  const sql = await companySql(company, configOf(env).secretsKey, Date.now(), id);
  await execute(isolate.DB_2, sql);
  await execute(env.DB, directorySql(company, id!));

  for (const environment of [isolate, early]) {
    const created = await createTransaction({ ...before, credentials }, {}, { env: environment });
    expect(created.status).toBe(200);
  }
  const rows = isolate.DB_2.prepare("SELECT count(*) AS n FROM transactions WHERE company_id = ?");
  expect(await rows.bind(id).first("n")).toBe(2);
  expect((await givenCompany()).id).toBe(before.id + 2);
});

it("a PIX key is of one company, whatever databases they live in", async () => {
  const isolate = newIsolate();
  const [one, other] = [await givenCompany(), await givenCompany()];
  const key = newUuid(systemRandom);
  expect(await claimPixKey(isolate, one.id, key)).toBe(true);
  expect(await claimPixKey(isolate, one.id, key)).toBe(true);
  expect(await claimPixKey(isolate, other.id, key)).toBe(false);
  await dropPixKeys(isolate, one.id, key);
  expect(await claimPixKey(isolate, other.id, key)).toBe(false);
  await dropPixKeys(isolate, one.id, null);
  expect(await claimPixKey(isolate, other.id, key)).toBe(true);
});

it("a PIX key that a company has had since there was one database is not given to another", async () => {
  const isolate = newIsolate();
  const [one, other] = [await givenCompany(), await givenCompany()];
  const key = newUuid(systemRandom);
  await env.DB.prepare(
    `INSERT INTO company_providers (company_id, provider, settings, sealed, callback_token_hash,
       listed_until, list_at, list_window, created_at, updated_at)
     VALUES (?, 'PixApi', ?, '', '', 0, 9000000000000000, 0, 0, 0)`,
  )
    .bind(one.id, JSON.stringify({ pixKey: key }))
    .run();
  expect(await claimPixKey(isolate, other.id, key)).toBe(false);
  expect(await claimPixKey(env, other.id, key)).toBe(true);
});
