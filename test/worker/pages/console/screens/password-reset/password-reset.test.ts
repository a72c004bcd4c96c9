import { createOTP } from "@better-auth/utils/otp";
import { expect, it, vi } from "vitest";
import type { PersonRole } from "../../../../../../src/domain/access/person-role.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { env } from "../../../../../support/builders/companies/env.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import {
  givenPerson,
  givenSession,
  joinCompany,
  PASSWORD,
  RECOVERY_CODES,
  TOTP_SECRET,
} from "../../../../../support/builders/console/people.ts";
import { call } from "../../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../../support/fakes/clock.ts";
import { postOffice } from "../../../../../support/fakes/post-office.ts";

const RESET = "/console/password-reset";
const NEW_PASSWORD = "another long password";

async function signIn(email: string, password: string) {
  const browser = new Browser();
  const { status } = await browser.ask("/console/sign-in", { form: { email, password } });
  return { browser, status };
}

async function givenLink() {
  const company = await givenCompany();
  const person = await givenPerson(company, "viewer");
  const office = postOffice();
  const asked = await new Browser().ask(RESET, { env: office.env, form: { email: person.email } });
  await vi.waitFor(() => expect(office.sent).toHaveLength(1), { timeout: 20_000 });
  const [url = ""] = /https:\/\/\S+/.exec(office.sent[0]?.text ?? "") ?? [];
  return { company, person, asked, path: new URL(url).pathname };
}

it("a link by e-mail sets a new password once, ends the sessions and is in the trail", async () => {
  const { company, person, asked, path } = await givenLink();
  expectClean(asked.html);
  const before = await signIn(person.email, PASSWORD);
  expect(before.status).toBe(303);
  const form = { password: NEW_PASSWORD };
  expectClean((await new Browser().ask(path)).html);
  expect((await new Browser().ask(path, { form: { password: "short" } })).status).toBe(400);
  expect((await new Browser().ask(path, { form })).headers.get("Location")).toBe(
    "/console/sign-in",
  );
  expect((await new Browser().ask(path, { form })).status).toBe(404);
  expect((await before.browser.ask("/console")).headers.get("Location")).toContain("sign-in");
  expect((await signIn(person.email, PASSWORD)).status).toBe(401);
  expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(303);
  const trail = await call("/api/v1/audit", { company });
  expect(trail.body.items).toContainEqual(
    expect.objectContaining({ action: "password.reset", target: `person:${person.userId}` }),
  );
});

it("an unknown e-mail gets the same answer and no e-mail, and the database holds no link", async () => {
  const { asked, path } = await givenLink();
  const office = postOffice();
  const form = { email: "nobody@example.com" };
  const unknown = await new Browser().ask(RESET, { env: office.env, form });
  expect([unknown.status, unknown.html]).toEqual([asked.status, asked.html]);
  expect(office.sent).toEqual([]);
  const { results } = await env.DB.prepare("SELECT identifier FROM verifications").all();
  expect(JSON.stringify(results)).not.toContain(path.slice(`${RESET}/`.length));
});

it("the sign-in says which way there is, and a service without e-mail what to do", async () => {
  const without = await new Browser().ask("/console/sign-in");
  expect(without.html).toContain("Esqueci a senha: usar um código de recuperação");
  expect((await new Browser().ask(RESET)).html).toContain("Este serviço não envia e-mails.");
  const sending = await new Browser().ask("/console/sign-in", { env: postOffice().env });
  expect(sending.html).toContain("receber um link por e-mail");
});

it("of two uses of a link at once one counts, and a used link ends the person's others", async () => {
  const { person, path } = await givenLink();
  const office = postOffice();
  await new Browser().ask(RESET, { env: office.env, form: { email: person.email } });
  await vi.waitFor(() => expect(office.sent).toHaveLength(1), { timeout: 20_000 });
  const [url = ""] = /https:\/\/\S+/.exec(office.sent[0]?.text ?? "") ?? [];
  const form = { password: NEW_PASSWORD };
  const uses = await Promise.all([1, 2].map(() => new Browser().ask(path, { form })));
  expect(uses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    303, 404,
  ]);
  expect((await new Browser().ask(new URL(url).pathname)).status).toBe(404);
});

