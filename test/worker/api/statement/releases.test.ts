import { expect, it } from "vitest";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { updateSettings } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const NAME = "GET /api/v1/releases";
const DAY_MS = 86_400_000;

it("lists what becomes available on a day, which the forecast sums up, until it is released", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await updateSettings(company, { releaseDays: { PIX: 2 }, fees: { PIX: { fixed: 10 } } });
  const customer = { name: "Maria & Filhos", externalRef: "pedido-1" };
  const ids: string[] = [];
  for (const amount of [1_000, 2_000, 3_000]) {
    const { id } = await givenTransaction(company, { amount, customer });
    await pay(company, id);
    clock.advance(1);
    ids.push(id);
  }
  const { items: days } = (
    await call(`/api/Balance/forecast/${company.id}?currency=BRL`, { company })
  ).body;
  expect(days).toHaveLength(1);
  const day = days[0].date;
  const releasesOf = (query: string, by = company) =>
    call(`/api/v1/releases?day=${day}${query}`, { company: by });

  const answer = await releasesOf("");
  await expectDocumented(NAME, answer);
  const { items, after, hasMore } = answer.body;
  expect(items.map((item: any) => [item.transactionId, item.amount])).toEqual([
    [ids[0], 990],
    [ids[1], 1_990],
    [ids[2], 2_990],
  ]);
  expect(items[0]).toMatchObject({
    installment: 1,
    paymentMethod: "PIX",
    counterpart: "Maria & Filhos",
    externalRef: "pedido-1",
  });
  expect(saoPauloDay(Date.parse(items[0].releasesAt))).toBe(day);
  expect([after, hasMore]).toEqual([null, false]);
  expect(days[0].amount).toBe(5_970);

  const walked: unknown[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body }: any = await releasesOf(`&limit=1${cursor}`);
    walked.push(...body.items);
    cursor = body.after === null ? null : `&after=${body.after}`;
  }
  expect(walked).toEqual(items);

  const masked = await givenApplication(company, { scopes: ["balance:read"] });
  expect((await releasesOf("", masked)).body.items[0].counterpart).toBe("M*** &*** F***");

  clock.advance(3 * DAY_MS);
  expect((await releasesOf("")).body.items).toEqual([]);
});

it.each([
  ["", "day"],
  ["?day=amanha", "day"],
  ["?day=2026-12-21&after=1", "after"],
])("VALIDATION_FAILED: %s at %s", async (query, field) => {
  const company = await givenCompany();
  const answer = await call(`/api/v1/releases${query}`, { company });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
});
