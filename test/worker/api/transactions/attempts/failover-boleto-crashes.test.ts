import { afterEach, describe, expect, it, vi } from "vitest";
import { endShadowCharges } from "../../../../../src/api/transactions/attempts/shadows.ts";
import { providerChargeId } from "../../../../../src/domain/charges/transaction.ts";
import { CRASH, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";
import {
  boundRows,
  chargeRows,
  shadowRows,
} from "../../../../support/builders/providers/two-banks.ts";
import {
  createBoleto,
  EFI_FIRST,
  givenTwoHouses,
  notifyOfEfi,
  notifyOfPagarMe,
  payableBoletos,
  type TwoHouses,
} from "../../../../support/builders/providers/two-houses.ts";
import { runSweep } from "../../../../support/fakes/cron.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const CLAIM = /insert into "transactions"/;
const BIND = /insert into "provider_refs" .*FROM "transactions"/s;
const MOVE = /insert into "shadow_charges"/;
const ANSWER = /update "transactions" set .*"answered_at"/;
/** A create's lease is over by then. */
const MINUTE = 60_000;
const KEY = "order-1";

afterEach(() => vi.restoreAllMocks());

type Wish = Pick<Parameters<typeof injectFault>[0], "on" | "when">;
/** How Efí is while the create runs: there, or silent about its first call. */
type Efi = "there" | "silent";

/** A boleto under a key whose create crashes there. */
async function givenCrash(wish: Wish, efi: Efi): Promise<TwoHouses> {
  const world = await givenTwoHouses();
  if (efi === "silent") world.efi.faultAlways("error_500", EFI_FIRST);
  const broken = injectFault({ ...wish, error: CRASH });
  const env = withD1(world.env, broken.intercept);
  const answer = await createBoleto(world, { key: KEY, env });
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect(broken.injections()).toBeGreaterThan(0);
  world.clock.advance(MINUTE);
  return world;
}

/** One boleto that can be paid, at the house whose line is shown; what it takes is credited once. */
async function expectOne(world: TwoHouses): Promise<void> {
  world.efi.clearFaults();
  for (let minute = 0; minute < 10; minute += 2) {
    world.clock.advance(2 * MINUTE);
    await endShadowCharges(world.env, world.deps);
  }
  const [row, ...others] = await chargeRows(world.company);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ status: "waiting_payment" });
  const chargeId = providerChargeId(row!.id, row!.attempt);
  expect(payableBoletos(world, row!.id)).toEqual([chargeId]);
  expect(await shadowRows(world.company)).toEqual([]);
  expect(await boundRows(world.company)).toEqual([]);
  if (row!.account === "efi") world.efi.pay(chargeId);
  else world.pagarme.payBoleto(chargeId, 2_500);
  await notifyOfEfi(world);
  await notifyOfPagarMe(world);
  expect((await eventsOf(world.company)).map(({ type }) => type)).toEqual(["transaction.paid"]);
}

describe.each<[string, Efi, Wish]>([
  ["behind the claim", "there", { on: CLAIM, when: "after" }],
  [
    "after the charge is bound to Efí, before its second call",
    "there",
    { on: BIND, when: "after" },
  ],
  ["before Efí's boleto is saved", "there", { on: ANSWER, when: "before" }],
  ["before the second house is stored", "silent", { on: MOVE, when: "before" }],
  ["after the second house is stored, before it is asked", "silent", { on: MOVE, when: "after" }],
  ["before the second house's boleto is saved", "silent", { on: ANSWER, when: "before" }],
  ["after the second house's boleto is saved", "silent", { on: ANSWER, when: "after" }],
])("a crash %s", (_where, efi, wish) => {
  it.each([
    ["a retry, Efí's first call silent", false, createWithKey],
    ["a retry, Efí there", true, createWithKey],
    ["the sweep, Efí's first call silent", false, sweep],
    ["the sweep, Efí there", true, sweep],
  ])("leaves one boleto, finished by %s", async (_how, isThere, finish) => {
    const world = await givenCrash(wish, efi);
    if (isThere) world.efi.clearFaults();
    else world.efi.faultAlways("error_500", EFI_FIRST);

    await finish(world);
    expect((await createWithKey(world)).status).toBe(200);

    await expectOne(world);
  });
});

function createWithKey(world: TwoHouses) {
  return createBoleto(world, { key: KEY });
}

async function sweep({ env, deps }: TwoHouses): Promise<void> {
  await runSweep(deps, env);
}

it("a charge that cannot be bound to Efí is not made there", async () => {
  const world = await givenTwoHouses();
  const broken = injectFault({ on: BIND, when: "before", error: CRASH });
  const answer = await createBoleto(world, { env: withD1(world.env, broken.intercept) });
  expect(answer.status, answer.text).toBe(200);
  expect(await chargeRows(world.company)).toMatchObject([{ account: "pagarme", attempt: 2 }]);
  await expectOne(world);
});

it("after a crash behind its binding no other house is asked, however long Efí is silent", async () => {
  const world = await givenCrash({ on: BIND, when: "after" }, "there");
  world.efi.faultAlways("unavailable");
  for (let minute = 0; minute < 5; minute++) {
    world.clock.advance(MINUTE);
    await sweep(world);
    const answer = await createWithKey(world);
    await expectProblem(answer, { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true });
  }
  expect(world.pagarme.seen).toEqual([]);
  expect(await boundRows(world.company)).toMatchObject([{ account: "efi" }]);
});

it("ten minutes after the claim no other house is asked: that it is bound may be forgotten", async () => {
  const world = await givenCrash({ on: CLAIM, when: "after" }, "there");
  world.efi.faultAlways("unavailable");
  world.clock.advance(10 * MINUTE);
  const answer = await createWithKey(world);
  await expectProblem(answer, { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true });
  expect(world.pagarme.seen).toEqual([]);
});
