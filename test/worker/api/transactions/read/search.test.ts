import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { FULL_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { givenAuthorized } from "../../../../support/builders/charges/card.ts";
import { saoPauloDay, startOfNextDay } from "../../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../../src/domain/shared/calendar-day.ts";
import { givenPaid, givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";

const MINUTE_MS = 60_000;

const search = (
  company: TestCompany,
  parameters: Record<string, string | number> = {},
): Promise<Answer> => {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, String(value)]),
  );
  return call(`/api/v1/transactions?${query.toString()}`, { company });
};

const idsOf = (answer: Answer): number[] => answer.body.items.map((item: any) => item.id);

async function numbersFound(
  company: TestCompany,
  parameters: Record<string, string | number>,
): Promise<number[]> {
  const answer = await search(company, parameters);
  expect(answer.status).toBe(200);
  return idsOf(answer);
}

/** Reads all pages. */
async function walk(
  company: TestCompany,
  parameters: Record<string, string | number>,
): Promise<number[]> {
  const found: number[] = [];
  let after: string | null = null;
  do {
    const answer: Answer = await search(company, {
      ...parameters,
      ...(after === null ? {} : { after }),
    });
    expect(answer.status).toBe(200);
    expect(answer.body.hasMore).toBe(answer.body.after !== null);
    found.push(...idsOf(answer));
    ({ after } = answer.body);
  } while (after !== null);
  return found;
}

it("the search returns the items of the list and a cursor, without totals", async () => {
  const company = await givenCompany();
  await givenTransaction(company, FULL_REQUEST);
  const [found, listed] = await Promise.all([
    search(company),
    call("/api/Transaction/company/transactions", { company }),
  ]);
  expect(found.body).toStrictEqual({
    items: listed.body.res.items,
    after: null,
    hasMore: false,
  });
  expect(found.body.items).toHaveLength(1);
});

it("the search returns an empty page without transactions", async () => {
  const company = await givenCompany();
  expect((await search(company)).body).toStrictEqual({ items: [], after: null, hasMore: false });
});

describe("the cursor", () => {
  it.each([1, 2, 3, 6, 7, 100])(
    "reads everything once, newest first, %i at a time",
    async (limit) => {
      const company = await givenCompany();
      for (let count = 0; count < 7; count++) await givenTransaction(company);
      expect(await walk(company, { limit })).toEqual([7, 6, 5, 4, 3, 2, 1]);
    },
  );

  it("continues at its position when newer transactions are added", async () => {
    const company = await givenCompany();
    for (let count = 0; count < 4; count++) await givenTransaction(company);
    const first = await search(company, { limit: 2 });
    await givenTransaction(company);
    const second = await search(company, { limit: 2, after: first.body.after });
    expect([...idsOf(first), ...idsOf(second)]).toEqual([4, 3, 2, 1]);
  });

  it("reads all filtered transactions once", async () => {
    const company = await givenCompany();
    for (let count = 0; count < 3; count++) {
      await givenTransaction(company, { externalRef: "wanted" });
      await givenPaid(company, 1_000);
    }
    expect(await walk(company, { limit: 1, externalRef: "wanted" })).toEqual([5, 3, 1]);
    expect(await walk(company, { limit: 1, status: "PAID" })).toEqual([6, 4, 2]);
    expect(await walk(company, { limit: 2, status: "PENDING" })).toEqual([5, 3, 1]);
  });
});

it("the search returns 50 items without a limit", async () => {
  const company = await givenCompany();
  await Promise.all(Array.from({ length: 51 }, () => givenTransaction(company)));
  const answer = await search(company);
  expect(idsOf(answer)).toHaveLength(50);
  expect(answer.body.hasMore).toBe(true);
});

