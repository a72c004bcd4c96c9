import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { findCredentials } from "../../src/db/companies/credentials.ts";
import { FROM_THE_START } from "../../src/domain/access/standing.ts";
import { givenPaid } from "../support/builders/charges/transaction.ts";
import { newestUnexpected, UNEXPECTED } from "../support/builders/charges/unexpected.ts";
import { givenApplication } from "../support/builders/companies/application.ts";
import {
  applicationBy,
  byKey,
  byPerson,
  invitedBy,
  keyBy,
  keyByOperator,
  ownerByOperator,
  type Caller,
  type Place,
} from "../support/builders/companies/callers.ts";
import { env, givenCompany, waitUntilDrained } from "../support/builders/companies/company.ts";
import {
  callAsOperator,
  givenOperator,
  restoreLocalOperators,
} from "../support/builders/companies/operator.ts";
import { givenMember } from "../support/builders/console/members.ts";
import type { Answer } from "../support/builders/requests/api.ts";
import { changeSettings, HOUR_MS } from "../support/builders/withdraws/approvals.ts";
import { runPayout } from "../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

const DAY_MS = 24 * HOUR_MS;
const BALANCE = 500_000;
const UNEXPECTED_CENTS = 900;

/** What a withdraw, a refund and a return wait for. */
const WAITING = ["pending", "pending", "pending"];
const FREE = ["none", "none", "none"];

beforeEach(restoreLocalOperators);
afterAll(restoreLocalOperators);

/** A company of R$ 5,000.00 that has set nothing: no threshold, no list of PIX keys. */
async function givenPlace(): Promise<Place> {
  const clock = new TestClock();
  return { company: await givenCompany({ balance: BALANCE, clock }), clock };
}

const post = (caller: Caller, path: string, body: object = {}, headers = {}): Promise<Answer> =>
  caller.ask("POST", path, body, { "Idempotency-Key": crypto.randomUUID(), ...headers });

const requestWithdraw = (caller: Caller, headers = {}): Promise<Answer> =>
  post(caller, "/api/Withdraw/request", { amount: 100_000 }, headers);

/** What a withdraw, a refund and a return wait for that the caller asks for. */
async function approvalsOf(caller: Caller, { company }: Place): Promise<string[]> {
  const withdraw = await requestWithdraw(caller);
  expect(withdraw.status, withdraw.text).toBe(201);
  const { id } = await givenPaid(company, UNEXPECTED_CENTS);
  const refund = await post(caller, `/api/v1/transactions/${id}/refund`);
  await UNEXPECTED.NO_CHARGE(company);
  const { id: paymentId } = await newestUnexpected(company);
  await caller.ask("POST", `/api/v1/payments/unexpected/${paymentId}/return`, undefined, {
    "Idempotency-Key": crypto.randomUUID(),
  });
  return [
    withdraw.body.approval,
    refund.body.data.refunds.at(-1).approval,
    (await newestUnexpected(company)).approval,
  ];
}

function expectTied({ status, body }: Answer): void {
  expect([status, body.detail]).toEqual([403, expect.stringContaining("the same hands")]);
}

/** The rights that an operator alone can give, directly or through others. */
const GIVEN: Record<string, (place: Place) => Promise<Caller>> = {
  "a key that he issues": keyOfOperator,
  "the application that such a key makes": async (place) =>
    applicationBy(await keyOfOperator(place), place),
  "the key that such a key is replaced with": async (place) => {
    const key = await keyOfOperator(place);
    return keyBy(key, { ...place, clientId: key.id }, 0);
  },
  "the key that such a key issues for another application": async (place) => {
    const { clientId } = await givenApplication(place.company);
    return keyBy(await keyOfOperator(place), { ...place, clientId });
  },
  "an owner whom he invites": ownerByOperator,
  "the application that such an owner makes": async (place) =>
    applicationBy(await ownerByOperator(place), place),
  "the person whom such an owner invites": async (place) =>
    invitedBy(await ownerByOperator(place), place),
  "the application that such a person makes": async (place) =>
    applicationBy(await invitedBy(await ownerByOperator(place), place), place),
};

