import { describe, expect, it } from "vitest";
import type { Dependencies } from "../../../../src/http/context.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { endToEndId } from "../../../support/builders/charges/charge-commands.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { depsWithBank } from "../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { cancel } from "../../../support/builders/operations/refund.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const DAY_MS = 86_400_000;
const EXPIRES_AFTER_MS = 3 * DAY_MS;

type Deps = Partial<Dependencies>;

/** A charge that expires after three days, called with a clock that the test sets. */
async function givenCharge() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const deps: Deps = { platformClock: clock };
  const created = await givenTransaction(company, { pix: { expiresInDays: 3 } }, { deps });
  return { clock, company, deps, created };
}

const search = (company: TestCompany, deps: Deps, query: string): Promise<Answer> =>
  call(`/api/v1/transactions?${query}`, { company, deps });

async function shown(company: TestCompany, deps: Deps, id: string) {
  const [detail, list, found, checkout] = await Promise.all([
    call(`/api/Transaction/transactionByTransactionId/${id}`, { company, deps }),
    call("/api/Transaction/company/transactions", { company, deps }),
    search(company, deps, ""),
    call(`/api/checkout/status/${id}`, { deps }),
  ]);
  return {
    detail: detail.body,
    list: list.body.res.items[0],
    search: found.body.items[0],
    checkout: checkout.body,
  };
}

async function statusesOf(company: TestCompany, deps: Deps, id: string): Promise<string[]> {
  const { detail, list, search: found, checkout } = await shown(company, deps, id);
  return [detail.enStatusTransaction, list.status, found.status, checkout.status];
}

const idsFound = async (company: TestCompany, deps: Deps, query: string): Promise<number[]> =>
  (await search(company, deps, query)).body.items.map((item: any) => item.id);

const OPEN = ["Awaiting", "PENDING", "PENDING", "PENDING"];
const ENDED = ["Cancelled", "CANCELLED", "CANCELLED", "CANCELLED"];

describe("a charge", () => {
  it("is open until the millisecond before its expiry", async () => {
    const { clock, company, deps, created } = await givenCharge();
    expect(Date.parse(created.pix.expirationDate)).toBe(
      Date.parse(created.createdAt) + EXPIRES_AFTER_MS,
    );
    clock.advance(EXPIRES_AFTER_MS - 1);
    expect(await statusesOf(company, deps, created.id)).toEqual(OPEN);
    clock.advance(1);
    expect(await statusesOf(company, deps, created.id)).toEqual(ENDED);
  });

  it("that expired was last changed at its expiry, whenever it is read", async () => {
    const { clock, company, deps, created } = await givenCharge();
    clock.advance(EXPIRES_AFTER_MS + DAY_MS);
    const { detail, list, search: found, checkout } = await shown(company, deps, created.id);
    const { expirationDate } = created.pix;
    expect(Date.parse(detail.updateDate)).toBe(Date.parse(expirationDate));
    expect(list.updatedAt).toBe(expirationDate);
    expect(found).toEqual(list);
    expect(checkout).toMatchObject({ paidAt: null, expiresAt: expirationDate });
    expect(checkout.pollAfterMs).toBeGreaterThanOrEqual(60_000);
  });

  it("that is only read is not changed and announces nothing", async () => {
    const { clock, company, deps, created } = await givenCharge();
    clock.advance(EXPIRES_AFTER_MS);
    await expectNoSideEffects(company, () => shown(company, deps, created.id));
    expect(await eventsOf(company)).toEqual([]);
  });

  it("has another checkout ETag once it has expired", async () => {
    const { clock, deps, created } = await givenCharge();
    const path = `/api/checkout/status/${created.secureId}`;
    const etag = (await call(path, { deps })).headers.get("ETag") ?? "";
    const headers = { "If-None-Match": etag };
    expect((await call(path, { deps, headers })).status).toBe(304);
    clock.advance(EXPIRES_AFTER_MS);
    const after = await call(path, { deps, headers });
    expect(after.status).toBe(200);
    expect(after.body.status).toBe("CANCELLED");
  });
});

describe("the search", () => {
  it("finds an expired charge as CANCELLED and no longer as PENDING", async () => {
    const { clock, company, deps } = await givenCharge();
    await givenTransaction(company, { pix: { expiresInDays: 5 } }, { deps });
    expect(await idsFound(company, deps, "status=PENDING")).toEqual([2, 1]);
    expect(await idsFound(company, deps, "status=CANCELLED")).toEqual([]);
    clock.advance(EXPIRES_AFTER_MS - 1);
    expect(await idsFound(company, deps, "status=PENDING")).toEqual([2, 1]);
    clock.advance(1);
    expect(await idsFound(company, deps, "status=PENDING")).toEqual([2]);
    expect(await idsFound(company, deps, "status=CANCELLED")).toEqual([1]);
    for (const status of ["PAID", "FAILED", "REFUNDED"]) {
      expect(await idsFound(company, deps, `status=${status}`)).toEqual([]);
    }
  });

  it("finds it with other filters too, and finds charges that a request ended", async () => {
    const { clock, company, deps, created } = await givenCharge();
    const other = await givenTransaction(company, { externalRef: "order-2" }, { deps });
    await cancel(company, other.id, { deps });
    clock.advance(EXPIRES_AFTER_MS);
    const ids = `ids=${created.id},${other.id}`;
    expect(await idsFound(company, deps, `${ids}&status=CANCELLED`)).toEqual([2, 1]);
    expect(await idsFound(company, deps, `${ids}&status=PENDING`)).toEqual([]);
    const referred = "externalRef=order-2&paymentMethod=PIX&status=CANCELLED";
    expect(await idsFound(company, deps, referred)).toEqual([2]);
  });
});

