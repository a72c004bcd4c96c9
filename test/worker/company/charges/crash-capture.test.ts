import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { arrangeObject, env, givenCompany } from "../../../support/builders/company.ts";
import { cronDeps, runSweep } from "../../../support/fakes/cron.ts";
import { createCardCharge, FakeAcquirer, readBack } from "../../../support/fakes/fake-acquirer.ts";
import { fault, withAccounts, withD1, type Fault } from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import {
  CLAIMER_IS_DEAD_MS,
  DAY_MS,
  operationsOf,
  releasesOf,
  runOperation,
} from "../../../support/builders/object-operations.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import { cancel, capture } from "../../../support/builders/refund.ts";
import { eventsOf, transactionsOf } from "../../../support/probes/webhook-rows.ts";

const PART = 6_001;

const at = (struck?: Fault) => (struck === undefined ? env : withAccounts(env, struck.around));

/** A card authorized for 100.00, in three installments. */
async function givenAuthorized() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeAcquirer(clock);
  const deps = cronDeps(clock, bank);
  const created = await createCardCharge(company, { capture: false, installments: 3 }, { deps });
  expect(created.body.data.status).toBe("AUTHORIZED");
  const transaction = { id: created.body.data.id as string, amount: 10_000 };
  return {
    clock,
    company,
    bank,
    deps,
    transaction,
    chargeId: providerChargeId(transaction.id),
    ask: (struck?: Fault, key = "cap_1", amount: number | undefined = PART) =>
      capture(company, transaction.id, amount, { key, deps, env: at(struck) }),
    voidIt: (struck?: Fault, key = "ca_1") =>
      cancel(company, transaction.id, { key, deps, env: at(struck) }),
    sweep: () => runSweep(deps),
    consume: (id = 1) => runOperation(company, bank, clock, { id }),
    types: async () => (await eventsOf(company)).map(({ type }) => type),
  };
}

type Authorized = Awaited<ReturnType<typeof givenAuthorized>>;

async function expectCapturedOnce(given: Authorized): Promise<void> {
  const { company, transaction, clock } = given;
  expect(await operationsOf(company)).toMatchObject([
    { kind: "capture", status: "DONE", amount: PART },
  ]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "paid" }]);
  expect(await given.types()).toEqual(["transaction.authorized", "transaction.paid"]);
  expect(await accountsOf(company)).toEqual({ awaiting: PART, provider: -PART });
  const releases = await releasesOf(company, transaction);
  expect(releases.map(({ amount }) => amount)).toEqual([2_001, 2_000, 2_000]);
  expect(releases.map(({ dueAt }) => Math.round((dueAt - clock.now()) / DAY_MS))).toEqual([
    30, 60, 90,
  ]);
}

it.each([
  ["the request's answer", /^requestMove$/, "after", 0],
  ["the payment's way to the object", /^settlePayment$/, "before", 1],
  ["the object's answer to the payment", /^settlePayment$/, "after", 1],
  ["the report", /^recordOperation$/, "before", 1],
] as const)(
  "a capture whose process died with %s is carried through once by the consumer",
  async (_what, on, when, sent) => {
    const given = await givenAuthorized();
    const { clock, bank, ask, consume, chargeId } = given;

    expect((await ask(fault({ on, when }))).status).toBe(500);
    expect(bank.captured).toHaveLength(sent);
    await consume();
    expect(bank.captured).toHaveLength(sent);
    clock.advance(CLAIMER_IS_DEAD_MS);
    await consume();
    await consume();

    for (const order of bank.captured) expect(order).toEqual({ chargeId, amount: PART });
    await expectCapturedOnce(given);
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ status: "PAID", paidAmount: PART, amount: 10_000 });
  },
);