/** A key that the operator issues, of an application beside the shop's, whose key stays as it is. */
async function keyOfOperator({ company, clock }: Place): Promise<Caller> {
  return byKey(await keyByOperator(await givenApplication(company), clock), clock);
}

describe.each(Object.entries(GIVEN))("an operator alone: %s", (_right, given) => {
  it("sends nothing out for a day, whatever the thresholds", async () => {
    const place = await givenPlace();
    const caller = await given(place);
    expect(await approvalsOf(caller, place)).toEqual(WAITING);
    place.clock.advance(DAY_MS - 1);
    expect(await approvalsOf(caller, place)).toEqual(WAITING);
    place.clock.advance(1);
    expect(await approvalsOf(caller, place)).toEqual(FREE);
  });
});

describe("what waits for that", () => {
  it("is announced, shown beforehand, and leaves by nobody else of the same operator", async () => {
    const place = await givenPlace();
    const { company, clock } = place;
    const approving = await givenApplication(company);
    const stolen = byKey(await keyByOperator(approving, clock), clock);
    const owner = await ownerByOperator(place);
    const caller = await keyOfOperator(place);
    clock.advance(1);
    const preview = await requestWithdraw(caller, { "X-Dry-Run": "true" });
    expect(preview.body).toMatchObject({ approval: "pending" });
    const { body } = await requestWithdraw(caller);
    await waitUntilDrained(company);
    const shop = byKey(company, clock);
    const { items } = (await shop.ask("GET", "/api/v1/events?type=withdraw.awaiting_approval"))
      .body;
    expect(items).toHaveLength(1);
    for (const each of [caller, stolen, owner]) {
      expect((await post(each, `/api/v1/withdraws/${body.id}/approve`)).status).toBe(403);
    }
    await runPayout(company, body.id);
    expect(await accountsOf(company)).toMatchObject({
      available: BALANCE - 100_000,
      payout: 100_000,
    });
    const approver = byKey(approving, clock);
    const approved = await post(approver, `/api/v1/withdraws/${body.id}/approve`);
    expect(approved.body.data).toMatchObject({ approval: "approved" });
  });

  it("leaves by nobody whom another operator of his making gave a right", async () => {
    const { company, clock } = await givenPlace();
    const approving = await givenApplication(company);
    const puppet = await givenOperator("admin", { deps: { platformClock: clock } });
    const caller = byKey(await keyByOperator(await givenApplication(company), clock), clock);
    const stolen = byKey(await keyByOperator(approving, clock, puppet.credentials), clock);
    clock.advance(1);
    const { body } = await requestWithdraw(caller);
    expectTied(await post(stolen, `/api/v1/withdraws/${body.id}/approve`));
  });

  it("waits as long as the company's cool-down, if that is longer than a day", async () => {
    const place = await givenPlace();
    await changeSettings(place.company, {
      allowedPixKeys: { enforced: false, coolDownHours: 168 },
    });
    const caller = await keyOfOperator(place);
    place.clock.advance(7 * DAY_MS - 1);
    expect(await approvalsOf(caller, place)).toEqual(WAITING);
    place.clock.advance(1);
    expect(await approvalsOf(caller, place)).toEqual(FREE);
  });

  it("is credited without an approval where it stays in the company", async () => {
    const place = await givenPlace();
    const caller = await keyOfOperator(place);
    await UNEXPECTED.NO_CHARGE(place.company);
    const { id } = await newestUnexpected(place.company);
    const path = `/api/v1/payments/unexpected/${id}/credit`;
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    expect((await caller.ask("POST", path, undefined, headers)).status).toBe(200);
  });
});

