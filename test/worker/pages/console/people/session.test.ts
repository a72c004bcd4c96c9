import { createOTP } from "@better-auth/utils/otp";
import { expect, it } from "vitest";
import { deployed } from "../../../../support/builders/companies/deployed.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../support/builders/console/browser.ts";
import {
  beginSession,
  givenPerson,
  givenSession,
  joinCompany,
  PASSWORD,
  TOTP_SECRET,
} from "../../../../support/builders/console/people.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { visit } from "../../../../support/builders/console/visit.ts";

const ACCOUNT = "/console/account";
const MINUTE_MS = 60_000;

it("the account shows in both languages where the person is signed in", async () => {
  const company = await givenCompany();
  for (const language of ["pt-BR", "en"] as const) {
    const { status, html } = await visit(company, ACCOUNT, { language });
    expect(status).toBe(200);
    expect(html).toContain(language === "en" ? "This session" : "Esta sessão");
    expect(html).not.toMatch(/undefined|null|NaN|\[object/);
  }
});

it("a session ended elsewhere is refused at the next request", async () => {
  const company = await givenCompany();
  const { userId } = await givenPerson(company, "viewer");
  const here = new Browser(await beginSession(userId, {}));
  const there = new Browser(await beginSession(userId, {}));
  expect((await there.ask(ACCOUNT)).status).toBe(200);
  const { status } = await here.ask("/console/account/sessions/end-others", { form: {} });
  expect(status).toBe(303);
  expect((await there.ask(ACCOUNT)).headers.get("Location")).toContain("/console/sign-in");
  expect((await here.ask(ACCOUNT)).status).toBe(200);
});

it("nobody ends the session of another person", async () => {
  const company = await givenCompany();
  const { userId } = await givenPerson(company, "viewer");
  const theirs = new Browser(await beginSession(userId, {}));
  const row = await env.DB.prepare("SELECT id FROM sessions WHERE user_id = ?")
    .bind(userId)
    .first<string>("id");
  await visit(company, "/console/account/sessions/end", { form: { id: row! } });
  expect((await theirs.ask(ACCOUNT)).status).toBe(200);
});

it("an expired session and a forged cookie lead to the sign-in", async () => {
  const { userId } = await givenPerson(await givenCompany(), "viewer");
  const expired = await beginSession(userId, { expiresAt: Date.now() - 1 });
  const open = await beginSession(userId, {});
  const token = open.slice(open.indexOf("=") + 1, open.indexOf("."));
  const forged = `centavo.session_token=${token}.${"A".repeat(43)}%3D`;
  for (const cookie of [expired, forged]) {
    const { status, headers } = await new Browser(cookie).ask(ACCOUNT);
    expect([status, headers.get("Location")]).toEqual([
      303,
      "/console/sign-in?next=%2Fconsole%2Faccount",
    ]);
  }
});

it("an owner without a second factor sees only its set-up, and all after it", async () => {
  const { userId, email } = await givenPerson(await givenCompany(), "owner");
  const browser = new Browser(await beginSession(userId, { secondFactorAt: null }));
  expect((await browser.ask(ACCOUNT)).headers.get("Location")).toBe("/console/second-factor");
  const wrong = await browser.ask("/console/second-factor", { form: { password: "wrong" } });
  expect(wrong.status).toBe(401);
  const begun = await browser.ask("/console/second-factor", { form: { password: PASSWORD } });
  expect(begun.html).toContain("<svg");
  const uri = /name="uri" value="([^"]+)"/.exec(begun.html)![1]!.replaceAll("&amp;", "&");
  expect(uri).toContain(encodeURIComponent(email));
  expect((await browser.ask(ACCOUNT)).headers.get("Location")).toBe("/console/second-factor");
  const refused = await browser.ask("/console/second-factor/finish", {
    form: { uri, code: "000000" },
  });
  expect(refused.status).toBe(401);
  const code = await createOTP(await storedSecret(uri)).totp();
  const finished = await browser.ask("/console/second-factor/finish", { form: { uri, code } });
  expect(finished.html.match(/<code>/g)).toHaveLength(10);
  expect((await browser.ask(ACCOUNT)).status).toBe(200);
});