describe("filters", () => {
  it("status accepts the statuses of the list", async () => {
    const company = await givenCompany();
    const move = async (name: string) => {
      const { id } = await givenTransaction(company);
      await call(`/api/v1/sandbox/transactions/${id}/${name}`, { method: "POST", company });
    };
    await givenTransaction(company);
    await move("pay");
    await move("fail");
    await move("expire");
    expect(await numbersFound(company, { status: "PENDING" })).toEqual([1]);
    expect(await numbersFound(company, { status: "PAID" })).toEqual([2]);
    expect(await numbersFound(company, { status: "FAILED" })).toEqual([3]);
    expect(await numbersFound(company, { status: "CANCELLED" })).toEqual([4]);
    expect(await numbersFound(company, { status: "REFUNDED" })).toEqual([]);
  });

  it("status accepts the words of creations and webhooks", async () => {
    const company = await givenCompany();
    await givenTransaction(company);
    await givenAuthorized(company);
    const { id } = await givenTransaction(company);
    await call(`/api/v1/sandbox/transactions/${id}/expire`, { method: "POST", company });
    expect(await numbersFound(company, { status: "PENDING" })).toEqual([2, 1]);
    expect(await numbersFound(company, { status: "WAITING_PAYMENT" })).toEqual([1]);
    expect(await numbersFound(company, { status: "AUTHORIZED" })).toEqual([2]);
    expect(await numbersFound(company, { status: "REFUSED" })).toEqual([]);
  });

  it("a day without a time is a day in São Paulo", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const midnight = startOfNextDay(clock.now());
    clock.advance(midnight - 1 - clock.now());
    await givenTransaction(company, {}, { deps: { platformClock: clock } });
    clock.advance(1);
    await givenTransaction(company, {}, { deps: { platformClock: clock } });
    const day = saoPauloDay(midnight);
    expect(await numbersFound(company, { from: day })).toEqual([2]);
    expect(await numbersFound(company, { to: addDays(day, -1) })).toEqual([1]);
  });

  it("paymentMethod", async () => {
    const company = await givenCompany();
    await givenTransaction(company);
    expect(await numbersFound(company, { paymentMethod: "PIX" })).toEqual([1]);
    expect(await numbersFound(company, { paymentMethod: "BOLETO" })).toEqual([]);
    expect(await numbersFound(company, { paymentMethod: "CREDIT_CARD" })).toEqual([]);
  });

  it("externalRef matches exactly", async () => {
    const company = await givenCompany();
    await givenTransaction(company, { externalRef: "a" });
    await givenTransaction(company, { externalRef: "A" });
    await givenTransaction(company, { externalRef: "a" });
    await givenTransaction(company);
    expect(await numbersFound(company, { externalRef: "a" })).toEqual([3, 1]);
    expect(await numbersFound(company, { externalRef: "%" })).toEqual([]);
  });

  it("document matches with or without a mask", async () => {
    const company = await givenCompany();
    const document = { number: "52998224725" };
    await givenTransaction(company, { customer: { document } });
    await givenTransaction(company, { customer: { document: { number: "11222333000181" } } });
    await givenTransaction(company, { customer: { id: "x", document } });
    expect(await numbersFound(company, { document: "529.982.247-25" })).toEqual([3, 1]);
    expect(await numbersFound(company, { document: "11222333000181" })).toEqual([2]);
    expect(await numbersFound(company, { document: "12ABC34501DE35" })).toEqual([]);
  });

  it("ids returns the newest first and ignores unknown ids", async () => {
    const company = await givenCompany();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await givenTransaction(company)).id);
    const wanted = [ids[0]!.toUpperCase(), ` ${ids[2]}`, "nothing", "", ids[0]!].join(",");
    expect(await numbersFound(company, { ids: wanted })).toEqual([3, 1]);
    expect(await numbersFound(company, { ids: "nothing" })).toEqual([]);
    expect(await numbersFound(company, { ids: ids.join(","), limit: 2 })).toEqual([3, 2]);
  });

  it("ids accepts a hundred", async () => {
    const company = await givenCompany();
    const made = await Promise.all(Array.from({ length: 100 }, () => givenTransaction(company)));
    const ids = made.map((data) => data.id).join(",");
    expect(await numbersFound(company, { ids, limit: 100 })).toHaveLength(100);
  });

  it("from and to include their own instant", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const times: string[] = [];
    for (let count = 0; count < 5; count++) {
      times.push(
        (await givenTransaction(company, {}, { deps: { platformClock: clock } })).createdAt,
      );
      clock.advance(MINUTE_MS);
    }
    expect(await numbersFound(company, { from: times[3]! })).toEqual([5, 4]);
    expect(await numbersFound(company, { to: times[1]! })).toEqual([2, 1]);
    expect(await numbersFound(company, { from: times[1]!, to: times[3]! })).toEqual([4, 3, 2]);
    const justBefore = new Date(Date.parse(times[3]!) - 1).toISOString();
    expect(await numbersFound(company, { to: justBefore })).toEqual([3, 2, 1]);
    const inverted = await call(`/api/v1/transactions?from=${times[3]}&to=${times[1]}`, {
      company,
    });
    expect(inverted).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(await numbersFound(company, { to: "2000-01-01" })).toEqual([]);
    expect(await numbersFound(company, { from: "2999-01-01" })).toEqual([]);
    expect(await walk(company, { limit: 1, from: times[1]!, to: times[3]! })).toEqual([4, 3, 2]);
  });

  it("all filters combine", async () => {
    const company = await givenCompany();
    const customer = { document: { number: "52998224725" } };
    const wanted = await givenTransaction(company, { externalRef: "a", customer });
    const others = [
      await givenTransaction(company, { externalRef: "b", customer }),
      await givenTransaction(company, { externalRef: "a" }),
    ];
    const ids = [wanted, ...others].map((data) => data.id).join(",");
    expect(
      await numbersFound(company, {
        ids,
        externalRef: "a",
        document: "52998224725",
        status: "PENDING",
        paymentMethod: "PIX",
        from: wanted.createdAt,
      }),
    ).toEqual([1]);
    expect(await numbersFound(company, { externalRef: "a", document: "52998224725" })).toEqual([1]);
  });
});

it("no filter finds another company's transactions", async () => {
  const [ours, theirs] = [await givenCompany(), await givenCompany()];
  const customer = { document: { number: "52998224725" } };
  const { id } = await givenTransaction(theirs, { externalRef: "secret", customer });
  for (const filter of [{ ids: id }, { externalRef: "secret" }, { document: "52998224725" }, {}]) {
    expect((await search(ours, filter)).body).toStrictEqual({
      items: [],
      after: null,
      hasMore: false,
    });
  }
});

it.each([
  ["limit", "0"],
  ["limit", "101"],
  ["limit", "-1"],
  ["limit", "abc"],
  ["limit", "1.5"],
  ["limit", "1e1"],
  ["limit", ""],
  ["after", "abc"],
  ["after", "-1"],
  ["after", "1.5"],
  ["after", ""],
  ["status", "OPEN"],
  ["status", "paid"],
  ["status", ""],
  ["paymentMethod", "CASH"],
  ["from", "yesterday"],
  ["from", "2026-13-01"],
  ["from", "2026-02-30"],
  ["from", ""],
  ["to", "12/31/2026"],
  ["to", "2026-01-01T25:00:00Z"],
  ["document", "52998224724"],
  ["document", ""],
  ["externalRef", "a\0"],
  ["externalRef", "x".repeat(256)],
  ["ids", Array.from({ length: 101 }, (_, index) => `id${index}`).join(",")],
])("VALIDATION_FAILED: %s=%s", async (name, value) => {
  const company = await sharedCompany();
  await expectProblem(await search(company, { [name]: value }), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: [name],
  });
});