describe("a late payment", () => {
  it("makes a charge that was shown as expired PAID, with its stored previous status", async () => {
    const { clock, company, deps, created } = await givenCharge();
    clock.advance(EXPIRES_AFTER_MS + 1);
    expect(await statusesOf(company, deps, created.id)).toEqual(ENDED);

    const { status, body } = await pay(company, created.id, undefined, { deps });

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: "PAID", paidAmount: 2_500 });
    expect(body.data).not.toHaveProperty("cancelReason");
    expect(await statusesOf(company, deps, created.id)).toEqual(["Paid", "PAID", "PAID", "PAID"]);
    expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
    expect(await eventsOf(company)).toHaveLength(1);
  });

  it("does not change the replay of its create", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const options = { deps: { platformClock: clock }, key: "tx_1" };
    const first = await createTransaction(company, {}, options);
    clock.advance(2 * DAY_MS);
    const replay = await createTransaction(company, {}, options);
    expect(replay.body).toEqual(first.body);
    expect(replay.body.data.status).toBe("WAITING_PAYMENT");
  });
});

describe("a cancel after the expiry", () => {
  it("INVALID_STATE: the charge is EXPIRED when the bank still has it open", async () => {
    const { clock, company, deps, created } = await givenCharge();
    clock.advance(EXPIRES_AFTER_MS);

    const answer = await cancel(company, created.id, { deps });

    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
    const [event] = await eventsOf(company);
    expect(event?.body).toMatchObject({
      type: "transaction.cancelled",
      data: { cancelReason: "EXPIRED", previousStatus: "WAITING_PAYMENT" },
    });
    expect(await statusesOf(company, deps, created.id)).toEqual(ENDED);
  });

  it("INVALID_STATE: the charge is PAID when the bank reports a payment in time", async () => {
    const { clock, company, created } = await givenCharge();
    const bank = new FakeBank();
    bank.setPayments({
      paymentId: endToEndId(7),
      method: "PIX",
      amount: 2_500,
      paidAt: clock.now(),
    });
    const deps = depsWithBank(bank, clock);
    clock.advance(EXPIRES_AFTER_MS);

    await expectProblem(await cancel(company, created.id, { deps }), {
      status: 409,
      code: "INVALID_STATE",
    });

    expect(bank.cancelled).toEqual([]);
    expect(await statusesOf(company, deps, created.id)).toEqual(["Paid", "PAID", "PAID", "PAID"]);
    expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
  });

  it("is a 202 with the shown status while neither bank nor cron has responded", async () => {
    const { clock, company, created } = await givenCharge();
    const bank = new FakeBank();
    bank.charge = { kind: "unknown" };
    bank.onCancel = async () => ({ kind: "unknown" });
    const deps = depsWithBank(bank, clock);
    clock.advance(EXPIRES_AFTER_MS);

    const answer = await cancel(company, created.id, { deps });

    expect(answer.status).toBe(202);
    expect(answer.body.data).toMatchObject({ status: "CANCELLED", cancelReason: "EXPIRED" });
    expect(await statusesOf(company, deps, created.id)).toEqual(ENDED);
    expect(await eventsOf(company)).toEqual([]);
  });

  it("is a normal cancel one millisecond before", async () => {
    const { clock, company, deps, created } = await givenCharge();
    clock.advance(EXPIRES_AFTER_MS - 1);
    const { status, body } = await cancel(company, created.id, { deps });
    expect(status).toBe(200);
    expect(body.data.cancelReason).toBe("REQUESTED");
  });
});

/** A cancelled charge can only become paid, so `/fail` after `/expire` is a 409. */
it("INVALID_STATE: rejects the sandbox's fail of an expired charge", async () => {
  const { clock, company, deps, created } = await givenCharge();
  clock.advance(EXPIRES_AFTER_MS);

  const failed = await call(`/api/v1/sandbox/transactions/${created.id}/fail`, {
    method: "POST",
    company,
    deps,
  });

  await expectProblem(failed, { status: 409, code: "INVALID_STATE" });
  expect(await statusesOf(company, deps, created.id)).toEqual(ENDED);
});
