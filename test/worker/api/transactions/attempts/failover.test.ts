import { afterEach, describe, expect, it, vi } from "vitest";
import { findCompany } from "../../../../../src/db/companies/companies.ts";
import { recheckDispute } from "../../../../../src/api/provider-callbacks/recheck.ts";
import { endShadowCharges } from "../../../../../src/api/transactions/attempts/shadows.ts";
import { depsOfCompany } from "../../../../../src/http/context.ts";
import { providerChargeId } from "../../../../../src/domain/charges/transaction.ts";
import {
  givenTwoBanks,
  chargeRows,
  payableAt,
  shadowRows,
  type TwoBanks,
} from "../../../../support/builders/providers/two-banks.ts";
import { deliverCallbacks, reconcileDue } from "../../../../support/builders/providers/psp.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { env, waitUntilDrained } from "../../../../support/builders/companies/company.ts";
import { newestUnexpected } from "../../../../support/builders/charges/unexpected.ts";
import { cancel, refund } from "../../../../support/builders/operations/refund.ts";
import { contradictionsOf } from "../../../../support/probes/contradictions/contradictions.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const AMOUNT = 2_500;
const PUT = /^PUT \/cob\//;
const MINUTE = 60_000;

afterEach(() => vi.restoreAllMocks());

/** A charge that the first bank made, of which it said nothing, and that the second one shows. */
async function givenMovedCharge() {
  const world = await givenTwoBanks();
  // The charge is made; its answer, and those about it for now, are lost.
  world.psp.faultOnce("error_500", PUT);
  const answer = await create(world);
  expect(answer.status, answer.text).toBe(200);
  const id: string = answer.body.data.id;
  const ids = { shadow: providerChargeId(id), shown: providerChargeId(id, 2) };
  return { world, id, ids, answer };
}

function create(world: TwoBanks, key?: string) {
  return createTransaction(
    world.company,
    { amount: AMOUNT },
    { ...world.options, ...(key === undefined ? {} : { key }) },
  );
}

/** The second bank posts its callbacks, to the door of its own account. */
function deliverSecond(world: TwoBanks): Promise<number[]> {
  return deliverCallbacks({ ...world, psp: world.second });
}

/** An account loses its secrets, as after its retention. */
async function disconnect({ company, accounts }: TwoBanks, which: "first" | "second") {
  const sql = `UPDATE psp_accounts SET sealed = '', state = 'disconnected'
    WHERE company_id = ? AND account = ?`;
  await env.DB.prepare(sql).bind(company.id, accounts[which]).run();
}

async function disputeOf({ company }: TwoBanks): Promise<string> {
  const row = await env.DB.prepare("SELECT id FROM disputes WHERE company_id = ?")
    .bind(company.id)
    .first<{ id: string }>();
  return row!.id;
}

/** Two seconds are over at once, longer waits never. Answers the waits. */
function giveUpAtOnce(): number[] {
  const waits: number[] = [];
  vi.spyOn(scheduler, "wait").mockImplementation(async (ms, { signal } = {}) => {
    waits.push(ms);
    if (ms !== 2_000) await new Promise((_, no) => signal?.addEventListener("abort", no));
  });
  return waits;
}

const creates = (requests: string[]) => requests.filter((request) => PUT.test(request)).length;

