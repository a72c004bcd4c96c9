import { beforeAll, describe, expect, it } from "vitest";
import { env, givenCompany } from "../../../../../support/builders/companies/company.ts";
import {
  callAsOperator,
  givenOperator,
  type TestOperator,
} from "../../../../../support/builders/companies/operator.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import {
  beginSession,
  givenOperatorPerson,
  givenPerson,
  PASSWORD,
  type TestPerson,
} from "../../../../../support/builders/console/people.ts";
import { expectDocumented } from "../../../../../support/probes/http/documented.ts";
import { TestClock } from "../../../../../support/fakes/clock.ts";

const HOUR_MS = 3_600_000;
const LINK = "POST /api/v1/operator/people/{id}/sign-in-link";

let someone: TestPerson;

beforeAll(async () => {
  someone = await givenPerson(await givenCompany(), "viewer");
});

async function givenLink({ clientId }: Pick<TestOperator, "clientId">, clock?: TestClock) {
  const answer = await callAsOperator(`/people/${clientId}/sign-in-link`, {
    method: "POST",
    ...(clock === undefined ? {} : { deps: { platformClock: clock } }),
  });
  expect(answer.status).toBe(201);
  return { answer, path: new URL(answer.body.data.url).pathname };
}

const newEmail = () => `${crypto.randomUUID()}@example.com`;

async function operatorOf({ clientId }: Pick<TestOperator, "clientId">) {
  const { body } = await callAsOperator("/people?limit=100");
  return body.items.find(({ id }: { id: string }) => id === clientId);
}

describe("a set-up link", () => {
  it("makes one person of two who use it at once, and then opens nothing", async () => {
    const operator = await givenOperator("finance");
    const { answer, path } = await givenLink(operator);
    await expectDocumented(LINK, answer);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const shown = await new Browser().ask(path, { language: "en" });
    expect(shown.status).toBe(200);
    for (const text of ["Operator finance", "Finance"]) expect(shown.html).toContain(text);
    const emails = [newEmail(), newEmail()];
    const used = await Promise.all(
      emails.map((email) => new Browser().ask(path, { form: { email, password: PASSWORD } })),
    );
    expect(used.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
    const winner = emails[used.findIndex(({ status }) => status === 303)]!;
    expect(await operatorOf(operator)).toMatchObject({ email: winner, role: "finance" });
    const made = env.DB.prepare("SELECT count(*) AS n FROM users WHERE email IN (?, ?)");
    expect(await made.bind(...emails).first("n")).toBe(1);
    expect((await new Browser().ask(path)).status).toBe(404);

    const browser = new Browser();
    const form = { email: winner, password: PASSWORD, next: "/console/operator" };
    expect((await browser.ask("/console/sign-in", { form })).headers.get("Location")).toBe(
      "/console/operator",
    );
    const { headers } = await browser.ask("/console/operator");
    expect(headers.get("Location")).toBe("/console/second-factor");

    const trail = env.DB.prepare(
      "SELECT action FROM audit_entries WHERE target = ? ORDER BY sequence",
    );
    const { results } = await trail.bind(`operator:${operator.clientId}`).all();
    expect(results.map(({ action }) => action)).toContain("sign_in_link.create");
    expect(results.map(({ action }) => action)).toContain("sign_in_link.use");
    const stored = await env.DB.prepare("SELECT * FROM operators").all();
    expect(JSON.stringify(stored.results)).not.toContain(path.split("/").at(-1));
  });

  it("opens nothing after 24 hours, after the next link, and after the operator's removal", async () => {
    const clock = new TestClock();
    const operator = await givenOperator("read");
    const old = await givenLink(operator, clock);
    const { path } = await givenLink(operator, clock);
    const ask = async (link: string) =>
      (await new Browser().ask(link, { deps: { platformClock: clock } })).status;
    expect([await ask(old.path), await ask(path)]).toEqual([404, 200]);
    clock.advance(24 * HOUR_MS - 1);
    expect(await ask(path)).toBe(200);
    clock.advance(1);
    expect(await ask(path)).toBe(404);
    const next = await givenLink(operator, clock);
    await callAsOperator(`/people/${operator.clientId}`, { method: "DELETE" });
    expect(await ask(next.path)).toBe(404);
  });

  it("takes nobody's account: a known e-mail is refused until its person signs in", async () => {
    const operator = await givenOperator("support");
    const { path } = await givenLink(operator);
    const form = { email: someone.email.toUpperCase(), password: "another password of 12" };
    const refused = await new Browser().ask(path, { form });
    expect(refused.status).toBe(409);
    expect(refused.html).not.toContain(form.password);
    // The button of one who has signed in, without a session.
    await new Browser().ask(path, { form: { account: "mine" } });
    expect(await operatorOf(operator)).toMatchObject({ email: null });
    const signIn = await new Browser().ask("/console/sign-in", {
      form: { email: someone.email, password: PASSWORD },
    });
    expect(signIn.status).toBe(303);

    const browser = new Browser(await beginSession(someone.userId, {}));
    expect((await browser.ask(path)).html).toContain(someone.email);
    const linked = await browser.ask(path, { form: { account: "mine" } });
    expect(linked.headers.get("Location")).toBe("/console/operator");
    expect(await operatorOf(operator)).toMatchObject({ email: someone.email });
  });

  it("is refused to a person who is another operator, and stays open", async () => {
    const { cookie, clientId } = await givenOperatorPerson("read");
    const { path } = await givenLink(await givenOperator("admin"));
    const refused = await new Browser(cookie).ask(path, { form: { account: "mine" } });
    expect(refused.status).toBe(409);
    expect((await new Browser().ask(path)).status).toBe(200);
    expect(await operatorOf({ clientId })).toMatchObject({ role: "read" });
  });

  it.each([
    ["no e-mail", { email: "nobody", password: PASSWORD }],
    ["a short password", { email: "x@example.com", password: "short" }],
  ])("is refused with %s at its field, and stays open", async (_case, form) => {
    const { path } = await givenLink(await givenOperator("read"));
    const { status, html } = await new Browser().ask(path, { form });
    expect(status).toBe(400);
    expect(html).toContain('aria-invalid="true"');
    expect((await new Browser().ask(path)).status).toBe(200);
  });
});
