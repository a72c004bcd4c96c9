import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { expect, it } from "vitest";
import type { PersonRole } from "../../../../../../src/domain/access/person-role.ts";
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

async function givenInvitation(
  company: TestCompany,
  email: string,
  deps = {},
  role: PersonRole = "support",
) {
  const body = { email, role };
  const { data } = (await call("/api/v1/people/invitations", { company, deps, body })).body;
  return new URL(data.url).pathname;
}

const peopleOf = async (company: TestCompany) =>
  (await call("/api/v1/people", { company })).body.items;

const withoutPath = (html: string) => html.replace(/value="\/console[^"]*"/, "");

it("a new person joins with name and password, once, and is in without typing it again", async () => {
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
  expect((await browser.ask("/console")).status).toBe(200);
  const again = await new Browser().ask("/console/sign-in", {
    form: { email, password: PASSWORD },
  });
  expect(again.status).toBe(303);
  const audit = await call("/api/v1/audit", { company });
  expect(audit.body.items).toContainEqual(
    expect.objectContaining({
      action: "invitation.use",
      after: expect.objectContaining({ role: "support" }),
    }),
  );
  expect(audit.body.items).toContainEqual(
    expect.objectContaining({ action: "session.begin", after: { method: "password" } }),
  );
  expect((await browser.ask(path)).status).toBe(404);
});

it("an owner who joins sets up the second factor, then sees the five steps to the first payment", async () => {
  const company = await givenCompany();
  const email = `owner.${company.id}@example.com`;
  const path = await givenInvitation(company, email, {}, "admin");
  const browser = new Browser();
  const joined = await browser.ask(path, { form: { name: "Ana", password: PASSWORD } });
  expect(joined.headers.get("Location")).toBe("/console");
  expect((await browser.ask("/console")).headers.get("Location")).toBe("/console/second-factor");
  const begun = await browser.ask("/console/second-factor", { form: { password: PASSWORD } });
  const uri = /name="uri" value="([^"]+)"/.exec(begun.html)![1]!.replaceAll("&amp;", "&");
  const secret = new TextDecoder().decode(base32.decode(new URL(uri).searchParams.get("secret")!));
  const code = await createOTP(secret).totp();
  const finished = await browser.ask("/console/second-factor/finish", { form: { uri, code } });
  expect(finished.status).toBe(200);
  const home = await browser.ask("/console");
  expect(home.html).toContain("Cinco passos até o primeiro pagamento");
  expect(home.html.match(/<li class="(?:done)?">/g)).toHaveLength(5);
});

it("who joins in a browser of somebody else leaves no session of that person", async () => {
  const company = await givenCompany();
  const { userId } = await givenPerson(company, "viewer");
  const cookie = await beginSession(userId, {});
  const path = await givenInvitation(company, `other.${company.id}@example.com`);
  const form = { name: "Eva", password: PASSWORD };
  const joined = await new Browser(cookie).ask(path, { form });
  expect(joined.headers.get("Location")).toBe("/console");
  const before = await new Browser(cookie).ask("/console");
  expect(before.headers.get("Location")).toContain("/console/sign-in");
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
  const path = await givenInvitation(company, "late@example.com", { platformClock: clock });
  clock.advance(7 * DAYS);
  const over = await new Browser().ask(path, { deps: { platformClock: clock } });
  const unknown = await new Browser().ask("/console/invitation/unknown");
  expect([over.status, unknown.status]).toEqual([404, 404]);
  expect(withoutPath(over.html)).toBe(withoutPath(unknown.html));
  expect(unknown.html).toContain("Este convite não vale mais");
});
