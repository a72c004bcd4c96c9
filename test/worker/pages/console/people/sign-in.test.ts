import { createOTP } from "@better-auth/utils/otp";
import { expect, it } from "vitest";
import { RATE_LIMITS } from "../../../../../src/http/rate-limits/policies.ts";
import { sha256Hex } from "../../../../../src/lib/hash.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../support/builders/console/browser.ts";
import {
  beginSession,
  givenPerson,
  PASSWORD,
  RECOVERY_CODES,
  TOTP_SECRET,
} from "../../../../support/builders/console/people.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { countingLimiters } from "../../../../support/fakes/rate-limiters.ts";

const SIGN_IN = "/console/sign-in";

it("a person signs in with e-mail and password, and comes to the page first asked for", async () => {
  const { email } = await givenPerson(await givenCompany(), "viewer");
  const browser = new Browser();
  const sentAway = await browser.ask("/console/account");
  expect(sentAway.status).toBe(303);
  expect(sentAway.headers.get("Location")).toBe("/console/sign-in?next=%2Fconsole%2Faccount");
  const form = { email: ` ${email.toUpperCase()}`, password: PASSWORD, next: "/console/account" };
  const answer = await browser.ask(SIGN_IN, { form });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toBe("/console/account");
  const [cookie = ""] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^centavo\.session_token=/);
  expect(cookie).toContain("Path=/console");
  expect(cookie).toContain("HttpOnly");
  expect(cookie).toMatch(/SameSite=Lax/i);
  expect((await browser.ask("/console/account")).html).toContain("Minha conta");
  expect((await browser.ask("/console/sign-out", { form: {} })).status).toBe(303);
  expect((await browser.ask("/console/account")).status).toBe(303);
});

it("a wrong password and an unknown e-mail are the same 401", async () => {
  const { email } = await givenPerson(await givenCompany(), "viewer");
  const wrong = await new Browser().ask(SIGN_IN, { form: { email, password: "wrong password" } });
  const other = "x".repeat(email.length - 12) + "@example.com";
  const unknown = await new Browser().ask(SIGN_IN, { form: { email: other, password: PASSWORD } });
  expect([wrong.status, unknown.status]).toEqual([401, 401]);
  expect(wrong.html.replaceAll(email, "E-MAIL")).toBe(unknown.html.replaceAll(other, "E-MAIL"));
  expect(wrong.headers.getSetCookie()).toEqual([]);
});

it("a person with an authenticator app gives its code after the password, and no page before", async () => {
  const person = await givenPerson(await givenCompany(), "owner", { hasAuthenticator: true });
  const browser = new Browser();
  const form = { email: person.email, password: PASSWORD };
  const first = await browser.ask(SIGN_IN, { form });
  expect(first.headers.get("Location")).toBe("/console/sign-in/code?next=%2Fconsole");
  expect((await browser.ask("/console/account")).status).toBe(303);
  const wrong = await browser.ask("/console/sign-in/code", { form: { code: "000000" } });
  expect(wrong.status).toBe(401);
  const code = await createOTP(TOTP_SECRET).totp();
  const next = "/console/account";
  const right = await browser.ask("/console/sign-in/code", { form: { code, next } });
  expect([right.status, right.headers.get("Location")]).toEqual([303, next]);
  expect((await browser.ask(next)).status).toBe(200);
});

it("a code of the app counts once, also for two sign-ins at once and within a session", async () => {
  const person = await givenPerson(await givenCompany(), "owner", { hasAuthenticator: true });
  const code = await createOTP(TOTP_SECRET).totp();
  const form = { email: person.email, password: PASSWORD };
  const browsers = [new Browser(), new Browser()];
  for (const browser of browsers) await browser.ask(SIGN_IN, { form });
  const prove = (browser: Browser) => browser.ask(`${SIGN_IN}/code`, { form: { code } });
  const answers = await Promise.all(browsers.map(prove));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401]);
  const isIn = answers[0]!.status === 303;
  const [inside, outside] = isIn ? browsers : browsers.toReversed();
  expect((await inside!.ask("/console/confirm", { form: { code } })).status).toBe(401);
  expect((await prove(outside!)).status).toBe(401);
  // The refused sign-in goes on with the next code.
  const nextStep = Math.floor(Date.now() / 30_000) + 1;
  const next = await createOTP(TOTP_SECRET).hotp(nextStep);
  const later = await outside!.ask(`${SIGN_IN}/code`, { form: { code: next } });
  expect(later.status).toBe(303);
});

it("a sign-in ends the session that the browser had", async () => {
  const { userId, email } = await givenPerson(await givenCompany(), "viewer");
  const former = await beginSession(userId, {});
  const browser = new Browser(former);
  const answer = await browser.ask(SIGN_IN, { form: { email, password: PASSWORD } });
  expect(answer.status).toBe(303);
  expect((await browser.ask("/console/account")).status).toBe(200);
  expect((await new Browser(former).ask("/console/account")).status).toBe(303);
});

it("a recovery code signs in once", async () => {
  const person = await givenPerson(await givenCompany(), "owner", { hasAuthenticator: true });
  const withCode = async () => {
    const browser = new Browser();
    await browser.ask(SIGN_IN, { form: { email: person.email, password: PASSWORD } });
    return browser.ask("/console/sign-in/code", { form: { code: RECOVERY_CODES[0]! } });
  };
  expect((await withCode()).status).toBe(303);
  expect((await withCode()).status).toBe(401);
});

it("passwords for one e-mail are refused with 429 beyond the limit, from whatever address", async () => {
  const { email } = await givenPerson(await givenCompany(), "viewer");
  const { bindings, use } = countingLimiters(new TestClock());
  use(RATE_LIMITS.signIns, await sha256Hex(email), RATE_LIMITS.signIns.quota);
  const form = { email, password: PASSWORD };
  const limited = await new Browser().ask(SIGN_IN, { form, env: { ...env, ...bindings } });
  expect(limited.status).toBe(429);
  expect(limited.html).toContain("Tentativas demais");
  expect(limited.headers.getSetCookie()).toEqual([]);
});

it("a sign-in that another site sends is refused with 403", async () => {
  const { email } = await givenPerson(await givenCompany(), "viewer");
  const form = { email, password: PASSWORD };
  const headers = { Origin: "https://evil.example" };
  const answer = await new Browser().ask(SIGN_IN, { form, headers });
  expect(answer.status).toBe(403);
  expect(answer.headers.getSetCookie()).toEqual([]);
});

it.each([
  "https://evil.example/",
  "//evil.example",
  "/console/../evil",
  "/\\evil.example",
  "/other",
  "javascript:alert(1)",
  "/console/..//evil.example",
  "/console/%2e%2e//evil.example",
  "/console@evil.example",
  "/console\\..\\..\\\\evil.example",
])("the way back after a sign-in never leads to %s", async (next) => {
  const { html } = await new Browser().ask(`${SIGN_IN}?next=${encodeURIComponent(next)}`);
  expect(html).toContain('name="next" value="/console"');
  const form = { language: "en", back: next };
  const { headers } = await new Browser().ask("/console/language", { form });
  expect(headers.get("Location")).toBe("/console");
});

it("nobody can sign up, and better-auth's own routes are not served", async () => {
  for (const path of [
    "sign-up/email",
    "get-session",
    "list-sessions",
    "two-factor/enable",
    "two-factor/view-backup-codes",
    "passkey/verify-registration",
  ]) {
    const { status } = await new Browser().ask(`/console/auth/${path}`, { form: {} });
    expect(status, path).toBe(404);
  }
});
