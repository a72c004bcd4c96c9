import { expect, it } from "vitest";
import {
  givenCompany,
  type TestCompany,
} from "../../../../../support/builders/companies/company.ts";
import { call } from "../../../../../support/builders/requests/api.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { beginSession, givenPerson } from "../../../../../support/builders/console/people.ts";
import { TestClock } from "../../../../../support/fakes/clock.ts";

const PASSWORD = "correct horse battery";
const DAYS = 24 * 3_600_000;

async function givenInvitation(company: TestCompany, email: string, deps = {}) {
  const body = { email, role: "support" };
  const { data } = (await call("/api/v1/people/invitations", { company, deps, body })).body;
  return new URL(data.url).pathname;
}

const peopleOf = async (company: TestCompany) =>
  (await call("/api/v1/people", { company })).body.items;

const withoutPath = (html: string) => html.replace(/value="\/console[^"]*"/, "");

it("a new person joins with name and password, once, and signs in", async () => {
  const company = await givenCompany();
  const email = `new.${company.id}@example.com`;
  const path = await givenInvitation(company, email);
  const browser = new Browser();
  const page = await browser.ask(path, { language: "en" });
  expect(page.status).toBe(200);
  for (const text of [email, "Support", "see charges"]) expect(page.html).toContain(text);
  expect(page.html).not.toMatch(/undefined|NaN|>null</);
  const form = { name: "<b>Ana</b>", password: PASSWORD };
  const answers = await Promise.all([browser.ask(path, { form }), browser.ask(path, { form })]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
  expect(await peopleOf(company)).toMatchObject([{ name: "<b>Ana</b>", email, role: "support" }]);
  const signedIn = await browser.ask("/console/sign-in", { form: { email, password: PASSWORD } });
  expect(signedIn.status).toBe(303);
  const audit = await call("/api/v1/audit", { company });
  expect(audit.body.items).toContainEqual(
    expect.objectContaining({
      action: "invitation.use",
      after: expect.objectContaining({ role: "support" }),
    }),
  );
  expect((await browser.ask(path)).status).toBe(404);
});

it("a short password and no name are refused at their field, and nobody is made", async () => {
  const company = await givenCompany();
  const path = await givenInvitation(company, `short.${company.id}@example.com`);
  for (const form of [
    { name: "Ana", password: "short" },
    { name: " ", password: PASSWORD },
  ]) {
    const { status, html } = await new Browser().ask(path, { form });
    expect(status).toBe(400);
    expect(html).toContain('aria-invalid="true"');
    expect(html).not.toContain(PASSWORD);
  }
  expect(await peopleOf(company)).toEqual([]);
});

it("a person with an account joins one more company only when signed in as that person", async () => {
  const [first, second] = [await givenCompany(), await givenCompany()];
  const { userId, email } = await givenPerson(first, "viewer");
  const other = await givenPerson(first, "viewer");
  const path = await givenInvitation(second, email);
  for (const browser of [new Browser(), new Browser(await beginSession(other.userId, {}))]) {
    expect((await browser.ask(path)).html).toContain("/console/sign-in?next=");
    const { headers } = await browser.ask(path, { form: { name: "Eva", password: PASSWORD } });
    expect(headers.get("Location")).toContain("/console/sign-in");
  }
  expect(await peopleOf(second)).toEqual([]);
  const browser = new Browser(await beginSession(userId, {}));
  const joined = await browser.ask(path, { form: {} });
  expect(joined.headers.get("Location")).toBe("/console");
  expect(await peopleOf(second)).toMatchObject([{ id: userId, email, role: "support" }]);
});

it("a link that is revoked, over or unknown gets the same page", async () => {
  const company = await givenCompany();
  const clock = new TestClock();
  const path = await givenInvitation(company, "late@example.com", { clock });
  clock.advance(7 * DAYS);
  const over = await new Browser().ask(path, { deps: { clock } });
  const unknown = await new Browser().ask("/console/invitation/unknown");
  expect([over.status, unknown.status]).toEqual([404, 404]);
  expect(withoutPath(over.html)).toBe(withoutPath(unknown.html));
  expect(unknown.html).toContain("Este convite não vale mais");
});
