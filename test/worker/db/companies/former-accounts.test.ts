import { expect, it } from "vitest";
import { databaseFor } from "../../../../src/db/client.ts";
import {
  listFormerAccounts,
  selectCallbackAccounts,
} from "../../../../src/db/companies/former-accounts.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";

it("the newest former accounts are known for a company with very many of them", async () => {
  const company = await givenCompany({ mode: "live" });
  await env.DB.prepare(
    `INSERT INTO former_accounts
       (company_id, account, provider, settings, sealed, callback_token_hash, created_at, left_at)
     SELECT ?1, printf('a%03d', value), 'PixApi', '{}', 'sealed', 'hash', 0, 1000 + value
     FROM json_each(?2)`,
  )
    .bind(company.id, JSON.stringify(Array.from({ length: 60 }, (_, index) => index)))
    .run();
  const listed = await listFormerAccounts(env, company.id);
  expect(listed.map(({ account }) => account).slice(0, 2)).toEqual(["a059", "a058"]);
  const calledBack = await selectCallbackAccounts(databaseFor(env, company.id), company.id, 2_000);
  expect(calledBack.map(({ account }) => account)).toContain("a059");
});
