import { expect, it } from "vitest";
import {
  waitUntilDrained,
  configureObject,
  takeCreatedCompanies,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  deliverCallbacks,
  givenPsp,
  reconcileDue,
  type PspSetup,
} from "../../../support/builders/providers/psp.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { archivingEnv, bookmarkObject } from "../../../support/faults/restore.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What the ledger says that the bank has, in centavos. */
const atBank = async (company: TestCompany) => 0 - ((await accountsOf(company)).provider ?? 0);

/** A payment and one refunded in the bank's app, both in D1, whose object is then as before them. */
async function givenRestored(world: PspSetup): Promise<void> {
  const { company, psp, clock } = world;
  const paid = await givenTransaction(company, { amount: 10_000 }, world.options);
  const refunded = await givenTransaction(company, { amount: 3_000 }, world.options);
  const bookmark = await bookmarkObject(company);
  psp.pay(paid.id.replaceAll("-", ""));
  psp.refundExternally(psp.pay(refunded.id.replaceAll("-", "")), "1.00");
  await deliverCallbacks(world);
  await waitUntilDrained(company);
  expect(await atBank(company)).toBe(12_900);
  await bookmark.rollBack();
  await configureObject(company.id, { clock });
  expect(await atBank(company)).toBe(0);
}

async function untilFound(world: PspSetup): Promise<void> {
  const { company, clock } = world;
  for (let hours = 0; (await atBank(company)) !== 12_900; hours++) {
    expect(hours, "hours of passes").toBeLessThan(4);
    clock.advance(HOUR_MS);
    await reconcileDue(world);
  }
}

it("lists bring back what an object lost by its restore, though D1 shows it as booked", async () => {
  const world = await givenPsp();
  await givenRestored(world);
  await untilFound(world);
  world.clock.advance(HOUR_MS);
  await reconcileDue(world);
  expect(await atBank(world.company)).toBe(12_900);
  takeCreatedCompanies();
});

it("also once the restore has raised the object's numbers above D1's", async () => {
  const world = await givenPsp();
  await givenRestored(world);
  const { company } = world;
  const answer = await callAsOperator(`/companies/${company.id}/restore`, {
    body: { after: "", since: 0 },
    env: archivingEnv,
  });
  expect(answer.status, answer.text).toBe(200);
  await configureObject(company.id, { clock: world.clock });
  await untilFound(world);
  takeCreatedCompanies();
});