it.each(["owner", "admin", "finance", "developer"] as const)(
  "the role %s opens nothing without a second factor but its set-up",
  async (role) => {
    const state = { hasSecondFactor: false, secondFactorAt: null };
    const browser = new Browser(await givenSession(await givenCompany(), role, state));
    for (const path of [ACCOUNT, "/console", "/console/keys", "/console/webhooks"]) {
      const { headers } = await browser.ask(path);
      expect(headers.get("Location"), path).toBe("/console/second-factor");
    }
    expect((await browser.ask("/console/second-factor")).status).toBe(200);
  },
);

it("a session that a password proved ends when the person gets a second factor", async () => {
  const { userId, email } = await givenPerson(await givenCompany(), "viewer");
  const thief = new Browser();
  await thief.ask("/console/sign-in", { form: { email, password: PASSWORD } });
  const proof = await thief.ask("/console/confirm", { form: { password: PASSWORD } });
  expect(proof.status).toBe(303);
  const person = new Browser(await beginSession(userId, { secondFactorAt: null }));
  const begun = await person.ask("/console/second-factor", { form: { password: PASSWORD } });
  const uri = /name="uri" value="([^"]+)"/.exec(begun.html)![1]!.replaceAll("&amp;", "&");
  const form = { uri, code: await createOTP(await storedSecret(uri)).totp() };
  const finished = await person.ask("/console/second-factor/finish", { form });
  expect(finished.html).toContain("<code>");
  for (const path of [ACCOUNT, "/console/second-factor/codes"]) {
    expect((await thief.ask(path)).headers.get("Location")).toContain("/console/sign-in");
  }
  // Sent again, as by a reload, it shows no recovery codes.
  const again = await person.ask("/console/second-factor/finish", { form });
  expect([again.status, again.headers.get("Location")]).toEqual([303, ACCOUNT]);
});

it("an old session without a second factor asks for the password before it adds one", async () => {
  const { userId } = await givenPerson(await givenCompany(), "viewer");
  const nowMs = Date.now() - 6 * MINUTE_MS;
  const browser = new Browser(await beginSession(userId, { nowMs, secondFactorAt: null }));
  const options = () => browser.ask("/console/passkeys/register-options");
  expect((await options()).headers.get("Location")).toContain("/console/confirm");
  expect((await browser.ask("/console/confirm", { form: { password: PASSWORD } })).status).toBe(
    303,
  );
  expect((await options()).status).toBe(200);
});

