import { expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/calendar";

it.each([
  ["date=2026-12-24", true, "2026-12-24", "business day"],
  ["date=2026-12-25", false, "2026-12-28", "holiday of all banks"],
  ["date=2027-01-25", true, "2027-01-25", "business day"],
  ["date=2027-01-25&city=3550308", false, "2027-01-26", "the town"],
  ["date=2027-02-08", false, "2027-02-10", "holiday of all banks"],
])("%s is a day of banks, or says why not", async (query, businessDay, next, why) => {
  const answer = await call(`${PATH}?${query}`);
  expect(answer.status, answer.text).toBe(200);
  await expectDocumented(`GET ${PATH}`, answer);
  expect(answer.body).toEqual({
    date: query.slice("date=".length, "date=YYYY-MM-DD".length),
    businessDay,
    next,
    why: expect.stringContaining(why),
    debit: expect.arrayContaining([
      expect.objectContaining({
        what: "settles",
        at: next,
        source: expect.stringContaining("cobr"),
      }),
      expect.objectContaining({ what: "cancelled_until", why: expect.stringContaining("22:00") }),
    ]),
  });
});

it.each([
  ["", "date"],
  ["date=2027-02-29", "date"],
  ["date=1999-12-31", "date"],
  ["date=9999-12-31", "date"],
  ["date=2027-02-28&city=355030", "city"],
  ["date=2027-02-28&city=SP", "city"],
])("%j is refused", async (query, field) => {
  const answer = await call(`${PATH}?${query}`);
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
});
