import { describe, expect, it, vi } from "vitest";
import { RATE_LIMITS } from "../../src/http/rate-limits/policies.ts";
import { consoleApp } from "../../src/pages/console/app.tsx";
import { env, givenCompany } from "../support/builders/companies/company.ts";
import { Browser } from "../support/builders/console/browser.ts";
import { givenSession } from "../support/builders/console/people.ts";
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
  const ADDRESS = "203.0.113.7";
  const from = { "CF-Connecting-IP": ADDRESS };

  it.each(["/console", "/console/sign-in", "/console/assets/console.css", "/console/nothing"])(
    "to %s are limited before anything is read",
    async (path) => {
      const { bindings, use } = countingLimiters(new TestClock());
      use(RATE_LIMITS.console, ADDRESS, RATE_LIMITS.console.quota);
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
    use(RATE_LIMITS.publicRoutes, ADDRESS, RATE_LIMITS.publicRoutes.quota);
    const limited = { ...env, ...bindings };
    expect((await new Browser().ask(path, { headers: from, env: limited })).status).toBe(429);
  });
});
