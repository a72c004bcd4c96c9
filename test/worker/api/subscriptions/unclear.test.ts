import { beforeEach, expect, it } from "vitest";
import { syncCharge } from "../../../../src/api/transactions/sync.ts";
import { findTransaction } from "../../../../src/api/transactions/repository.ts";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { depsOfCompany } from "../../../../src/http/context.ts";
import {
  availableOf,
  chargesOf,
  givenDebit,
  givenLiveWorld,
  liveUntil,
  mandateOf,
  send,
  subscribe,
  subscriptionOf,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { env, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import {
  deliverCallbacks,
  reconcileDue,
  type PspSetup,
} from "../../../support/builders/providers/psp.ts";

beforeEach(restoreLocalOperators);

async function findingsOf({ company }: PspSetup): Promise<any[]> {
  await waitUntilDrained(company);
  const sql = "SELECT kind, said FROM contradictions WHERE company_id = ?";
  const { results } = await env.DB.prepare(sql).bind(company.id).all<any>();
  return results.map(({ kind, said }) => ({ kind, said: JSON.parse(said) }));
}

it("a debit that is concluded without its payment neither pays nor ends its charge", async () => {
  const world = await givenLiveWorld();
  const { company, psp, clock, deps } = world;
  const { transactionId } = await givenDebit(world);
  await liveUntil(world, "2026-12-10T04:00:00");
  const debit = psp.debits.debits.get(txidOf(transactionId))!;
  debit.pix.length = 0;
  psp.callbacks.length = 0;
  // After the charge's end by the clock.
  clock.advance(400 * 86_400_000);
  const row = (await findTransaction(world.env, company.id, transactionId))!;
  const found = (await findCompany(world.env, company.id))!;
  const provider = (await deps.providers(world.env).ofAccount(found, row.account, "PIX"))!;
  const context = { env: world.env, deps: depsOfCompany(deps, found), company: found };
  expect(await syncCharge(context, provider, row)).toBe("unknown");
  await waitUntilDrained(company);
  const after = await findTransaction(world.env, company.id, transactionId);
  expect(after?.status).toBe("waiting_payment");
  expect(await availableOf(world)).toBe(0);
});

/** A subscription whose order got no answer, though the PSP has made its mandate: with other terms. */
async function givenOtherTerms(): Promise<{ world: PspSetup; id: string }> {
  const world = await givenLiveWorld();
  world.psp.faultOnce("reset", /^POST \/rec$/);
  const { id } = await subscribe(world);
  world.psp.mandates.mandates.get(mandateOf(world))!.body.valor = { valorRec: "499.00" };
  return { world, id };
}

const OTHER_TERMS = { kind: "record_unreadable", said: { list: "mandates" } };

it.each([
  ["its search", (world: PspSetup) => liveUntil(world, "2026-12-01T13:00:00")],
  ["its notice", async (world: PspSetup) => void (await deliverCallbacks(world))],
  ["the daily list", (world: PspSetup) => reconcileDue(world)],
])(
  "a mandate under our contract with other terms is not taken by %s, and told",
  async (_by, find) => {
    const { world, id } = await givenOtherTerms();
    world.psp.mandates.approve(mandateOf(world));
    world.clock.advance(2 * 60_000);
    await find(world);
    expect((await subscriptionOf(world, id)).status).toBe("pending_approval");
    expect(await findingsOf(world)).toMatchObject([OTHER_TERMS]);
    await find(world);
    expect(await findingsOf(world)).toHaveLength(1);
    expect(await chargesOf(world, id)).toEqual([]);
    expect(world.psp.requests.filter((each) => each === "POST /rec")).toHaveLength(1);
  },
);

it("a mandate with other terms is ended with its subscription", async () => {
  const { world, id } = await givenOtherTerms();
  await send(world, `/api/v1/subscriptions/${id}/cancel`, {});
  await liveUntil(world, "2026-12-01T13:00:00");
  await liveUntil(world, "2026-12-01T15:00:00");
  expect(world.psp.mandates.mandates.get(mandateOf(world))!.status).toBe("CANCELADA");
  expect(await findingsOf(world)).toMatchObject([OTHER_TERMS]);
});
