import { expect, it } from "vitest";
import { secureIdOf } from "../../../../src/domain/shared/ids.ts";
import { givenManyTransactions } from "../../../support/builders/charges/many-transactions.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { meteredD1 } from "../../../support/probes/database/cost.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";

/** docs/checkout.md names these numbers. */
const OPEN_PAGES = 500;
const TRIPS_A_MINUTE = 10_000;
const ROWS_A_MINUTE = 10_000;

it(`${OPEN_PAGES} open pages cost at most ${TRIPS_A_MINUTE} storage trips and ${ROWS_A_MINUTE} rows a minute`, async () => {
  const company = await givenCompany();
  const { idOf } = await givenManyTransactions(company, { many: OPEN_PAGES });
  const ids = Array.from({ length: OPEN_PAGES }, (_, at) =>
    secureIdOf(idOf(at + 1), "AAAAAAAAAAAAAAAAAAAAAA"),
  );
  const rows = meteredD1();
  const trips = countRoundTrips(rows.env);
  const poll = (id: string, headers: Record<string, string> = {}) =>
    call(`/api/checkout/status/${id}`, { env: trips.env, headers });

  const first = await Promise.all(ids.map((id) => poll(id)));
  const [{ pollAfterMs }] = first.map(({ body }) => body);
  trips.lap();
  rows.lap();
  const again = await Promise.all(
    first.map(({ headers }, at) =>
      poll(ids[at] ?? "", { "If-None-Match": headers.get("ETag") ?? "" }),
    ),
  );
  for (const { status, text } of again) expect([status, text]).toEqual([304, ""]);

  const pollsAMinute = 60_000 / pollAfterMs;
  const cost = rows.lap();
  expect(trips.lap().trips.length * pollsAMinute).toBeLessThanOrEqual(TRIPS_A_MINUTE);
  expect(cost.read * pollsAMinute).toBeLessThanOrEqual(ROWS_A_MINUTE);
  expect(cost.written).toBe(0);
});