it("what a person does to the own way in is in the trail of each company, before it is done", async () => {
  const [first, second] = [await givenCompany(), await givenCompany()];
  const { userId, email } = await givenPerson(first, "owner", { hasAuthenticator: true });
  await joinCompany(userId, second, "viewer");
  const browser = new Browser(await beginSession(userId, {}));
  const post = (path: string, form: Record<string, string>) => browser.ask(path, { form });
  const password = "another long password";
  await post(`${ACCOUNT}/password`, { current: "wrong", new: password });
  await post(`${ACCOUNT}/password`, { current: PASSWORD, new: password });
  await post(`${ACCOUNT}/sessions/end`, { id: "another's" });
  await post(`${ACCOUNT}/sessions/end-others`, {});
  await post("/console/second-factor/codes", { password });
  await post("/console/second-factor/remove", { password });
  await post("/console/sign-out", {});
  for (const company of [first, second]) {
    const { body } = await call("/api/v1/audit", { company });
    const entries = body.items as { action: string; actor: object }[];
    expect(entries.map(({ action }) => action)).toEqual([
      "password.change",
      "password.change.refused",
      "password.change",
      "session.end",
      "recoveryCodes.create",
      "authenticator.remove",
      "session.end",
    ]);
    expect(entries[0]).toMatchObject({
      actor: { kind: "person", id: `person_${userId}`, name: "Ana" },
      target: `person:${userId}`,
    });
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${password}|${PASSWORD}|${email}`));
  }
});

it("a password alone opens nothing once there is a second factor", async () => {
  const cookie = await givenSession(await givenCompany(), "viewer", { secondFactorAt: null });
  const { headers } = await new Browser(cookie).ask(ACCOUNT);
  expect(headers.get("Location")).toBe("/console/confirm?next=%2Fconsole%2Faccount");
});

it("a proof older than 5 minutes is asked for again, and leads back to the page", async () => {
  const person = await givenPerson(await givenCompany(), "owner", { hasAuthenticator: true });
  const fresh = new Browser(await beginSession(person.userId, proved(4)));
  expect((await fresh.ask("/console/second-factor/codes")).status).toBe(200);
  const stale = new Browser(await beginSession(person.userId, proved(6)));
  const { headers } = await stale.ask("/console/second-factor/codes");
  const confirm = headers.get("Location")!;
  expect(confirm).toBe("/console/confirm?next=%2Fconsole%2Fsecond-factor%2Fcodes");
  const next = /name="next" value="([^"]+)"/.exec((await stale.ask(confirm)).html)![1]!;
  const code = await createOTP(TOTP_SECRET).totp();
  const done = await stale.ask("/console/confirm", { form: { next, code } });
  expect(done.headers.get("Location")).toBe("/console/second-factor/codes");
  expect((await stale.ask(next)).status).toBe(200);
});

it("no export of personal data, webhook's address or money request goes through on an old proof", async () => {
  const company = await givenCompany();
  const cookie = await givenSession(company, "owner", proved(6));
  const browser = new Browser(cookie);
  const confirms = async (path: string) => {
    const { status, headers } = await browser.ask(path);
    expect([path, status]).toEqual([path, 303]);
    expect(headers.get("Location")).toContain("/console/confirm");
  };
  const keeps = async (path: string, form: Record<string, string>) => {
    const { status, html } = await browser.ask(path, { form });
    expect([path, status]).toEqual([path, 401]);
    expect(html).toContain('action="/console/confirm"');
  };
  for (const path of [
    "/console/payments.csv",
    "/console/withdraws.csv",
    "/console/disputes/1/dossier.pdf",
    "/console/disputes/1/dossier.json",
  ]) {
    await confirms(path);
  }
  for (const path of [
    "/console/webhooks",
    "/console/webhooks/secret",
    "/console/withdraws",
    "/console/withdraws/1/approve",
    "/console/keys",
    "/console/keys/app_1/issue",
    "/console/settings/withdraws/save",
    "/console/payers",
    "/console/payments",
    "/console/payers/export",
    "/console/payers/erase",
    "/console/team/invitations",
  ]) {
    await keeps(path, { idempotencyKey: "k_old" });
  }
  const viewer = new Browser(await givenSession(company, "viewer", proved(6)));
  expect((await viewer.ask("/console/payments.csv")).status).toBe(200);
  // Masked for whoever may not read personal data.
  expect((await viewer.ask("/console/disputes/1/dossier.json")).status).toBe(404);
});

it("the fifth wrong code in a session ends it, and no other form tries codes there", async () => {
  const person = await givenPerson(await givenCompany(), "owner", { hasAuthenticator: true });
  const browser = new Browser(await beginSession(person.userId, {}));
  const form = { code: "000000", next: ACCOUNT };
  const right = { code: await createOTP(TOTP_SECRET).totp() };
  const elsewhere = await browser.ask("/console/sign-in/code", { form: right });
  expect(elsewhere.headers.get("Location")).toContain("/console/confirm");
  for (let wrong = 1; wrong <= 4; wrong++) {
    expect((await browser.ask("/console/confirm", { form })).status).toBe(401);
  }
  expect((await browser.ask("/console/confirm", { form })).status).toBe(303);
  expect((await browser.ask(ACCOUNT)).headers.get("Location")).toContain("/console/sign-in");
});

it("a changed password ends the other sessions; a wrong current one changes nothing", async () => {
  const { userId, email } = await givenPerson(await givenCompany(), "viewer");
  const browser = new Browser(await beginSession(userId, {}));
  const other = new Browser(await beginSession(userId, {}));
  const change = (current: string) =>
    browser.ask("/console/account/password", { form: { current, new: "another long password" } });
  expect((await change("wrong")).status).toBe(401);
  expect((await change(PASSWORD)).status).toBe(303);
  expect((await browser.ask(ACCOUNT)).status).toBe(200);
  expect((await other.ask(ACCOUNT)).status).toBe(303);
  const form = { email, password: "another long password" };
  expect((await new Browser().ask("/console/sign-in", { form })).status).toBe(303);
});

it("a person of several companies chooses one, and never another's", async () => {
  const [first, second, foreign] = [
    await givenCompany(),
    await givenCompany(),
    await givenCompany(),
  ];
  const { userId } = await givenPerson(first, "viewer");
  await joinCompany(userId, second, "support");
  const browser = new Browser(await beginSession(userId, {}));
  const choose = (id: number) => browser.ask("/console/company", { form: { company: String(id) } });
  expect((await browser.ask(ACCOUNT)).html).toContain("Leitura");
  expect((await choose(second.id)).status).toBe(303);
  expect((await browser.ask(ACCOUNT)).html).toContain("Atendimento");
  expect((await choose(foreign.id)).status).toBe(404);
  const headers = { Cookie: `${await beginSession(userId, {})}; centavo_company=${foreign.id}` };
  expect((await new Browser().ask(ACCOUNT, { headers })).html).toContain("Leitura");
});

it("a person removed from the only company sees no page of it", async () => {
  const company = await givenCompany();
  const cookie = await givenSession(company, "viewer");
  await env.DB.prepare("UPDATE memberships SET removed_at = 1 WHERE company_id = ?")
    .bind(company.id)
    .run();
  const { status, html } = await new Browser(cookie).ask(ACCOUNT);
  expect(status).toBe(403);
  expect(html).not.toContain(company.name);
});

it("a deployed service sends its cookies over TLS only", async () => {
  const { email } = await givenPerson(await givenCompany(), "viewer");
  const form = { email, password: PASSWORD };
  const answer = await new Browser().ask("/console/sign-in", {
    form,
    env: deployed("production"),
    headers: { Origin: "https://pay.example.com" },
    origin: "https://pay.example.com",
  });
  const [cookie = ""] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^__Secure-centavo\.session_token=/);
  expect(cookie).toContain("Secure");
});

it("the browser's script gets challenges for passkeys, and a made-up passkey is refused", async () => {
  const options = await new Browser().ask("/console/passkeys/sign-in-options");
  expect(JSON.parse(options.html)).toMatchObject({
    rpId: "localhost",
    userVerification: "preferred",
  });
  const company = await givenCompany();
  const register = await visit(company, "/console/passkeys/register-options");
  expect(JSON.parse(register.html)).toMatchObject({
    rp: { id: "localhost", name: "Centavo" },
    authenticatorSelection: { userVerification: "required", residentKey: "required" },
  });
  const browser = new Browser();
  await browser.ask("/console/passkeys/sign-in-options");
  const made = await browser.ask("/console/passkeys/sign-in", {
    json: { response: { id: "made-up", rawId: "made-up", type: "public-key", response: {} } },
  });
  expect(made.status).toBe(401);
});

/** A session's proof so many minutes ago. */
const proved = (minutes: number) => ({ secondFactorAt: Date.now() - minutes * MINUTE_MS });

/** The secret in an authenticator's address, as better-auth hashes it. */
async function storedSecret(uri: string): Promise<string> {
  const { base32 } = await import("@better-auth/utils/base32");
  return new TextDecoder().decode(base32.decode(new URL(uri).searchParams.get("secret")!));
}

it("a closed company admits nobody any more", async () => {
  const company = await givenCompany();
  expect((await visit(company, "/console/payments")).status).toBe(200);
  await env.DB.prepare("UPDATE companies SET closed_at = 1 WHERE id = ?").bind(company.id).run();
  const { status, html } = await visit(company, "/console/payments");
  expect(status).toBe(403);
  expect(html).not.toContain('class="list"');
});
