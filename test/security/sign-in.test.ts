import { describe, expect, it, vi } from "vitest";
import { RATE_LIMITS } from "../../src/http/rate-limits/policies.ts";
import { consoleApp } from "../../src/pages/console/app.tsx";
import { hashPassword } from "../../src/pages/console/people/passwords.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { env, givenCompany } from "../support/builders/companies/company.ts";
import { Browser } from "../support/builders/console/browser.ts";
import {
  givenSignInLimits,
  HOME_ADDRESS,
  SIGN_IN,
} from "../support/builders/console/limited-sign-in.ts";
import {
  givenPerson,
  givenSession,
  PASSWORD,
  RECOVERY_CODES,
} from "../support/builders/console/people.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { countingLimiters } from "../support/fakes/rate-limiters.ts";
import { countRoundTrips } from "../support/probes/database/round-trips.ts";

const KIB = 1_024;
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const VERIFY = "/console/webhooks/verify";
const fields = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=x`).join("&");

describe("a form without a session", () => {
  const posts = consoleApp.routes.filter(({ method }) => method === "POST");
  const routes = [...new Set(posts.map(({ path }) => path.replaceAll(/:\w+/g, "1")))];

  it("is posted to every route of the console, the debugger's and the statement's among them", () => {
    expect(routes.length).toBeGreaterThan(80);
    expect(routes).toContain(VERIFY);
    expect(routes).toContain("/console/statement/verify");
  });

  it.each(routes)(
    "of 200 fields or 64 KiB is the most for %s, and a larger one is not read",
    async (path) => {
      const reads = vi.spyOn(Request.prototype, "formData");
      const parses = vi.spyOn(Response.prototype, "formData");
      for (const body of [fields(201), "x".repeat(64 * KIB + 1)]) {
        const trips = countRoundTrips(env);
        const { status } = await new Browser().ask(path, { body, headers: FORM, env: trips.env });
        expect(status).toBe(413);
        expect(trips.lap().trips).toEqual([]);
      }
      expect([reads.mock.calls.length, parses.mock.calls.length]).toEqual([0, 0]);
      vi.restoreAllMocks();
    },
  );

  it("of 201 parts is refused as well, whatever their case", async () => {
    const parts = Array.from(
      { length: 201 },
      (_, i) => `--b\r\ncOnTeNt-DiSpOsItIoN: form-data; name="f${i}"\r\n\r\nx\r\n`,
    );
    const headers = { "Content-Type": "multipart/form-data; boundary=b" };
    const body = `${parts.join("")}--b--\r\n`;
    expect((await new Browser().ask("/console/sign-in", { body, headers })).status).toBe(413);
  });

  it("of 200 fields is read", async () => {
    const body = `email=a@example.com&password=x&${fields(198)}`;
    expect((await new Browser().ask("/console/sign-in", { body, headers: FORM })).status).toBe(401);
  });

  it("is no larger with a session whose second factor is not proved, nor with a forged one", async () => {
    const company = await givenCompany();
    const waiting = await givenSession(company, "owner", { secondFactorAt: null });
    for (const cookie of [waiting, "centavo.session_token=forged.c2lnbmF0dXJl"]) {
      const body = `body=${"x".repeat(100 * KIB)}`;
      const { status } = await new Browser(cookie).ask(VERIFY, { body, headers: FORM });
      expect(status).toBe(413);
    }
  });
});

describe("a form with a session", () => {
  it("of the debugger is up to 4 MiB large, of 200 fields at most", async () => {
    const browser = new Browser(await givenSession(await givenCompany(), "owner"));
    const large = `headers=%7B%7D&body=${"x".repeat(900 * KIB)}`;
    expect((await browser.ask(VERIFY, { body: large, headers: FORM })).status).not.toBe(413);
    const many = await browser.ask(VERIFY, { body: fields(201), headers: FORM });
    expect(many.status).toBe(413);
    const larger = await browser.ask("/console/keys", { body: large, headers: FORM });
    expect(larger.status).toBe(413);
  });

  it("carries a statement with more ampersands than a form may have fields", async () => {
    const browser = new Browser(await givenSession(await givenCompany(), "owner"));
    const body = new FormData();
    body.set("file", new File(["a & b\n".repeat(20_000)], "proof.csv", { type: "text/csv" }));
    const answer = await browser.ask("/console/statement/verify", { body });
    expect(answer.status).toBe(200);
    expect(answer.html).toContain("notice bad");
  });
});

describe("requests of one address", () => {
  const from = { "CF-Connecting-IP": HOME_ADDRESS };

  it.each(["/console", "/console/sign-in", "/console/assets/console.css", "/console/nothing"])(
    "to %s are limited before anything is read",
    async (path) => {
      const { bindings, use } = countingLimiters(new TestClock());
      use(RATE_LIMITS.console, HOME_ADDRESS, RATE_LIMITS.console.quota);
      const trips = countRoundTrips({ ...env, ...bindings });
      const answer = await new Browser().ask(path, { headers: from, env: trips.env });
      expect(answer.status).toBe(429);
      expect(answer.html).toContain("Tentativas demais");
      expect(answer.headers.get("Retry-After")).toBe("60");
      expect(answer.headers.get("RateLimit")).toBe('"console";r=0;t=60');
      expect(trips.lap().trips).toEqual([]);
    },
  );

  it.each(["/checkout/x", "/checkout/x/return", "/l/x"])("to %s are limited too", async (path) => {
    const { bindings, use } = countingLimiters(new TestClock());
    use(RATE_LIMITS.publicRoutes, HOME_ADDRESS, RATE_LIMITS.publicRoutes.quota);
    const limited = { ...env, ...bindings };
    expect((await new Browser().ask(path, { headers: from, env: limited })).status).toBe(429);
  });
});

const { signIns, signInAddress, knownDevice } = RATE_LIMITS;

describe("passwords", () => {
  it("from one address are refused beyond its limit, for whatever e-mail and before any is looked for", async () => {
    const { email } = await givenPerson(await givenCompany(), "viewer");
    const { env: limited, use, counted } = givenSignInLimits();
    use(signInAddress, HOME_ADDRESS, signInAddress.quota);
    const trips = countRoundTrips(limited);
    const answer = await new Browser().ask(SIGN_IN, {
      form: { email, password: PASSWORD },
      headers: { "CF-Connecting-IP": HOME_ADDRESS },
      env: trips.env,
    });
    expect(answer.status).toBe(429);
    expect(trips.lap().trips).toEqual([]);
    expect(counted.filter((one) => one.startsWith(signIns.binding))).toEqual([]);
  });

  it("for one e-mail are refused beyond its limit before the hash is read", async () => {
    const { email } = await givenPerson(await givenCompany(), "viewer");
    const { env: limited, use } = givenSignInLimits();
    use(signIns, await sha256Hex(email), signIns.quota);
    const trips = countRoundTrips(limited);
    const form = { email, password: PASSWORD };
    const answer = await new Browser().ask(SIGN_IN, { form, env: trips.env });
    expect(answer.status).toBe(429);
    expect(trips.lap().trips.filter((sql) => sql.includes("accounts"))).toEqual([]);
  });

  it("of strangers shut nobody out of a browser in which the person signed in before", async () => {
    const { email } = await givenPerson(await givenCompany(), "viewer");
    const { signIn, use, clock } = givenSignInLimits();
    const known = new Browser();
    expect((await signIn(known, email)).status).toBe(303);
    await known.ask("/console/sign-out", { form: {} });
    clock.advance(60_000);
    for (let wrong = 1; wrong <= signIns.quota; wrong++) {
      const stranger = await signIn(new Browser(), email, "wrong password", "198.51.100.9");
      expect(stranger.status).toBe(401);
    }
    use(signInAddress, HOME_ADDRESS, signInAddress.quota);
    expect((await signIn(new Browser(), email, PASSWORD, "192.0.2.1")).status).toBe(429);
    expect((await signIn(known, email)).status).toBe(303);
  });

  it("in a known browser have a limit of their own, and count for nobody else's", async () => {
    const { email } = await givenPerson(await givenCompany(), "viewer");
    const { signIn, counted } = givenSignInLimits();
    const known = new Browser();
    await signIn(known, email);
    counted.length = 0;
    for (let wrong = 1; wrong <= knownDevice.quota; wrong++) {
      expect((await signIn(known, email, "wrong password")).status).toBe(401);
    }
    expect((await signIn(known, email)).status).toBe(429);
    const others = [signIns.binding, signInAddress.binding];
    const keys = counted.filter((key) => others.some((binding) => key.startsWith(`${binding} `)));
    // What is noted of a lock has a limit, too.
    expect(keys.filter((key) => !key.includes(" locked:"))).toEqual([]);
    expect((await signIn(new Browser(), email)).status).toBe(303);
  });

  it("make no browser known while the second factor is missing", async () => {
    const person = await givenPerson(await givenCompany(), "owner", { hasAuthenticator: true });
    const { signIn } = givenSignInLimits();
    const browser = new Browser();
    const half = await signIn(browser, person.email);
    expect(half.headers.getSetCookie().join()).not.toContain("device");
    const form = { code: RECOVERY_CODES[0]! };
    const whole = await browser.ask(`${SIGN_IN}/code`, { form });
    expect(whole.headers.getSetCookie().join()).toContain("centavo.device");
  });
});

const deviceOf = (page: { headers: Headers }) =>
  page.headers.getSetCookie().find((cookie) => cookie.startsWith("centavo.device"))!;

describe("the cookie of a known browser", () => {
  it("is signed, bound to the person, HttpOnly, for the console only, and half a year long", async () => {
    const { email } = await givenPerson(await givenCompany(), "viewer");
    const { signIn } = givenSignInLimits();
    const cookie = deviceOf(await signIn(new Browser(), email));
    for (const part of ["Path=/console", "HttpOnly", "SameSite=Lax", "Max-Age=15552000"]) {
      expect(cookie).toContain(part);
    }
    expect(cookie).not.toContain(email);
  });

  it("opens nothing, and neither forged nor another person's helps", async () => {
    const company = await givenCompany();
    const [ana, bia] = [await givenPerson(company, "viewer"), await givenPerson(company, "viewer")];
    const { signIn, use } = givenSignInLimits();
    const [ofAna, ofBia] = [
      deviceOf(await signIn(new Browser(), ana.email)),
      deviceOf(await signIn(new Browser(), bia.email)),
    ];
    expect((await new Browser(ofAna).ask("/console/account")).status).toBe(303);
    use(signIns, await sha256Hex(ana.email), signIns.quota);
    const [name, value] = ofAna.split(";")[0]!.split("=") as [string, string];
    const valueOfBia = ofBia.split(";")[0]!.split("=")[1]!;
    for (const forged of [
      `${name}=${valueOfBia}`,
      `${name}=${value.slice(0, -10)}AAAAAAA%3D`,
      `${name}=${value.replace(/device%3A[\w-]+/, "device%3Aother")}`,
    ]) {
      expect((await signIn(new Browser(forged), ana.email)).status, forged).toBe(429);
    }
    expect((await signIn(new Browser(ofAna), ana.email)).status).toBe(303);
  });

  it("is forgotten with the password, also in the browser that took it along", async () => {
    const { userId, email } = await givenPerson(await givenCompany(), "viewer");
    const { signIn, use } = givenSignInLimits();
    const thief = new Browser();
    const person = new Browser();
    await signIn(thief, email);
    await signIn(person, email);
    const changed = "another long password";
    const form = { current: PASSWORD, new: changed };
    expect((await person.ask("/console/account/password", { form })).status).toBe(303);
    use(signIns, await sha256Hex(email), signIns.quota);
    expect((await signIn(thief, email, changed)).status).toBe(429);
    expect((await signIn(person, email, changed)).status).toBe(303);
    const later = await hashPassword("a third long password");
    await env.DB.prepare("UPDATE accounts SET password = ? WHERE user_id = ?")
      .bind(later, userId)
      .run();
    expect((await signIn(person, email, "a third long password")).status).toBe(429);
  });
});
