import { describe, expect, it } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import type { Dependencies } from "../../../../src/http/context.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import type { Answer } from "../../../support/builders/requests/api.ts";
import {
  createCard,
  givenAuthorized,
  givenCard,
  NUMBERS,
} from "../../../support/builders/charges/card.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { cancel, capture, refund, simulate } from "../../../support/builders/operations/refund.ts";
import { pay } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const INVALID_STATE = { status: 409, code: "INVALID_STATE" };

const typesOf = async (company: TestCompany) => (await eventsOf(company)).map(({ type }) => type);

const shown = ({ body }: Answer) => [body.data.status, body.data.paidAmount];

/** A charge whose acquirer did not respond, with its clock. */
async function givenUnansweredCapture() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const providers = (around: typeof env) => providerRegistry(around, clock);
  const deps: Dependencies = { ...systemDependencies, platformClock: clock, providers };
  const create = () =>
    createCard(company, { number: NUMBERS.unanswered }, {}, { key: "tx_1", deps });
  const { data } = (await create()).body;
  const sweepAfter = async (ms: number) => {
    clock.advance(ms);
    await runCron(deps);
    return typesOf(company);
  };
  return { company, data, create, sweepAfter };
}

describe("capture", () => {
  it.each([
    ["all of it", undefined, 5_000],
    ["a part, once", 1_200, 1_200],
  ])("%s", async (_what, amount, paid) => {
    const company = await givenCompany();
    const { id } = await givenAuthorized(company);
    expect(shown(await capture(company, id, amount, { key: "cap_1" }))).toEqual(["PAID", paid]);
    const again = await capture(company, id, amount, { key: "cap_1" });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    await expectProblem(await capture(company, id, 100), INVALID_STATE);
    expect(await accountsOf(company)).toMatchObject({ awaiting: paid, provider: -paid });
    expect(await typesOf(company)).toEqual(["transaction.authorized", "transaction.paid"]);
  });

  it("CAPTURE_EXCEEDS_AUTHORIZED: the authorization can still be captured", async () => {
    const company = await givenCompany();
    const { id } = await givenAuthorized(company);
    await expectProblem(await capture(company, id, 5_001), {
      status: 422,
      code: "CAPTURE_EXCEEDS_AUTHORIZED",
      extensions: { authorizedCents: 5_000 },
    });
    expect(shown(await capture(company, id))).toEqual(["PAID", 5_000]);
  });

  it("INVALID_STATE: rejects the capture of a voided, paid or refused charge", async () => {
    const company = await givenCompany();
    const voided = await givenAuthorized(company);
    expect((await cancel(company, voided.id)).body.data).toMatchObject({
      status: "CANCELLED",
      cancelReason: "REQUESTED",
    });
    const paid = await givenCard(company);
    const refused = await givenCard(company, { number: NUMBERS.declined });
    for (const { id } of [voided, paid, refused]) {
      await expectProblem(await capture(company, id), INVALID_STATE);
      await expectProblem(await cancel(company, id), INVALID_STATE);
    }
  });
});

describe("an authorization", () => {
  it("expires when its expiry is simulated, and cannot be captured afterwards", async () => {
    const company = await givenCompany();
    const { id } = await givenAuthorized(company);
    const { data } = (await simulate(company, id, "expire")).body;
    expect(data).toMatchObject({ status: "CANCELLED", cancelReason: "EXPIRED" });
    await expectProblem(await capture(company, id), INVALID_STATE);
    await expectProblem(await pay(company, id), INVALID_STATE);
  });

  it("is captured by /pay up to its full amount", async () => {
    const company = await givenCompany();
    const { id } = await givenAuthorized(company);
    await expectProblem(await simulate(company, id, "fail"), INVALID_STATE);
    const tooMuch = { status: 422, code: "CAPTURE_EXCEEDS_AUTHORIZED" };
    const extensions = { authorizedCents: 5_000 };
    await expectProblem(await pay(company, id, 5_001), { ...tooMuch, extensions });
    expect(shown(await pay(company, id))).toEqual(["PAID", 5_000]);
    await expectProblem(await pay(company, id), INVALID_STATE);
  });
});

it("a captured card is refunded in parts and charged back after the payment", async () => {
  const company = await givenCompany();
  const { id } = await givenCard(company);
  await refund(company, id, 1_000);
  expect((await simulate(company, id, "chargeback")).body.data).toMatchObject({
    status: "REFUNDED",
    refundReason: "CHARGEBACK",
    refundedAmount: 5_000,
  });
  expect(await accountsOf(company)).toMatchObject({ awaiting: 0, provider: 0 });
});

describe("an acquirer that does not respond", () => {
  it("is polled, and the charge fails once the acquirer certainly never received it", async () => {
    const { data, sweepAfter } = await givenUnansweredCapture();
    expect(data).toMatchObject({ status: "WAITING_PAYMENT", card: { authorizationCode: null } });
    expect(await sweepAfter(60_000)).toEqual([]);
    expect(await sweepAfter(10 * 60_000)).toEqual(["transaction.failed"]);
  });

  it("had approved the charge: it becomes paid, and neither the key's retry nor the sweep charges again", async () => {
    const { company, data, create, sweepAfter } = await givenUnansweredCapture();
    const paid = await pay(company, data.id);
    expect(shown(paid)).toEqual(["PAID", 5_000]);
    expect(paid.body.data.card.authorizationCode).toMatch(/^\w{6}$/);
    const again = await create();
    expect(again.body.data).toMatchObject({ id: data.id, status: "WAITING_PAYMENT" });
    expect(await sweepAfter(20 * 60_000)).toEqual(["transaction.paid"]);
    expect(await accountsOf(company)).toMatchObject({ awaiting: 5_000, provider: -5_000 });
  });

  it("had not approved the charge: it fails and can no longer be captured", async () => {
    const { company, data } = await givenUnansweredCapture();
    expect((await simulate(company, data.id, "fail")).body.data.status).toBe("FAILED");
    await expectProblem(await pay(company, data.id), INVALID_STATE);
  });
});
