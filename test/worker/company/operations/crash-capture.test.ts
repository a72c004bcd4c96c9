import { killObject } from "../../../support/faults/object.ts";
import { expect, it } from "vitest";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { configureObject, env, givenCompany } from "../../../support/builders/companies/company.ts";
import { cronDeps, runSweep } from "../../../support/fakes/cron.ts";
import {
  createCardCharge,
  refreshCharge,
} from "../../../support/builders/charges/acquirer-card.ts";
import { FakeAcquirer } from "../../../support/fakes/fake-acquirer.ts";
import {
  injectFault,
  withAccounts,
  withD1,
  type Fault,
} from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  CLAIM_EXPIRED_MS,
  DAY_MS,
  runOperation,
} from "../../../support/builders/operations/object-operations.ts";
import { operationsOf, releasesOf } from "../../../support/probes/charges/operation-rows.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { cancel, capture } from "../../../support/builders/operations/refund.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const PART = 6_001;

const at = (struck?: Fault) => (struck === undefined ? env : withAccounts(env, struck.intercept));

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
  ["the request's answer", /^requestCancelOrCapture$/, "after", 0],
  ["the payment's way to the object", /^settlePayment$/, "before", 1],
  ["the object's answer to the payment", /^settlePayment$/, "after", 1],
  ["the report", /^recordOperation$/, "before", 1],
] as const)(
  "a capture whose process crashed with %s is completed once by the queue consumer",
  async (_what, on, when, sent) => {
    const given = await givenAuthorized();
    const { clock, bank, ask, consume, chargeId } = given;

    expect((await ask(injectFault({ on, when }))).status).toBe(500);
    expect(bank.captured).toHaveLength(sent);
    await consume();
    expect(bank.captured).toHaveLength(sent);
    clock.advance(CLAIM_EXPIRED_MS);
    await consume();
    await consume();

    for (const order of bank.captured) expect(order).toEqual({ chargeId, amount: PART });
    await expectCapturedOnce(given);
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ status: "PAID", paidAmount: PART, amount: 10_000 });
  },
);