it("a capture booked whose reply was lost is replayed by its key, and another one is refused", async () => {
  const given = await givenAuthorized();
  const { bank, ask } = given;

  expect((await ask(fault({ on: /^recordOperation$/, when: "after" }))).status).toBe(500);
  const again = await ask();

  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body.data).toMatchObject({ status: "PAID", paidAmount: PART });
  await expectProblem(await ask(undefined, "cap_1", 10_000), {
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
  await expectProblem(await ask(undefined, "cap_2"), { status: 409, code: "INVALID_STATE" });
  expect(bank.captured).toHaveLength(1);
  await expectCapturedOnce(given);
});

it("an object that dies with a capture on its way knows it in its next life", async () => {
  const given = await givenAuthorized();
  const { clock, company, ask, consume } = given;
  await ask(fault({ on: /^settlePayment$/, when: "before" }));

  await abortAllDurableObjects();
  await arrangeObject(company.id, { clock });
  clock.advance(CLAIMER_IS_DEAD_MS);
  await consume();

  await expectCapturedOnce(given);
});

it.each(["consumer", "callback"] as const)(
  "a capture that its acquirer made and did not answer is a 202, and the %s brings its end",
  async (who) => {
    const given = await givenAuthorized();
    const { clock, company, bank, ask, consume } = given;
    bank.onCapture = async (chargeId, amount) => {
      bank.take(chargeId, amount);
      return { kind: "unknown" };
    };

    const first = await ask();
    expect(first.status).toBe(202);
    expect(first.body.data.status).toBe("AUTHORIZED");
    bank.onCapture = async () => ({ kind: "captured" });
    if (who === "consumer") await consume();
    else await readBack(company, bank, clock);

    await expectCapturedOnce(given);
    const replay = await ask();
    expect([replay.status, replay.body]).toEqual([202, first.body]);
    await consume();
    await expectCapturedOnce(given);
  },
);

it("a capture whose money its acquirer does not show is not done, until it does", async () => {
  const given = await givenAuthorized();
  const { company, bank, chargeId, ask, consume } = given;
  bank.onCapture = async () => ({ kind: "captured" });

  expect((await ask()).status).toBe(202);
  await consume();
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  expect(await accountsOf(company)).toEqual({});
  bank.take(chargeId, PART);
  await consume();

  await expectCapturedOnce(given);
});

it("a capture that its acquirer refuses leaves the card authorized, to be captured again", async () => {
  const given = await givenAuthorized();
  const { company, bank, ask } = given;
  const { onCapture } = bank;
  bank.onCapture = async () => ({ kind: "refused", reason: "the issuer says no" });

  await expectProblem(await ask(), { status: 422, code: "CAPTURE_REFUSED" });
  expect(await operationsOf(company)).toMatchObject([{ status: "FAILED" }]);
  expect(await accountsOf(company)).toEqual({});
  bank.onCapture = onCapture;
  const second = await ask(undefined, "cap_2");

  expect(second.body.data).toMatchObject({ status: "PAID", paidAmount: PART });
  await expectProblem(await ask(), { status: 422, code: "CAPTURE_REFUSED", replayed: true });
  expect(await accountsOf(company)).toEqual({ awaiting: PART, provider: -PART });
});

it("a capture under way joins the same again, and holds off a void and one of another amount", async () => {
  const given = await givenAuthorized();
  const { clock, bank, ask, voidIt } = given;
  await ask(fault({ on: /^requestMove$/, when: "after" }), "cap_1");

  await expectProblem(await ask(undefined, "cap_2"), {
    status: 409,
    code: "IDEMPOTENCY_IN_PROGRESS",
  });
  await expectProblem(await ask(undefined, "cap_3", 10_000), {
    status: 409,
    code: "INVALID_STATE",
  });
  await expectProblem(await voidIt(), { status: 409, code: "INVALID_STATE" });
  expect([...bank.captured, ...bank.cancelled]).toEqual([]);
  clock.advance(CLAIMER_IS_DEAD_MS);
  expect((await ask(undefined, "cap_2")).body.data.status).toBe("PAID");
  expect((await ask(undefined, "cap_1")).body.data.status).toBe("PAID");

  await expectCapturedOnce(given);
});

it("a void under way holds off a capture; once it is done no money comes", async () => {
  const given = await givenAuthorized();
  const { clock, company, bank, ask, voidIt, consume } = given;
  expect((await voidIt(fault({ on: /^recordOperation$/, when: "before" }))).status).toBe(500);

  await expectProblem(await ask(), { status: 409, code: "INVALID_STATE" });
  clock.advance(CLAIMER_IS_DEAD_MS);
  await consume();

  expect(bank.captured).toEqual([]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "cancelled" }]);
  expect(await accountsOf(company)).toEqual({});
  expect(await given.types()).toEqual(["transaction.authorized", "transaction.cancelled"]);
  await expectProblem(await ask(), { status: 409, code: "INVALID_STATE" });
});

/** The authorization is let go at its acquirer, and the sweep has seen it. */
async function expire({ clock, bank, chargeId, sweep }: Authorized): Promise<void> {
  clock.advance(8 * DAY_MS);
  bank.letGo(chargeId, "expired");
  await sweep();
}