const askRecovery = (form: Record<string, string>) =>
  new Browser().ask(`${RESET}/recovery`, { form });

it("a recovery code sets a new password once, where no e-mail is sent, and the second factor stays", async () => {
  const company = await givenCompany();
  const { email, userId } = await givenPerson(company, "owner", { hasAuthenticator: true });
  const [code = ""] = RECOVERY_CODES;
  const form = { email, code, password: NEW_PASSWORD };
  const short = await askRecovery({ ...form, password: "short" });
  expect(short.status).toBe(400);
  expectClean(short.html);
  expect((await askRecovery({ ...form, code: "wrong-00000" })).status).toBe(401);
  const answers = await Promise.all([askRecovery(form), askRecovery(form)]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    303, 401,
  ]);
  expect((await signIn(email, PASSWORD)).status).toBe(401);
  const again = await signIn(email, NEW_PASSWORD);
  expect(again.status).toBe(303);
  expect((await again.browser.ask("/console")).headers.get("Location")).toContain("sign-in");
  const trail = await call("/api/v1/audit", { company });
  expect(trail.body.items).toContainEqual(
    expect.objectContaining({
      action: "password.reset",
      target: `person:${userId}`,
      reason: "RECOVERY_CODE",
    }),
  );
});

it("a code that was used before a reset is not taken again after it", async () => {
  const { email } = await givenPerson(await givenCompany(), "owner", { hasAuthenticator: true });
  const code = await createOTP(TOTP_SECRET).totp();
  const prove = async (password: string) =>
    (await (await signIn(email, password)).browser.ask("/console/sign-in/code", { form: { code } }))
      .status;
  expect(await prove(PASSWORD)).toBe(303);
  const [recovery = ""] = RECOVERY_CODES;
  await askRecovery({ email, code: recovery, password: NEW_PASSWORD });
  expect(await prove(NEW_PASSWORD)).toBe(401);
});

it("a recovery code of another person and an unknown e-mail get the same answer", async () => {
  const company = await givenCompany();
  const { email } = await givenPerson(company, "owner");
  const [code = ""] = RECOVERY_CODES;
  const ask = (to: string) =>
    new Browser().ask(`${RESET}/recovery`, { form: { email: to, code, password: NEW_PASSWORD } });
  const [known, unknown] = [await ask(email), await ask("nobody@example.com")];
  expect([known.status, unknown.status]).toEqual([401, 401]);
  expect(known.html.replace(email, "")).toBe(unknown.html.replace("nobody@example.com", ""));
  expect((await signIn(email, PASSWORD)).status).toBe(303);
});

const TEAM = "/console/team";

async function givenColleague(role: PersonRole, options?: { hasAuthenticator: boolean }) {
  const company = await givenCompany();
  const owner = new Browser(await givenSession(company, "owner"));
  const member = await givenPerson(company, role, options);
  const path = `${TEAM}/people/${member.userId}/password-link`;
  return { company, owner, member, path };
}

const linkOn = (html: string) =>
  new URL(/<code>(http[^<]+password-reset[^<]+)<\/code>/.exec(html)?.[1] ?? "http://none/")
    .pathname;

