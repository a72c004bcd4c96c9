import { expect, it } from "vitest";
import { systemRandom } from "../../../src/domain/clock.ts";
import { newPayoutId, newUuid } from "../../../src/domain/ids.ts";
import { inAccount } from "../../support/company.ts";
import { accountsOf } from "../../support/ledger.ts";
import { deliverCallbacks, givenPsp } from "../../support/psp.ts";
import { givenTransaction } from "../../support/transaction.ts";
import { requestWithdraw, runPayout } from "../../support/withdraw.ts";

it.each([
  ["that carries its withdraw", (companyId: number) => newPayoutId(companyId, 1, systemRandom)],
  ["from before ids carried it", () => newUuid(systemRandom)],
])("a payout with an id %s that comes back from the payee's bank is booked", async (_, idOf) => {
  const world = await givenPsp();
  const { company, psp, options, deps } = world;
  const charge = await givenTransaction(company, { amount: 2_500 }, options);
  psp.pay(charge.id.replaceAll("-", ""));
  await deliverCallbacks(world);
  const { body } = await requestWithdraw(company, { amount: 1_000 }, options);
  await inAccount(company.id, (account, { storage }) => {
    storage.sql.exec("UPDATE withdraws SET payout_id = ?", idOf(company.id));
    return account.tick();
  });
  const run = () => runPayout(company, body.id, deps.providers(world.env), world.env);
  await run();
  const idEnvio = [...psp.book.envios.keys()][0]!;
  psp.settlePayout(idEnvio, "REALIZADO");
  await deliverCallbacks(world);
  const paid = await accountsOf(company);
  expect(paid).toMatchObject({ payout: 0 });

  psp.returnPayout(idEnvio, "10.00");
  psp.settlePayout(idEnvio, "REALIZADO");
  await deliverCallbacks(world);
  expect((await accountsOf(company)).available! - paid.available!).toBe(1_000);
});
