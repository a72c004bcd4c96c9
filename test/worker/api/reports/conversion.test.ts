import { expect, it } from "vitest";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { givenPaid, givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";

const DAY_MS = 86_400_000;
const BOLETO = {
  paymentMethod: "BOLETO",
  customer: { name: "Maria", document: { number: "52998224725" } },
};

it("counts what was created and what was paid, by day and method, each day by its last charge", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const days = [0, 1, 3].map((offset) => saoPauloDay(clock.now() + offset * DAY_MS));
  const deps = { platformClock: clock };
  await givenTransaction(company, {}, { deps });
  await givenTransaction(company, BOLETO, { deps });
  await givenPaid(company, 1_000);
  clock.advance(DAY_MS);
  await givenTransaction(company, {}, { deps });
  clock.advance(2 * DAY_MS);
  await givenTransaction(company, {}, { deps });
  await givenTransaction(company, {}, { deps });

  const rowsOf = async (query: string) => {
    const answer = await call(`/api/v1/reports/conversion${query}`, { company, deps });
    await expectDocumented("GET /api/v1/reports/conversion", answer);
    return answer.body.items;
  };
  const all = [
    { day: days[0], paymentMethod: "BOLETO", created: 1, paid: 0 },
    { day: days[0], paymentMethod: "PIX", created: 2, paid: 1 },
    { day: days[1], paymentMethod: "PIX", created: 1, paid: 0 },
    { day: days[2], paymentMethod: "PIX", created: 2, paid: 0 },
  ];
  expect(await rowsOf("")).toEqual(all);
  expect(await rowsOf(`?from=${days[1]}&to=${days[1]}`)).toEqual(all.slice(2, 3));

  // The middle day is from before charges were counted, and so are those before it.
  await env.DB.prepare(
    "UPDATE transactions SET day_methods = NULL WHERE company_id = ? AND seq = 4",
  )
    .bind(company.id)
    .run();
  expect(await rowsOf("")).toEqual([{ ...all[1], created: null }, all[3]]);
});

it("a day whose first charges were not counted stays uncounted to its end", async () => {
  const company = await givenCompany();
  await givenTransaction(company);
  await env.DB.prepare("UPDATE transactions SET day_methods = NULL WHERE company_id = ?")
    .bind(company.id)
    .run();
  await givenPaid(company, 1_000);
  const { body } = await call("/api/v1/reports/conversion", { company });
  expect(body.items).toMatchObject([{ created: null, paid: 1 }]);
});
