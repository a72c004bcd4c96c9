import { afterEach, describe, expect, it, vi } from "vitest";
import { endShadowCharges } from "../../../../../src/api/transactions/attempts/shadows.ts";
import { providerChargeId } from "../../../../../src/domain/charges/transaction.ts";
import { CRASH, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";
import {
  chargeRows,
  givenTwoBanks,
  payableAt,
  shadowRows,
  type TwoBanks,
} from "../../../../support/builders/providers/two-banks.ts";
import { deliverCallbacks } from "../../../../support/builders/providers/psp.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { runSweep } from "../../../../support/fakes/cron.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const CLAIM = /insert into "transactions"/;
const MOVE = /insert into "shadow_charges"/;
const ANSWER = /update "transactions" set .*"answered_at"/;
/** A create's lease is over by then. */
const MINUTE = 60_000;

afterEach(() => vi.restoreAllMocks());

type Wish = Pick<Parameters<typeof injectFault>[0], "on" | "when">;

/** A create under a key that crashes there, while the first bank makes charges and its answers are lost. */
async function givenCrash(wish: Wish): Promise<TwoBanks> {
  const world = await givenTwoBanks();
  world.psp.faultAlways("error_500");
  const broken = injectFault({ ...wish, error: CRASH });
  const answer = await create(world, withD1(world.env, broken.intercept));
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect(broken.injections()).toBe(1);
  world.clock.advance(MINUTE);
  return world;
}

function create(world: TwoBanks, environment = world.env) {
  const options = { deps: world.deps, env: environment, key: "order-1" };
  return createTransaction(world.company, { amount: 2_500 }, options);
}

/** The cron of the next ten minutes, and both banks answer. */
async function settle(world: TwoBanks): Promise<void> {
  world.psp.clearFaults();
  for (let minute = 0; minute < 10; minute += 2) {
    world.clock.advance(2 * MINUTE);
    await endShadowCharges(world.env, world.deps);
  }
}

/** One charge that can be paid, at the bank whose code is shown; whatever it takes is credited once. */
async function expectOne(world: TwoBanks): Promise<void> {
  const [row, ...others] = await chargeRows(world.company);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ status: "waiting_payment" });
  const isFirst = row!.account === world.accounts.first;
  const [shown, hidden] = isFirst ? [world.psp, world.second] : [world.second, world.psp];
  const chargeId = providerChargeId(row!.id, row!.attempt);
  expect(payableAt(shown)).toEqual([chargeId]);
  expect(payableAt(hidden)).toEqual([]);
  expect(await shadowRows(world.company)).toEqual([]);
  shown.pay(chargeId);
  await deliverCallbacks({ ...world, psp: shown });
  expect((await eventsOf(world.company)).map(({ type }) => type)).toEqual(["transaction.paid"]);
}

describe.each<[string, Wish]>([
  ["behind the claim", { on: CLAIM, when: "after" }],
  ["before the second bank is stored", { on: MOVE, when: "before" }],
  ["after the second bank is stored, before it is asked", { on: MOVE, when: "after" }],
  ["before the second bank's answer is saved", { on: ANSWER, when: "before" }],
  ["after the second bank's answer is saved", { on: ANSWER, when: "after" }],
])("a crash %s", (_where, wish) => {
  it.each([
    ["a retry, the first bank still silent", false, create],
    ["a retry, the first bank there again", true, create],
    [
      "the sweep, the first bank still silent",
      false,
      ({ env, deps }: TwoBanks) => runSweep(deps, env),
    ],
    [
      "the sweep, the first bank there again",
      true,
      ({ env, deps }: TwoBanks) => runSweep(deps, env),
    ],
  ])("leaves one charge, finished by %s", async (_how, isBack, finish) => {
    const world = await givenCrash(wish);
    if (isBack) world.psp.clearFaults();

    await finish(world);
    expect((await create(world)).status).toBe(200);
    await settle(world);

    await expectOne(world);
  });
});

it("a request that was overtaken shows the other bank's code, not its own bank's late one", async () => {
  const world = await givenTwoBanks();
  vi.spyOn(scheduler, "wait").mockImplementation(() => new Promise(() => undefined));
  const bank = holdFirstPut(world.psp);
  const late = create(world);
  await bank.asked;
  world.clock.advance(MINUTE);
  world.psp.faultOnce("unavailable", /^PUT/);
  const second = await create(world);

  bank.goOn();

  expect((await late).body.data.pix).toEqual(second.body.data.pix);
  await settle(world);
  await expectOne(world);
});

it("a request that was overtaken saves no answer of its own bank while the other one is asked", async () => {
  const world = await givenTwoBanks();
  vi.spyOn(scheduler, "wait").mockImplementation(() => new Promise(() => undefined));
  const [slow, other] = [holdFirstPut(world.psp), holdFirstPut(world.second)];
  const late = create(world);
  await slow.asked;
  world.clock.advance(MINUTE);
  world.psp.faultOnce("unavailable", /^PUT/);
  const retried = create(world);
  await other.asked;

  slow.goOn();
  await late;
  other.goOn();

  const { id, pix } = (await retried).body.data;
  expect(pix.qrcode).toContain(providerChargeId(id, 2));
  expect((await create(world)).body.data.pix).toEqual(pix);
  await settle(world);
  await expectOne(world);
});

/** A bank that answers its first order of a charge only when it is told to go on. */
function holdFirstPut(psp: TwoBanks["psp"]) {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const answer = psp.answer.bind(psp);
  psp.answer = async (request) => {
    if (request.method !== "PUT") return answer(request);
    psp.answer = answer;
    asked.resolve();
    await gate.promise;
    return answer(request);
  };
  return { asked: asked.promise, goOn: () => gate.resolve() };
}
