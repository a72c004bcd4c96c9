import { expect, it } from "vitest";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { deliverCallbacks, givenPsp } from "../../../support/builders/providers/psp.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

it("a payout that the payee's bank returns is credited", async () => {
  const world = await givenPsp();
  const { company, psp, options, deps } = world;
  const charge = await givenTransaction(company, { amount: 2_500 }, options);
  psp.pay(charge.id.replaceAll("-", ""));
  await deliverCallbacks(world);
  const { body } = await requestWithdraw(company, { amount: 1_000 }, options);
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