describe("a bank that does not answer a create", () => {
  it("leads to no account that may be disconnected since the company was read", async () => {
    const world = await givenTwoBanks();
    const { psp, second, company } = world;
    psp.faultAlways("error_500");
    const answerAfterChange = async (request: Request) => {
      const raise =
        "UPDATE companies SET credentials_version = credentials_version + 1 WHERE id = ?";
      if (PUT.test(`${request.method} ${new URL(request.url).pathname}`))
        await env.DB.prepare(raise).bind(company.id).run();
      return psp.fetch(request);
    };
    const both = { ...world.env, PSP_CERTIFICATE: { fetch: answerAfterChange } };
    const deps = { ...world.deps, providers: () => providerRegistry(both, world.clock) };

    const answer = await createTransaction(company, { amount: AMOUNT }, { env: both, deps });

    await expectProblem(answer, { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true });
    expect(payableAt(second)).toEqual([]);
    expect(await shadowRows(company)).toEqual([]);
    expect(await chargeRows(company)).toMatchObject([
      { account: world.accounts.first, attempt: 1 },
    ]);
  });

  it("leads to the next one under an id of its own, and what it may have made is cancelled at once", async () => {
    const { world, id, ids, answer } = await givenMovedCharge();
    expect(answer.body.data.pix.qrcode).toContain(ids.shown);
    expect(payableAt(world.second)).toEqual([ids.shown]);
    expect(await chargeRows(world.company)).toMatchObject([
      { id, status: "waiting_payment", account: world.accounts.second, attempt: 2 },
    ]);

    await vi.waitFor(async () => expect(await shadowRows(world.company)).toEqual([]));

    expect(payableAt(world.psp)).toEqual([]);
    expect([...world.psp.book.cobs.keys()]).toEqual([ids.shadow]);
  });

  it("is waited for two seconds, where another one follows", async () => {
    const world = await givenTwoBanks();
    const waits = giveUpAtOnce();
    world.psp.faultOnce("silent", PUT);
    expect((await create(world)).status).toBe(200);
    expect(waits.slice(0, 2)).toEqual([2_000, 15_000]);
    expect(payableAt(world.second)).toHaveLength(1);
  });

  it("is shown after all if it is only slow, and the next one is dead", async () => {
    const world = await givenTwoBanks();
    giveUpAtOnce();
    const { promise: bothAsked, resolve } = Promise.withResolvers<void>();
    const answer = world.psp.answer.bind(world.psp);
    world.psp.answer = async (request) => {
      if (request.method === "PUT") await bothAsked;
      return answer(request);
    };
    world.second.answer = async () => {
      resolve();
      return new Response(null, { status: 503 });
    };

    expect((await create(world)).status).toBe(200);

    const [row] = await chargeRows(world.company);
    expect(row).toMatchObject({ account: world.accounts.first, attempt: 1 });
    expect(payableAt(world.psp)).toEqual([providerChargeId(row!.id)]);
    expect(await shadowRows(world.company)).toMatchObject([{ attempt: 2 }]);
  });

  it("is looked at again by the cron until it says that nobody can pay the charge", async () => {
    const world = await givenTwoBanks();
    world.psp.faultAlways("error_500");
    expect((await create(world)).status).toBe(200);
    expect(payableAt(world.psp)).toHaveLength(1);
    world.clock.advance(MINUTE);
    await endShadowCharges(world.env, world.deps);
    expect(await shadowRows(world.company)).toHaveLength(1);

    world.psp.clearFaults();
    world.clock.advance(2 * MINUTE);
    await endShadowCharges(world.env, world.deps);

    expect(payableAt(world.psp)).toEqual([]);
    expect(await shadowRows(world.company)).toEqual([]);
  });

  it("that never got the order is believed after five minutes: until then it may still arrive", async () => {
    const world = await givenTwoBanks();
    world.psp.faultOnce("unavailable", PUT);
    expect((await create(world)).status).toBe(200);
    world.clock.advance(5 * MINUTE - 1);
    await endShadowCharges(world.env, world.deps);
    expect(await shadowRows(world.company)).toHaveLength(1);

    world.clock.advance(2 * MINUTE);
    await endShadowCharges(world.env, world.deps);

    expect(await shadowRows(world.company)).toEqual([]);
  });

  it("that says so late is believed as of when it was asked: the order may have arrived meanwhile", async () => {
    const world = await givenTwoBanks();
    world.psp.faultOnce("unavailable", PUT);
    expect((await create(world)).status).toBe(200);
    world.clock.advance(5 * MINUTE - 25_000);
    const answer = world.psp.answer.bind(world.psp);
    vi.spyOn(world.psp, "answer").mockImplementation((request) => {
      world.clock.advance(10_000);
      return answer(request);
    });

    await endShadowCharges(world.env, world.deps);

    expect(await shadowRows(world.company)).toHaveLength(1);
  });

  it("is asked last once it was silent three times, and tried again each half minute", async () => {
    const world = await givenTwoBanks();
    world.psp.faultAlways("unavailable");
    for (let times = 0; times < 3; times++) await create(world);
    const asked = creates(world.psp.requests);
    for (let times = 0; times < 3; times++) expect((await create(world)).status).toBe(200);
    expect(creates(world.psp.requests)).toBe(asked);
    // No payout is tried there, where another account pays out.
    const company = await findCompany(world.env, world.company.id);
    const sender = world.deps.providers(world.env).forPayout(company!);
    expect(sender?.account).toBe(world.accounts.second);

    world.clock.advance(30_000);
    await create(world);
    await create(world);
    expect(creates(world.psp.requests)).toBe(asked + 1);

    world.psp.clearFaults();
    world.clock.advance(30_000);
    for (let times = 0; times < 3; times++) await create(world);
    expect(creates(world.psp.requests)).toBe(asked + 4);
  });
});