it("a capture whose response was lost is replayed by its key, and another capture is rejected", async () => {
  const given = await givenAuthorized();
  const { bank, ask } = given;

  expect((await ask(injectFault({ on: /^recordOperation$/, when: "after" }))).status).toBe(500);
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

it("an object that crashes during a capture resumes it after the restart", async () => {
  const given = await givenAuthorized();
  const { clock, company, ask, consume } = given;
  await ask(injectFault({ on: /^settlePayment$/, when: "before" }));

  await killObject(company);
  await configureObject(company.id, { clock });
  clock.advance(CLAIM_EXPIRED_MS);
  await consume();

  await expectCapturedOnce(given);
});

it.each(["consumer", "callback"] as const)(
  "a capture without a response from its acquirer is a 202, and the %s completes it",
  async (who) => {
    const given = await givenAuthorized();
    const { clock, company, bank, ask, consume } = given;
    bank.onCapture = async (chargeId, amount) => {
      bank.captureSale(chargeId, amount);
      return { kind: "unknown" };
    };

    const first = await ask();
    expect(first.status).toBe(202);
    expect(first.body.data.status).toBe("AUTHORIZED");
    bank.onCapture = async () => ({ kind: "captured" });
    if (who === "consumer") await consume();
    else await refreshCharge(company, bank, clock);

    await expectCapturedOnce(given);
    const replay = await ask();
    expect([replay.status, replay.body]).toEqual([202, first.body]);
    await consume();
    await expectCapturedOnce(given);
  },
);

it("a capture is not done until the acquirer shows its money", async () => {
  const given = await givenAuthorized();
  const { company, bank, chargeId, ask, consume } = given;
  bank.onCapture = async () => ({ kind: "captured" });

  expect((await ask()).status).toBe(202);
  await consume();
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  expect(await accountsOf(company)).toEqual({});
  bank.captureSale(chargeId, PART);
  await consume();

  await expectCapturedOnce(given);
});

it("a capture that its acquirer rejects leaves the card authorized and can be retried", async () => {
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

it("a capture in progress is joined by the same capture and blocks a void or another amount", async () => {
  const given = await givenAuthorized();
  const { clock, bank, ask, voidIt } = given;
  await ask(injectFault({ on: /^requestCancelOrCapture$/, when: "after" }), "cap_1");

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
  clock.advance(CLAIM_EXPIRED_MS);
  expect((await ask(undefined, "cap_2")).body.data.status).toBe("PAID");
  expect((await ask(undefined, "cap_1")).body.data.status).toBe("PAID");

  await expectCapturedOnce(given);
});

it("a void in progress blocks a capture, and no money is taken after it", async () => {
  const given = await givenAuthorized();
  const { clock, company, bank, ask, voidIt, consume } = given;
  expect((await voidIt(injectFault({ on: /^recordOperation$/, when: "before" }))).status).toBe(500);

  await expectProblem(await ask(), { status: 409, code: "INVALID_STATE" });
  clock.advance(CLAIM_EXPIRED_MS);
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
  bank.voidSale(chargeId, "expired");
  await sweep();
}

it("an authorization that expires during an unsent capture ends without money", async () => {
  const given = await givenAuthorized();
  const { company, bank, ask, consume } = given;
  await ask(injectFault({ on: /^requestCancelOrCapture$/, when: "after" }));

  await expire(given);
  await consume();

  expect(bank.captured).toHaveLength(1);
  expect(await operationsOf(company)).toMatchObject([{ kind: "capture", status: "FAILED" }]);
  expect(await accountsOf(company)).toEqual({});
  expect(await given.types()).toEqual(["transaction.authorized", "transaction.cancelled"]);
  await expectProblem(await ask(), { status: 422, code: "CAPTURE_REFUSED" });
});

it.each(["consumer", "callback"] as const)(
  "a capture of an authorization that was marked expired is credited once, reported by the %s",
  async (who) => {
    const given = await givenAuthorized();
    const { clock, company, bank, transaction, ask, consume, chargeId } = given;
    await ask(injectFault({ on: /^requestCancelOrCapture$/, when: "after" }));
    await expire(given);
    const sale = bank.sales.get(chargeId)!;
    sale.status = "authorized";
    bank.captureSale(chargeId, PART);
    // It is asked once more, and does not remember what it did.
    bank.onCapture = async () => ({ kind: "refused", reason: "it has expired" });

    if (who === "callback") await refreshCharge(company, bank, clock);
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

it("an expired authorization stays open until its acquirer, polled once a day, says otherwise", async () => {
  const given = await givenAuthorized();
  const { clock, company, bank, chargeId, sweep, ask } = given;
  const askedAfter = async (ms: number) => {
    clock.advance(ms);
    await sweep();
    return bank.chargeLookups.filter((id) => id === chargeId).length;
  };
  expect(await askedAfter(8 * DAY_MS)).toBe(1);
  expect(await askedAfter(DAY_MS / 2)).toBe(1);
  expect(await askedAfter(DAY_MS / 2)).toBe(2);
  expect(await transactionsOf(company)).toMatchObject([{ status: "authorized" }]);

  await ask();

  await expectCapturedOnce(given);
});

it("a captured amount that differs from the request is credited, and the capture fails", async () => {
  const given = await givenAuthorized();
  const { clock, company, bank, chargeId, ask, consume } = given;
  await ask(injectFault({ on: /^requestCancelOrCapture$/, when: "after" }));
  bank.captureSale(chargeId, PART - 1);
  await refreshCharge(company, bank, clock);
  clock.advance(CLAIM_EXPIRED_MS);
  await consume();

  expect(await operationsOf(company)).toMatchObject([{ kind: "capture", status: "FAILED" }]);
  expect(await accountsOf(company)).toEqual({ awaiting: PART - 1, provider: -(PART - 1) });
  await expectProblem(await ask(), { status: 422, code: "CAPTURE_REFUSED" });
});

it("a rejected capture is booked only once the charge can be read from D1", async () => {
  const given = await givenAuthorized();
  const { clock, company, bank, chargeId, ask, consume } = given;
  await ask(injectFault({ on: /^requestCancelOrCapture$/, when: "after" }));
  bank.captureSale(chargeId, PART);
  bank.onCapture = async () => ({ kind: "refused", reason: "it was captured" });
  clock.advance(CLAIM_EXPIRED_MS);
  const down = injectFault({ on: /from "transactions"/, when: "before" });

  const parts = { env: withD1(env, down.intercept) };
  await expect(runOperation(company, bank, clock, parts)).rejects.toThrow();
  expect(down.injections()).toBe(1);
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  clock.advance(CLAIM_EXPIRED_MS);
  await consume();

  await expectCapturedOnce(given);
});

it("the acquirer's capture id does not change the create response", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeAcquirer(clock);
  const deps = cronDeps(clock, bank);
  const create = () => createCardCharge(company, { capture: false }, { deps, key: "tx_1" });
  const first = await create();
  const { id } = first.body.data;
  const sale = bank.sales.get(providerChargeId(id))!;
  sale.card = {
    ...sale.card!,
    nsu: "999",
    card: { ...sale.card!.card!, authorizationCode: "NEW" },
  };

  const captured = await capture(company, id, undefined, { deps });

  expect(captured.body.data.status).toBe("PAID");
  expect((await create()).body).toEqual(first.body);
});
