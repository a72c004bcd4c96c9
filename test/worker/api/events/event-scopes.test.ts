import { describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../../../src/domain/shared/company.ts";
import { scopeOfEvent } from "../../../../src/domain/events/event-scopes.ts";
import { balanceEventData } from "../../../../src/domain/events/event-body.ts";
import { EVENT_TYPES } from "../../../../src/domain/events/event-types.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { setScopes } from "../../../support/builders/companies/credentials.ts";
import type { TestCompany } from "../../../support/builders/companies/company.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { resendRange } from "../../../support/builders/webhooks/resend-range.ts";
import { sendTestEvent } from "../../../support/builders/webhooks/test-events.ts";
import {
  ENDPOINT,
  givenWithdrawEvents,
} from "../../../support/builders/withdraws/withdraw-events.ts";
import { givenHistory } from "../../../support/builders/webhooks/webhook-history.ts";
import { recordingQueue } from "../../../support/fakes/recording-queue.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const FORBIDDEN = { status: 403, code: "FORBIDDEN" };
/** Two withdraw events, one of a transaction, one test, one of a balance. */
const TYPES = [
  "transaction.paid",
  "withdraw.processing",
  "withdraw.paid",
  "webhook.test",
  "balance.released",
];
/** What an event's body has and its header has not. */
const PRIVATE = /"pixKey"|"customer"|"accBalance|"amount"|order/;

/** A company with an event of each kind, all delivered to its endpoint. */
async function givenEvents() {
  const { company, clock, sink, createEvent, deliver } = await givenWithdrawEvents();
  for (let events = 0; events < 2; events++) {
    await createEvent();
    await deliver();
  }
  await sendTestEvent({ company, sink, clock });
  const balances = { available: 2_500, held: 0, awaiting: 0, blocked: 0, owed: 0, frozen: false };
  const data = balanceEventData(
    company.id,
    { currency: "BRL", balances, releases: [] },
    { previousStatus: "Pending" },
  );
  const released = { objectId: "balance:BRL", at: clock.now(), url: ENDPOINT, data };
  await givenHistory(company, [{ ...released, status: "delivered" }]);
  return company;
}

function limitedTo(company: TestCompany, ...scopes: Scope[]): Promise<TestCompany> {
  return givenApplication(company, { scopes: [...scopes, "pii:read"] });
}

const list = (company: TestCompany, query = ""): Promise<Answer> =>
  call(`/api/v1/events${query}`, { company });
const visible = ({ body }: Answer) =>
  body.items.filter(({ data }: any) => data !== null).map(({ type }: any) => type);
const eventId = ({ id }: TestCompany, number: number) => `evt_${id}_${number}`;
const deliveryId = ({ id }: TestCompany, number: number) => `dlv_${id}_${number}_endpoint`;

/** The event ids of all pages of deliveries. */
async function deliveredEvents(reader: TestCompany, query: string): Promise<string[]> {
  const numbers: string[] = [];
  for (let after = ""; ;) {
    const path = `/api/v1/webhooks/deliveries?limit=1${query}${after}`;
    const { body } = await call(path, { company: reader });
    numbers.push(...body.items.map(({ eventId: id }: any) => id));
    if (!body.hasMore) return numbers;
    after = `&after=${body.after}`;
  }
}

it("every event type has the scope of its object's own routes", () => {
  const scopes = Object.fromEntries(
    EVENT_TYPES.map((type) => [type.split(".")[0], scopeOfEvent(type)]),
  );
  expect(scopes).toEqual({
    transaction: "transactions:read",
    dispute: "transactions:read",
    payment: "transactions:read",
    payment_link: "transactions:read",
    subscription: "transactions:read",
    withdraw: "withdraws:read",
    balance: "balance:read",
    company: "balance:read",
    ledger: "balance:read",
    webhook: "webhooks:read",
  });
});

describe("the list of events", () => {
  it.each<[Scope[], string[]]>([
    [[], ["webhook.test"]],
    [["transactions:read"], ["transaction.paid", "webhook.test"]],
    [["withdraws:read"], ["withdraw.processing", "withdraw.paid", "webhook.test"]],
    [["balance:read"], ["webhook.test", "balance.released"]],
    [["transactions:read", "withdraws:read", "balance:read"], TYPES],
  ])("with webhooks:read and %j shows the data of %j, and every number", async (scopes, types) => {
    const company = await givenEvents();
    const limited = await limitedTo(company, "webhooks:read", "pii:read", ...scopes);
    const answer = await list(limited);
    await expectDocumented("GET /api/v1/events", answer);
    expect(visible(answer)).toEqual(types);
    expect(answer.body.items.map(({ type }: any) => type)).toEqual(TYPES);
    expect(answer.body.items.map((item: any) => item.companySequence)).toEqual([1, 2, 3, 4, 5]);
    const whole = (await list(company)).body.items;
    answer.body.items.forEach((item: any, index: number) => {
      expect(item).toEqual(item.data === null ? { ...whole[index], data: null } : whole[index]);
    });
  });

  it("shows no data by type either", async () => {
    const company = await givenEvents();
    const limited = await limitedTo(company, "webhooks:read");
    const answer = await list(limited, "?type=withdraw.paid");
    expect(answer.body.items).toMatchObject([{ companySequence: 3, data: null }]);
    expect(answer.text).not.toMatch(PRIVATE);
  });
});

describe("one event", () => {
  it("FORBIDDEN: is not shown, with its deliveries, without its object's scope", async () => {
    const company = await givenEvents();
    const limited = await limitedTo(company, "webhooks:read", "withdraws:read");
    const show = (number: number) =>
      call(`/api/v1/events/${eventId(company, number)}`, { company: limited });
    const shown = await show(3);
    await expectDocumented("GET /api/v1/events/{id}", shown);
    expect(shown.body.data).toMatchObject({ enTransaction: "Paid" });
    for (const number of [1, 5]) {
      const refused = await show(number);
      await expectProblem(refused, FORBIDDEN);
      expect(refused.text).not.toMatch(PRIVATE);
    }
  });
});

describe("the list of deliveries", () => {
  it("leaves out those of events whose object's scope is missing, over all pages", async () => {
    const company = await givenEvents();
    const events = (...numbers: number[]) => numbers.map((number) => eventId(company, number));
    expect(await deliveredEvents(company, "")).toEqual(events(5, 4, 3, 2, 1));
    const withdraws = await limitedTo(company, "webhooks:read", "withdraws:read");
    expect(await deliveredEvents(withdraws, "")).toEqual(events(4, 3, 2));
    expect(await deliveredEvents(withdraws, "&status=delivered")).toEqual(events(4, 3, 2));
    expect(await deliveredEvents(await limitedTo(company, "webhooks:read"), "")).toEqual(events(4));
  });

  it("costs one more read for those who see a part, and none for the others", async () => {
    const company = await givenEvents();
    const trips = countRoundTrips();
    const readsOf = async (reader: TestCompany) => {
      await call("/api/v1/webhooks/deliveries", { company: reader, env: trips.env });
      return trips
        .lap()
        .trips.filter((label) => /from "?(events|deliveries|json_each)/i.test(label)).length;
    };
    expect(await readsOf(company)).toBe(1);
    expect(await readsOf(await limitedTo(company, "webhooks:read"))).toBe(2);
  });
});

describe("a resend", () => {
  it("FORBIDDEN: is not made without the scope of the event's object", async () => {
    const company = await givenEvents();
    const limited = await limitedTo(company, "webhooks:write", "withdraws:read");
    const queue = recordingQueue();
    const resend = (number: number) =>
      call(`/api/v1/webhooks/deliveries/${deliveryId(company, number)}/resend`, {
        method: "POST",
        company: limited,
        env: queue.env,
      });
    await expectProblem(await resend(1), FORBIDDEN);
    expect((await resend(2)).body).toMatchObject({ id: deliveryId(company, 3) });
  });

  it("of a time range leaves out what the caller may not see", async () => {
    const company = await givenEvents();
    const range = { from: "2020-01-01", to: "2100-01-01", status: ["delivered", "superseded"] };
    const resent = async (...scopes: Scope[]) => {
      const limited = await limitedTo(company, "webhooks:write", ...scopes);
      const { body } = await resendRange(limited, range);
      return body.items.map((item: any) => item.eventId);
    };
    expect(await resent()).toEqual([]);
    expect(await resent("withdraws:read")).toEqual([eventId(company, 3)]);
    expect(await resent("transactions:read")).toEqual([eventId(company, 1)]);
  });
});

describe("the debugger of webhooks", () => {
  it("FORBIDDEN: compares no guessed body without the scope of the event's object", async () => {
    const company = await givenEvents();
    const guess = (reader: TestCompany, body: string) =>
      call("/api/v1/webhooks/verify", {
        company: reader,
        body: {
          headers: {
            "webhook-id": eventId(company, 3),
            "webhook-timestamp": "1795262400",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
          },
          body,
        },
      });
    const limited = await limitedTo(company, "webhooks:read", "transactions:read");
    const guesses = ['{"type":"withdraw.paid"', '{"type":"withdraw.failed"'];
    for (const body of guesses) await expectProblem(await guess(limited, body), FORBIDDEN);
    const causes = await Promise.all(
      guesses.map(async (body) => (await guess(company, body)).body.cause),
    );
    expect(causes).toEqual(["truncated_body", "changed_body"]);
  });
});

it("a scope that is taken away hides its events from the next request on", async () => {
  const company = await givenEvents();
  expect(visible(await list(company))).toEqual(TYPES);
  await setScopes(company, ["webhooks:read"]);
  expect(visible(await list(company))).toEqual(["webhook.test"]);
  await setScopes(company, SCOPES);
  expect(visible(await list(company))).toEqual(TYPES);
});
