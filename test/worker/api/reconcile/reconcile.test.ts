import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";
import {
  givenManyTransactions,
  RARE_REFERENCE,
} from "../../../support/builders/charges/many-transactions.ts";
import { givenPaid, givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { freshIsolate } from "../../../support/builders/companies/isolate.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/reconcile";

const reconcile = (company: TestCompany, body: object, options: Call = {}): Promise<Answer> =>
  call(PATH, { ...options, company, body });

async function answerOf(company: TestCompany, body: object): Promise<any> {
  const answer = await reconcile(company, body);
  await expectDocumented(`POST ${PATH}`, answer);
  return answer.body;
}

describe("the comparison of a merchant's lines", () => {
  it("answers each line in its order, by each of the three ids, a payment entered twice once", async () => {
    const company = await givenCompany();
    const paid = await givenPaid(company, 2_500);
    const open = await givenTransaction(company, { amount: 700, externalRef: "pedido-7" });
    const third = await givenTransaction(company, { amount: 900 });
    const other = await givenTransaction(await givenCompany(), { externalRef: "pedido-8" });

    expect(
      await answerOf(company, {
        items: [
          { endToEndId: paid.endToEndId, amount: 2_500, status: "PAID" },
          { externalRef: "pedido-7", amount: 800, status: "PENDING" },
          { id: paid.id, paidAmount: 2_500 },
          { id: third.id, amount: 900, status: "PENDING" },
          { id: other.id },
          { externalRef: "pedido-8" },
          { id: "no id" },
        ],
      }),
    ).toEqual({
      items: [
        { result: "matched", id: paid.id },
        {
          result: "mismatch",
          id: open.id,
          differences: [{ field: "amount", theirs: 800, ours: 700 }],
        },
        { result: "duplicate", id: paid.id },
        { result: "matched", id: third.id },
        { result: "missing", id: null },
        { result: "missing", id: null },
        { result: "missing", id: null },
      ],
      onlyHere: [],
      after: null,
      hasMore: false,
    });
  });

  it("shows what only we have in the period, page by page", async () => {
    const company = await givenCompany();
    const { firstAt, idOf } = await givenManyTransactions(company, { many: 10 });
    const at = (number: number) => new Date(firstAt + number * 60_000).toISOString();
    const body = { items: [{ id: idOf(4) }, { externalRef: "r6" }], from: at(3), to: at(8) };

    const first = await answerOf(company, { ...body, limit: 3 });
    expect(first.onlyHere.map(({ id }: { id: string }) => id)).toEqual([3, 5, 7].map(idOf));
    expect(first.onlyHere[0]).toEqual({
      id: idOf(3),
      externalRef: "r3",
      endToEndId: null,
      amount: 100,
      paidAmount: null,
      status: "WAITING_PAYMENT",
      paymentMethod: "PIX",
      createdAt: at(3),
      paidAt: null,
    });
    expect(first).toMatchObject({ after: "7", hasMore: true });
    const last = await answerOf(company, { ...body, limit: 3, after: first.after });
    expect(last.onlyHere.map(({ id }: { id: string }) => id)).toEqual([idOf(8)]);
    expect(last).toMatchObject({ after: null, hasMore: false });
  });

  it("shows a charge past its expiry as cancelled", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, { amount: 100 });
    const deps = { platformClock: { now: () => Date.now() + 2 * 86_400_000 } };
    const body = { items: [{ id, status: "CANCELLED" }] };
    const { body: answer } = await reconcile(company, body, { deps });
    expect(answer.items).toEqual([{ result: "matched", id }]);
  });

  it("reads a bounded number of rows in one trip, for 1,000 lines among 20,000 transactions", async () => {
    const company = await givenCompany();
    const { firstAt, idOf } = await givenManyTransactions(company);
    const numbers = Array.from({ length: 998 }, (_, index) => 2 * index + 1);
    const items = [
      ...numbers.map((number) =>
        number % 4 === 1 ? { id: idOf(number) } : { externalRef: `r${number}`, amount: 100 },
      ),
      { externalRef: RARE_REFERENCE },
      { endToEndId: "E0000000020261121120012345678901" },
    ];
    let rows = 0;
    const trips = countRoundTrips(withDatabase({ after: (_sql, read) => void (rows += read) }));
    const options = { env: trips.env, deps: freshIsolate() };
    const body = { items, from: new Date(firstAt).toISOString(), limit: 1_000 };
    await reconcile(company, { items: [] }, options);
    trips.lap();
    rows = 0;

    const answer = await reconcile(company, body, options);

    expect(answer.body.items.filter(({ result }: any) => result === "matched")).toHaveLength(999);
    expect(answer.body.onlyHere).toHaveLength(1_000);
    expect(answer.body).toMatchObject({ hasMore: true });
    // The credentials, and then all look-ups at once.
    expect(trips.lap().trips).toHaveLength(2);
    expect(rows).toBeLessThan(ROWS_MAX);
  });

  it("takes a list of 256 KiB, and no longer one", async () => {
    const company = await givenCompany();
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      externalRef: `${index}`.padStart(230, "é"),
    }));
    expect((await reconcile(company, { items: items.slice(0, 500) })).status).toBe(200);
    await expectProblem(await reconcile(company, { items }), {
      status: 413,
      code: "BODY_TOO_LARGE",
    });
  });

  it("names all wrong fields at once", async () => {
    const company = await givenCompany();
    const answer = await reconcile(company, {
      items: [{ amount: 1.5 }, { id: "", status: "paid" }, { externalRef: "a", colour: 1 }],
      from: "yesterday",
      limit: 1_001,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(Object.keys(answer.body.errors).toSorted()).toEqual(
      [
        "from",
        "items.0.amount",
        "items.1.id",
        "items.1.status",
        "items.2.colour",
        "limit",
      ].toSorted(),
    );
    const nameless = await reconcile(company, { items: [{ amount: 1 }] });
    expect(nameless.body.errors).toEqual({
      "items.0.id": ["is required, or externalRef or endToEndId"],
    });
    // Without an error an empty `onlyHere` would say that nothing is amiss.
    const backwards = await reconcile(company, { items: [], from: "2026-12-01", to: "2026-01-01" });
    expect(backwards.body.errors).toEqual({ to: ["must not be before from"] });
    const many = await reconcile(company, {
      items: Array.from({ length: 1_001 }, () => ({ id: "a" })),
    });
    expect(many.body.errors).toEqual({
      items: ["must be at most 1000 lines; got an array of 1001"],
    });
  });
});

/** Rows of 1,000 look-ups, their list included, and of a period of 2,000 rows with its two searches. */
const ROWS_MAX = 6_000;
