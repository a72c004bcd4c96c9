import { expect, it } from "vitest";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { Browser } from "../../../support/builders/console/browser.ts";
import { givenOperatorPerson, givenSession } from "../../../support/builders/console/people.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";

it("an idempotency key that no header holds is refused, and adds no header", async () => {
  const browser = new Browser(await givenSession(await givenCompany(), "owner"));
  for (const idempotencyKey of ["x\r\nX-Client-Id: a", "ключ", ""]) {
    const form = { name: "Shop", scopes: "transactions:read", idempotencyKey };
    const { status, html } = await browser.ask("/console/keys", { form });
    expect(status).toBe(400);
    expect(html).toContain("IDEMPOTENCY_KEY_INVALID");
  }
});

it("the calls of a page read the company once; those of a form, for each that may write", async () => {
  const browser = new Browser(await givenSession(await givenCompany(), "owner"));
  const { env, lap } = countRoundTrips();
  const readsOfCompany = () =>
    lap().trips.filter((trip) =>
      /^select "id", "name", .* as "accounts" from "companies"/s.test(trip),
    ).length;
  expect((await browser.ask("/console/settings", { env })).status).toBe(200);
  expect(readsOfCompany()).toBe(1);
  const form = { coolDownHours: "48" };
  const { status } = await browser.ask("/console/settings/withdraws/save", { env, form });
  expect(status).toBe(303);
  expect(readsOfCompany()).toBe(2);
});

it("the calls of an operator's page read the operator once", async () => {
  const { id } = await givenCompany();
  const browser = new Browser((await givenOperatorPerson("admin")).cookie);
  const { env, lap } = countRoundTrips();
  const { status } = await browser.ask(`/console/operator/companies/${id}`, { env });
  expect(status).toBe(200);
  const trips = lap().trips.filter((trip) => /^select .* from "operators" (?!.*join)/.test(trip));
  expect(trips).toHaveLength(1);
});
