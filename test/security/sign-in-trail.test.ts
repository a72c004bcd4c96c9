import { describe, expect, it, vi } from "vitest";
import { GATEWAY_TRAIL } from "../../src/domain/access/audit-entry.ts";
import { RATE_LIMITS } from "../../src/http/rate-limits/policies.ts";
import { hashPassword } from "../../src/pages/console/people/passwords.ts";
import { env, givenCompany } from "../support/builders/companies/company.ts";
import { Browser } from "../support/builders/console/browser.ts";
import { givenSignInLimits, SIGN_IN } from "../support/builders/console/limited-sign-in.ts";
import {
  givenOperatorPerson,
  givenPerson,
  joinCompany,
  PASSWORD,
  RECOVERY_CODES,
} from "../support/builders/console/people.ts";
import { withD1 } from "../support/faults/faulty-env.ts";
import { auditEntriesOf } from "../support/probes/database/audit-rows.ts";
import { countRoundTrips } from "../support/probes/database/round-trips.ts";
import { eventually } from "../support/probes/until.ts";

const { signIns } = RATE_LIMITS;

/** The sign-ins of a trail for one person, or all of it. */
const signInsOf = async (trail: number, userId?: string) => {
  const entries = await auditEntriesOf(trail);
  return entries
    .filter(({ action }) => action.startsWith("session.begin"))
    .filter(
      ({ target, actor }) => userId === undefined || `${target} ${actor.id}`.includes(userId),
    );
};

const refused = (attempts: number) => ["session.begin.refused", { attempts }, "PASSWORD_REFUSED"];