describe("a right that no operator gave of late", () => {
  /** A right of its own making, and who has it. */
  const OWN: Record<string, (place: Place) => Promise<Caller>> = {
    "the company's own key": async ({ company, clock }) => byKey(company, clock),
    "a key that the company's own key issues": async ({ company, clock }) =>
      keyBy(byKey(company, clock), { company, clock, clientId: company.clientId }),
    "an application that the company's own key makes": async (place) =>
      applicationBy(byKey(place.company, place.clock), place),
    "a new key of an operator's old one": async (place) => {
      const old = await keyOfOperator(place);
      place.clock.advance(DAY_MS);
      return keyBy(old, { ...place, clientId: old.id }, 0);
    },
    "an application of an owner whom he invited a day ago": async (place) => {
      const owner = await ownerByOperator(place);
      place.clock.advance(DAY_MS);
      return applicationBy(owner, place);
    },
    "a person whom such an owner invites": async (place) => {
      const owner = await ownerByOperator(place);
      place.clock.advance(DAY_MS);
      return invitedBy(owner, place);
    },
    "an old application of an operator's key, with a new key of the company's": async (place) => {
      const made = await applicationBy(await keyOfOperator(place), place);
      place.clock.advance(DAY_MS);
      return keyBy(byKey(place.company, place.clock), { ...place, clientId: made.id });
    },
  };

  it.each(Object.entries(OWN))("sends out at once: %s", async (_right, given) => {
    const place = await givenPlace();
    expect(await approvalsOf(await given(place), place)).toEqual(FREE);
  });

  it("sends out at once after an old owner widened it", async () => {
    const place = await givenPlace();
    const { clock } = place;
    const owner = await ownerByOperator(place);
    const erp = await applicationBy(owner, place, ["withdraws:read"]);
    clock.advance(DAY_MS);
    const scopes = ["withdraws:read", "withdraws:write"];
    expect((await owner.ask("PATCH", `/api/v1/applications/${erp.id}`, { scopes })).status).toBe(
      200,
    );
    expect((await requestWithdraw(erp)).body).toMatchObject({ approval: "none" });
  });

  it("waits once an operator issues one of its keys, beside the key of before", async () => {
    const place = await givenPlace();
    const { company, clock } = place;
    const issued = byKey(await keyByOperator(company, clock), clock);
    expect((await requestWithdraw(issued)).body).toMatchObject({ approval: "pending" });
    const own = byKey(company, clock);
    expect((await requestWithdraw(own)).body).toMatchObject({ approval: "none" });
  });

  it("still ties two puppets of one operator: the younger one approves nothing", async () => {
    const place = await givenPlace();
    const { company, clock } = place;
    await changeSettings(company, { withdrawApprovalAbove: 0 });
    const approving = await givenApplication(company);
    const owner = await ownerByOperator(place);
    clock.advance(DAY_MS);
    const erp = await applicationBy(owner, place);
    const stolen = byKey(await keyByOperator(approving, clock), clock);
    clock.advance(1);
    const { body } = await requestWithdraw(erp);
    expectTied(await post(stolen, `/api/v1/withdraws/${body.id}/approve`));
  });

  it("approves as before: an owner whom an operator invited long ago, for the company's key", async () => {
    const place = await givenPlace();
    const { company, clock } = place;
    await changeSettings(company, { withdrawApprovalAbove: 0 });
    const owner = await ownerByOperator(place);
    const member = byPerson(company, clock, (await givenMember(company, "owner")).id);
    clock.advance(1);
    for (const each of [owner, member]) {
      const { body } = await requestWithdraw(byKey(company, clock));
      expect((await post(each, `/api/v1/withdraws/${body.id}/approve`)).status).toBe(200);
    }
  });
});

it("a company's first key has nobody in its chain, and no operator gets a second one like it", async () => {
  const order = { name: "Loja", mode: "sandbox" };
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const { data } = (await callAsOperator("/companies", { body: order, headers })).body;
  const { clientId } = data.application;
  const standings = async () => {
    const found = await findCredentials(env, clientId, Date.now());
    return [found!.application.standing, ...found!.keys.map(({ standing }) => standing)];
  };
  expect(await standings()).toEqual([FROM_THE_START, FROM_THE_START]);
  const reason = { reason: "a try" };
  for (const action of ["close", "reopen"]) {
    const path = `/companies/${data.id}/${action}`;
    expect((await callAsOperator(path, { body: reason })).status).toBe(200);
  }
  const again = await callAsOperator("/companies", { body: order, headers });
  expect(again.body.data).toMatchObject({ id: data.id, key: null });
  expect(await standings()).toEqual([FROM_THE_START, FROM_THE_START]);
  await callAsOperator(`/companies/${data.id}/keys`, { method: "POST" });
  expect((await standings()).at(-1)).toMatchObject({ givenBy: ["operator"] });
});
