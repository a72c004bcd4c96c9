import { beforeEach, expect, it } from "vitest";
import { recheckDispute } from "../../../../src/api/provider-callbacks/recheck.ts";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { depsOfCompany } from "../../../../src/http/context.ts";
import {
  availableOf,
  chargesOf,
  givenDebit,
  givenLiveWorld,
  liveUntil,
  send,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { AMOUNT } from "../../../support/builders/charges/subscriptions.ts";
import { waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import { deliverCallbacks, type PspSetup } from "../../../support/builders/providers/psp.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

beforeEach(restoreLocalOperators);

/** A debit that is paid, and that its payer's bank asks back; only `cobr` tells of that. */
async function givenDisputed() {
  const world = await givenLiveWorld();
  const { id, transactionId } = await givenDebit(world);
  await liveUntil(world, "2026-12-10T12:00:00");
  await deliverCallbacks(world);
  const [paid] = world.psp.debits.debits.get(txidOf(transactionId))!.pix;
  const { endToEndId } = paid!;
  expect(await availableOf(world)).toBe(AMOUNT);
  const atBank = world.psp.dispute(endToEndId, undefined, "MED_PIX_AUTOMATICO");
  const { cobs } = world.psp.book;
  expect(cobs.has(txidOf(transactionId))).toBe(false);
  return { world, id, transactionId, endToEndId, atBank };
}

const disputesOf = async (world: PspSetup) => {
  await waitUntilDrained(world.company);
  return (await send(world, "/api/v1/disputes")).body.items;
};

it("a debit that its payer's bank asks back is a dispute of Pix Automático, whose money is held", async () => {
  const { world, id, transactionId, endToEndId, atBank } = await givenDisputed();
  world.psp.requests.length = 0;
  await deliverCallbacks(world);

  expect(world.psp.requests).toContain(`GET /cobr/${txidOf(transactionId)}`);
  const [dispute, ...others] = await disputesOf(world);
  expect(others).toEqual([]);
  expect(dispute).toMatchObject({ status: "open", reason: "MED_AUTOMATIC_PIX", transactionId });
  expect(await accountsOf(world.company)).toMatchObject({ blocked: AMOUNT, available: 0 });

  world.psp.resolveDispute(endToEndId, atBank, "lost");
  const company = (await findCompany(world.env, world.company.id))!;
  const deps = depsOfCompany(world.deps, company);
  expect(await recheckDispute(world.env, deps, company, dispute.id)).toBe("done");
  expect(await disputesOf(world)).toMatchObject([{ status: "lost" }]);
  expect(await accountsOf(world.company)).toMatchObject({ blocked: 0, available: 0, provider: 0 });
  expect(await chargesOf(world, id)).toMatchObject([{ status: "paid" }]);
});

it("one that the payer's bank gives up gives the money back", async () => {
  const { world, endToEndId, atBank } = await givenDisputed();
  await deliverCallbacks(world);
  expect(await accountsOf(world.company)).toMatchObject({ blocked: AMOUNT });

  world.psp.resolveDispute(endToEndId, atBank, "won");
  await deliverCallbacks(world);

  expect(await disputesOf(world)).toMatchObject([{ status: "won" }]);
  expect(await availableOf(world)).toBe(AMOUNT);
});