describe("the audit trail", () => {
  it("of each company has a person's sign-in, with how and from where", async () => {
    const [first, second] = [await givenCompany(), await givenCompany()];
    const { userId, email } = await givenPerson(first, "viewer");
    await joinCompany(userId, second, "viewer");
    const { signIn } = givenSignInLimits();
    await signIn(new Browser(), email);
    for (const { id } of [first, second]) {
      expect(await signInsOf(id)).toMatchObject([
        {
          action: "session.begin",
          actor: { kind: "person", id: `person_${userId}`, name: "Ana" },
          address: "203.0.113.7",
          after: { method: "password" },
        },
      ]);
    }
  });

  it("has a code's sign-in and its refusals", async () => {
    const company = await givenCompany();
    const { email } = await givenPerson(company, "owner", { hasAuthenticator: true });
    const browser = new Browser();
    await browser.ask(SIGN_IN, { form: { email, password: PASSWORD } });
    expect(await signInsOf(company.id)).toEqual([]);
    await browser.ask(`${SIGN_IN}/code`, { form: { code: "000000" } });
    await eventually(async () => (await signInsOf(company.id)).length === 1);
    await browser.ask(`${SIGN_IN}/code`, { form: { code: RECOVERY_CODES[0]! } });
    expect(await signInsOf(company.id)).toMatchObject([
      {
        action: "session.begin.refused",
        actor: { kind: "task", name: "sign-in" },
        reason: "CODE_REFUSED",
      },
      { action: "session.begin", after: { method: "code" } },
    ]);
  });

  it("has the refusal of a passkey that the person has, and of no other", async () => {
    const company = await givenCompany();
    const { userId } = await givenPerson(company, "viewer");
    await env.DB.prepare(
      `INSERT INTO passkeys (id, user_id, public_key, credential_id, counter, device_type, backed_up)
       VALUES (?1, ?1, 'key', ?1, 0, 'singleDevice', 0)`,
    )
      .bind(userId)
      .run();
    for (const id of ["made-up", null, 5, userId]) {
      const json = { response: { id, rawId: id, type: "public-key", response: {} } };
      const { status } = await new Browser().ask("/console/passkeys/sign-in", { json });
      expect(status).toBe(401);
    }
    await eventually(async () => (await signInsOf(company.id)).length > 0);
    expect(await signInsOf(company.id)).toMatchObject([
      { action: "session.begin.refused", reason: "PASSKEY_REFUSED", target: `person:${userId}` },
    ]);
  });

  it("of the gateway has an operator's sign-ins, refusals and what he does to his way in", async () => {
    const { userId, clientId, email } = await givenOperatorPerson("read");
    await env.DB.prepare(
      `INSERT INTO accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
       VALUES (?1, ?1, ?1, 'credential', ?2, 0, 0)`,
    )
      .bind(userId, await hashPassword(PASSWORD))
      .run();
    await env.DB.prepare("UPDATE users SET two_factor_enabled = 0 WHERE id = ?").bind(userId).run();
    const browser = new Browser();
    await browser.ask(SIGN_IN, { form: { email, password: "wrong password" } });
    await eventually(async () => (await signInsOf(GATEWAY_TRAIL, userId)).length === 1);
    await browser.ask(SIGN_IN, { form: { email, password: PASSWORD } });
    await browser.ask("/console/sign-out", { form: {} });
    const entries = (await auditEntriesOf(GATEWAY_TRAIL)).filter(
      ({ actor, target }) => actor.id === clientId || target === `person:${userId}`,
    );
    expect(entries).toMatchObject([
      { action: "session.begin.refused", reason: "PASSWORD_REFUSED", target: `person:${userId}` },
      { action: "session.begin", actor: { kind: "operator", id: clientId } },
      { action: "session.end", actor: { kind: "operator", id: clientId } },
    ]);
  });

  it("grows by a few entries however often somebody else guesses, and has each lock once an hour", async () => {
    const company = await givenCompany();
    const { userId, email } = await givenPerson(company, "viewer");
    const { signIn, clock } = givenSignInLimits();
    const guess = () => signIn(new Browser(), email, "wrong password", "198.51.100.9");
    for (let wrong = 1; wrong <= 12; wrong++) {
      expect((await guess()).status).toBe(wrong <= signIns.quota ? 401 : 429);
    }
    const shown = async () =>
      (await signInsOf(company.id)).map(({ action, after, reason }) => [action, after, reason]);
    const locked = ["session.begin.locked", null, "TOO_MANY_PASSWORDS"];
    const countOf = (kind: string) =>
      env.DB.prepare("SELECT value FROM verifications WHERE id = ?")
        .bind(`refused-sign-in:${kind}:${userId}`)
        .first<string>("value");
    await eventually(
      async () =>
        (await countOf("refused")) === "10" &&
        (await countOf("TOO_MANY_PASSWORDS")) === "2" &&
        (await shown()).length >= 3,
    );
    const entries = await shown();
    expect(entries).toHaveLength(3);
    expect(entries).toEqual(expect.arrayContaining([locked, refused(1), refused(10)]));
    clock.advance(3_600_000);
    await guess();
    await eventually(async () => (await shown()).length === 4);
    expect((await shown()).at(-1)).toEqual(refused(1));
  });

  it("counts ten locks a minute, and does nothing for those beyond", async () => {
    const { userId, email } = await givenPerson(await givenCompany(), "viewer");
    const { signIn, clock } = givenSignInLimits();
    const guess = () => signIn(new Browser(), email, "wrong password", "198.51.100.9");
    const countOf = (kind: string) =>
      env.DB.prepare("SELECT value FROM verifications WHERE id = ?")
        .bind(`refused-sign-in:${kind}:${userId}`)
        .first<string>("value");
    for (let wrong = 1; wrong <= 2 * signIns.quota + 5; wrong++) await guess();
    clock.advance(60_000);
    // Its count is written after those of the locks before it.
    expect((await guess()).status).toBe(401);
    await eventually(async () => (await countOf("refused")) === `${signIns.quota + 1}`);
    await eventually(async () => (await countOf("TOO_MANY_PASSWORDS")) === `${signIns.quota}`);
  });

  it("says nothing of an unknown e-mail, whose refusal keeps no count either", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const looked = countRoundTrips();
    const form = { email, password: PASSWORD };
    await new Browser().ask(SIGN_IN, { form, env: looked.env });
    const trips: string[] = [];
    await eventually(() => {
      trips.push(...looked.lap().trips);
      return trips.some((sql) => sql.includes("memberships"));
    });
    // Longer than the look-up's next step would take.
    await auditEntriesOf(GATEWAY_TRAIL);
    trips.push(...looked.lap().trips);
    expect(trips.filter((sql) => /audit_entries|verifications/.test(sql))).toEqual([]);
  });

  it("is written after the answer, which waits for no refusal's entry", async () => {
    const { email } = await givenPerson(await givenCompany(), "viewer");
    const form = { email, password: "wrong password" };
    let isHeld = false;
    const held = withD1(env, (label, run) => {
      if (!label.includes("memberships")) return run();
      isHeld = true;
      return new Promise(() => undefined);
    });
    const answer = await new Browser().ask(SIGN_IN, { form, env: held });
    await eventually(() => isHeld);
    expect(answer.status).toBe(401);
  });

  it("must have a sign-in before anybody gets its session", async () => {
    const { userId, email } = await givenPerson(await givenCompany(), "viewer");
    const failing = withD1(env, (label, run) =>
      label.includes("audit_entries") ? Promise.reject(new Error("the trail is away")) : run(),
    );
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const form = { email, password: PASSWORD };
    const answer = await new Browser().ask(SIGN_IN, { form, env: failing });
    logged.mockRestore();
    expect(answer.status).toBe(500);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const open = env.DB.prepare("SELECT count(*) n FROM sessions WHERE user_id = ?");
    expect(await open.bind(userId).first("n")).toBe(0);
  });
});