describe("no other bank is asked", () => {
  it("after a refusal", async () => {
    const world = await givenTwoBanks();
    world.psp.book.keys.clear();
    await expectProblem(await create(world), { status: 422, code: "CHARGE_REFUSED" });
    expect(creates(world.second.requests)).toBe(0);
  });

  it("where none answers: the key resumes at the last one, then at the others, each under its own id", async () => {
    const world = await givenTwoBanks();
    world.psp.faultOnce("error_500", PUT);
    world.second.faultOnce("error_500", PUT);
    const refused = await create(world, "order-1");
    await expectProblem(refused, { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true });
    world.second.faultOnce("error_500", PUT);
    // What is not answered may still be shown, so the cron ends none of it.
    world.clock.advance(MINUTE);
    await endShadowCharges(world.env, world.deps);
    expect([payableAt(world.psp), payableAt(world.second)]).toEqual([
      [expect.any(String)],
      [expect.any(String)],
    ]);

    const answer = await create(world, "order-1");

    expect(answer.status).toBe(200);
    const [row] = await chargeRows(world.company);
    expect(row).toMatchObject({ account: world.accounts.first, attempt: 1 });
    expect([...world.second.book.cobs.keys()]).toEqual([providerChargeId(row!.id, 2)]);
    await vi.waitFor(async () => expect(await shadowRows(world.company)).toHaveLength(1));
    world.clock.advance(2 * MINUTE);
    await endShadowCharges(world.env, world.deps);
    expect(payableAt(world.second)).toEqual([]);
    expect(payableAt(world.psp)).toEqual([providerChargeId(row!.id)]);
  });
});