it("a colleague's link sets a member's password once; the sessions end, and both acts are in the trail", async () => {
  const { company, owner, member, path } = await givenColleague("viewer");
  expect((await owner.ask(TEAM)).html).toContain(path);
  const before = await signIn(member.email, PASSWORD);
  const made = await owner.ask(path, { form: {} });
  expectClean(made.html);
  expect(made.headers.get("Cache-Control")).toBe("no-store");
  const link = linkOn(made.html);
  expect(link).toMatch(/^\/console\/password-reset\/[0-9a-f-]{36}$/);
  const form = { password: NEW_PASSWORD };
  expect((await new Browser().ask(link, { form })).status).toBe(303);
  expect((await new Browser().ask(link, { form })).status).toBe(404);
  expect((await before.browser.ask("/console")).headers.get("Location")).toContain("sign-in");
  expect((await signIn(member.email, PASSWORD)).status).toBe(401);
  expect((await signIn(member.email, NEW_PASSWORD)).status).toBe(303);
  const { body } = await call("/api/v1/audit", { company });
  const target = `person:${member.userId}`;
  for (const action of ["passwordLink.create", "password.reset"]) {
    expect(body.items).toContainEqual(expect.objectContaining({ action, target }));
  }
  expect(JSON.stringify(body.items)).not.toContain(link.slice(`${RESET}/`.length));
});

it("a colleague's link is over after 30 minutes, and leaves the second factor", async () => {
  const { owner, member, path } = await givenColleague("finance", { hasAuthenticator: true });
  const clock = new TestClock();
  const link = linkOn((await owner.ask(path, { form: {}, deps: { platformClock: clock } })).html);
  expect((await new Browser().ask(link, { deps: { platformClock: clock } })).status).toBe(200);
  clock.advance(30 * 60_000);
  expect((await new Browser().ask(link, { deps: { platformClock: clock } })).status).toBe(404);
  const again = linkOn((await owner.ask(path, { form: {} })).html);
  await new Browser().ask(again, { form: { password: NEW_PASSWORD } });
  const { browser, status } = await signIn(member.email, NEW_PASSWORD);
  expect(status).toBe(303);
  expect((await browser.ask("/console")).headers.get("Location")).toContain("sign-in");
});

it("nobody makes a link for himself, above his own role, without a factor that the role needs, or elsewhere", async () => {
  const { company, owner, path } = await givenColleague("finance");
  expect((await owner.ask(TEAM)).html).not.toContain(path);
  expect((await owner.ask(path, { form: {} })).status).toBe(404);
  const self = `${TEAM}/people/test_owner_${company.id}/password-link`;
  expect((await owner.ask(self, { form: {} })).status).toBe(404);
  const boss = await givenPerson(company, "owner", { hasAuthenticator: true });
  const admin = new Browser(await givenSession(company, "admin"));
  const above = `${TEAM}/people/${boss.userId}/password-link`;
  expect((await admin.ask(above, { form: {} })).status).toBe(404);
  const viewer = new Browser(await givenSession(company, "viewer"));
  expect((await viewer.ask(above, { form: {} })).status).toBe(403);
  const stranger = await givenPerson(await givenCompany(), "viewer");
  const foreign = `${TEAM}/people/${stranger.userId}/password-link`;
  expect((await owner.ask(foreign, { form: {} })).status).toBe(404);
});

it("a member of another company too gets no link from this one", async () => {
  const { owner, member, path } = await givenColleague("viewer");
  await joinCompany(member.userId, await givenCompany(), "viewer");
  const { status, html } = await owner.ask(path, { form: {} });
  expect(status).toBe(409);
  expect(html).not.toContain("/console/password-reset/");
});

it("a colleague's link does not come into a role that the member got after it", async () => {
  const { company, owner, member, path } = await givenColleague("viewer");
  const link = linkOn((await owner.ask(path, { form: {} })).html);
  expect((await new Browser().ask(link)).status).toBe(200);
  await joinCompany(member.userId, await givenCompany(), "owner");
  const later = Date.now() + 1;
  await env.DB.prepare("UPDATE memberships SET given_at = ? WHERE user_id = ? AND company_id <> ?")
    .bind(later, member.userId, company.id)
    .run();
  expect((await new Browser().ask(link)).status).toBe(404);
  const form = { password: NEW_PASSWORD };
  expect((await new Browser().ask(link, { form })).status).toBe(404);
  expect((await signIn(member.email, PASSWORD)).status).toBe(303);
});
