import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { restoreCharges } from "../../../../../src/api/operator/restore/repository.ts";
import { databaseFor } from "../../../../../src/db/client.ts";
import { transactions } from "../../../../../src/db/schema/transactions.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { env } from "../../../../support/builders/companies/company.ts";
import { chargeRows, givenTwoBanks } from "../../../../support/builders/providers/two-banks.ts";

it.each([
  ["does not have it", (id: number) => `DELETE FROM transactions WHERE company_id = ${id}`],
  [
    "still has its claim at the first bank",
    (id: number) =>
      `UPDATE transactions SET account = 'first', attempt = 1, answered_at = NULL WHERE company_id = ${id}`,
  ],
])("a charge of the second bank is its charge again where D1 %s", async (_what, goBack) => {
  const world = await givenTwoBanks();
  world.psp.faultOnce("unavailable", /^PUT \/cob/);
  await createTransaction(world.company, { amount: 2_500 }, world.options);
  const before = await chargeRows(world.company);
  const { id } = world.company;
  const archived = await databaseFor(env, id)
    .select()
    .from(transactions)
    .where(eq(transactions.companyId, id));
  await env.DB.exec(goBack(id));

  await restoreCharges(env, id, archived);

  expect(before).toMatchObject([{ account: world.accounts.second, attempt: 2 }]);
  expect(await chargeRows(world.company)).toEqual(before);
});