describe("a payment of the charge that nobody saw", () => {
  it.each([
    ["by its bank's callback", (world: TwoBanks) => deliverCallbacks(world)],
    ["by its bank's lists", (world: TwoBanks) => reconcileDue(world)],
  ])("is the charge's, told %s; the shown one paid too is a second payment", async (_how, tell) => {
    const { world, id, ids } = await givenMovedCharge();
    world.psp.pay(ids.shadow);
    await tell(world);
    const [row] = await chargeRows(world.company);
    expect(row).toMatchObject({ id, status: "paid", paidAmount: AMOUNT });
    expect(await accountsOf(world.company)).toMatchObject({ available: AMOUNT, provider: -AMOUNT });

    world.second.pay(ids.shown);
    await deliverSecond(world);

    expect(await accountsOf(world.company)).toMatchObject({ available: AMOUNT, suspense: AMOUNT });
    await waitUntilDrained(world.company);
    expect((await eventsOf(world.company)).map(({ type }) => type)).toEqual([
      "transaction.paid",
      "payment.unexpected",
    ]);
    expect(await newestUnexpected(world.company)).toMatchObject({
      reason: "SECOND_PAYMENT",
      transactionId: id,
    });
  });

  it("is asked of the bank that took it, where it is disputed", async () => {
    const { world, ids } = await givenMovedCharge();
    const endToEndId = world.psp.pay(ids.shadow);
    await deliverCallbacks(world);
    const atBank = world.psp.dispute(endToEndId);
    await deliverCallbacks(world);
    await waitUntilDrained(world.company);
    world.psp.resolveDispute(endToEndId, atBank, "lost");
    const disputeId = await disputeOf(world);
    const company = await findCompany(world.env, world.company.id);
    const deps = depsOfCompany(world.deps, company!);

    expect(await recheckDispute(world.env, deps, company!, disputeId)).toBe("done");

    expect(await accountsOf(world.company)).toMatchObject({ blocked: 0, provider: 0 });
  });

  it("is not doubted where the other bank calls its own charge cancelled", async () => {
    const { world, ids } = await givenMovedCharge();
    world.psp.pay(ids.shadow);
    await deliverCallbacks(world);
    await waitUntilDrained(world.company);
    world.second.removeCharge(ids.shown);

    await reconcileDue(world);

    expect(await contradictionsOf(world.company)).toEqual([]);
    expect(await chargeRows(world.company)).toMatchObject([{ status: "paid" }]);
  });

  it("is refunded by the bank that took it", async () => {
    const { world, id, ids } = await givenMovedCharge();
    const endToEndId = world.psp.pay(ids.shadow);
    await deliverCallbacks(world);
    const refunded = await refund(world.company, id, AMOUNT, world.options);
    expect(refunded.status, refunded.text).toBe(202);
    expect(world.psp.refundedAmount(endToEndId)).toBe(AMOUNT);
  });

  it("is refunded by the bank that took it, where the one whose code was shown is disconnected", async () => {
    const { world, id, ids } = await givenMovedCharge();
    const endToEndId = world.psp.pay(ids.shadow);
    await deliverCallbacks(world);
    await disconnect(world, "second");
    const refunded = await refund(world.company, id, AMOUNT, world.options);
    expect(refunded.status, refunded.text).toBe(202);
    expect(world.psp.refundedAmount(endToEndId)).toBe(AMOUNT);
  });

  it("PROVIDER_DISCONNECTED: is not refunded where the bank that took it is, and nothing is held", async () => {
    const { world, id, ids } = await givenMovedCharge();
    world.psp.pay(ids.shadow);
    await deliverCallbacks(world);
    await disconnect(world, "first");
    const refused = await refund(world.company, id, AMOUNT, world.options);
    await expectProblem(refused, { status: 422, code: "PROVIDER_DISCONNECTED" });
    expect(await accountsOf(world.company)).toEqual({ available: AMOUNT, provider: -AMOUNT });
  });
});

it("the end of a shadow charge in its bank's list does not end the charge", async () => {
  const { world } = await givenMovedCharge();
  await vi.waitFor(async () => expect(await shadowRows(world.company)).toEqual([]));
  await reconcileDue(world);
  expect(await chargeRows(world.company)).toMatchObject([{ status: "waiting_payment" }]);
});

it("a shadow charge that its bank ended itself does not end the charge", async () => {
  const world = await givenTwoBanks();
  world.psp.faultAlways("error_500");
  expect((await create(world)).status).toBe(200);
  const [row] = await chargeRows(world.company);
  world.psp.removeCharge(providerChargeId(row!.id));
  world.psp.clearFaults();
  world.clock.advance(MINUTE);

  await endShadowCharges(world.env, world.deps);

  expect(await shadowRows(world.company)).toEqual([]);
  expect(await chargeRows(world.company)).toMatchObject([{ status: "waiting_payment" }]);
});

it("a cancel is sent to the bank whose code is shown", async () => {
  const { world, id, ids } = await givenMovedCharge();
  const cancelled = await cancel(world.company, id, world.options);
  expect(cancelled.status, cancelled.text).toBe(200);
  expect(world.second.book.cobs.get(ids.shown)?.status).toBe("REMOVIDA_PELO_USUARIO_RECEBEDOR");
});