it("an authorization that expires under a capture that was never sent ends without money", async () => {
  const given = await givenAuthorized();
  const { company, bank, ask, consume } = given;
  await ask(fault({ on: /^requestMove$/, when: "after" }));

  await expire(given);
  await consume();

  expect(bank.captured).toHaveLength(1);
  expect(await operationsOf(company)).toMatchObject([{ kind: "capture", status: "FAILED" }]);
  expect(await accountsOf(company)).toEqual({});
  expect(await given.types()).toEqual(["transaction.authorized", "transaction.cancelled"]);
  await expectProblem(await ask(), { status: 422, code: "CAPTURE_REFUSED" });
});

it.each(["consumer", "callback"] as const)(
  "a capture that was made after all, of an authorization called expired, is credited once: the %s's word",
  async (who) => {
    const given = await givenAuthorized();
    const { clock, company, bank, transaction, ask, consume, chargeId } = given;
    await ask(fault({ on: /^requestMove$/, when: "after" }));
    await expire(given);
    const sale = bank.sales.get(chargeId)!;
    sale.status = "authorized";
    bank.take(chargeId, PART);
    // It is asked once more, and does not remember what it did.
    bank.onCapture = async () => ({ kind: "refused", reason: "it has expired" });

    if (who === "callback") await readBack(company, bank, clock);
    else await consume();

    expect(await operationsOf(company)).toMatchObject([{ kind: "capture", status: "DONE" }]);
    expect(await accountsOf(company)).toEqual({ awaiting: PART, provider: -PART });
    expect(await given.types()).toEqual([
      "transaction.authorized",
      "transaction.cancelled",
      "transaction.paid",
    ]);
    expect(await releasesOf(company, transaction)).toHaveLength(3);
  },
);

it("an authorization past its time stays one until its acquirer, asked once a day, says otherwise", async () => {
  const given = await givenAuthorized();
  const { clock, company, bank, chargeId, sweep, ask } = given;
  const askedAfter = async (ms: number) => {
    clock.advance(ms);
    await sweep();
    return bank.askedCharges.filter((id) => id === chargeId).length;
  };
  expect(await askedAfter(8 * DAY_MS)).toBe(1);
  expect(await askedAfter(DAY_MS / 2)).toBe(1);
  expect(await askedAfter(DAY_MS / 2)).toBe(2);
  expect(await transactionsOf(company)).toMatchObject([{ status: "authorized" }]);

  await ask();

  await expectCapturedOnce(given);
});

it("money of another amount than the capture under way asked for is credited, and the capture fails", async () => {
  const given = await givenAuthorized();
  const { clock, company, bank, chargeId, ask, consume } = given;
  await ask(fault({ on: /^requestMove$/, when: "after" }));
  bank.take(chargeId, PART - 1);
  await readBack(company, bank, clock);
  clock.advance(CLAIMER_IS_DEAD_MS);
  await consume();

  expect(await operationsOf(company)).toMatchObject([{ kind: "capture", status: "FAILED" }]);
  expect(await accountsOf(company)).toEqual({ awaiting: PART - 1, provider: -(PART - 1) });
  await expectProblem(await ask(), { status: 422, code: "CAPTURE_REFUSED" });
});

it("a refusal whose charge D1 could not show is not booked, and the next try books the money", async () => {
  const given = await givenAuthorized();
  const { clock, company, bank, chargeId, ask, consume } = given;
  await ask(fault({ on: /^requestMove$/, when: "after" }));
  bank.take(chargeId, PART);
  bank.onCapture = async () => ({ kind: "refused", reason: "it was captured" });
  clock.advance(CLAIMER_IS_DEAD_MS);
  const down = fault({ on: /from "transactions"/, when: "before" });

  const parts = { env: withD1(env, down.around) };
  await expect(runOperation(company, bank, clock, parts)).rejects.toThrow();
  expect(down.strikes()).toBe(1);
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  clock.advance(CLAIMER_IS_DEAD_MS);
  await consume();

  await expectCapturedOnce(given);
});

it("what the acquirer calls the sale at its capture changes nothing of how the create was answered", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeAcquirer(clock);
  const deps = cronDeps(clock, bank);
  const create = () => createCardCharge(company, { capture: false }, { deps, key: "tx_1" });
  const first = await create();
  const { id } = first.body.data;
  const sale = bank.sales.get(providerChargeId(id))!;
  sale.card = { ...sale.card!, nsu: "999", card: { ...sale.card!.card, authorizationCode: "NEW" } };

  const captured = await capture(company, id, undefined, { deps });

  expect(captured.body.data.status).toBe("PAID");
  expect((await create()).body).toEqual(first.body);
});
