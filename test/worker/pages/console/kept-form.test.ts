import { createOTP } from "@better-auth/utils/otp";
import { expect, it } from "vitest";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { Browser, type Page } from "../../../support/builders/console/browser.ts";
import { expectClean } from "../../../support/builders/console/page-checks.ts";
import {
  beginSession,
  givenPerson,
  joinCompany,
  TOTP_SECRET,
} from "../../../support/builders/console/people.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";

const MINUTE_MS = 60_000;
const PATH = "/console/settings/retention";
const FORM = { idempotencyKey: "k_kept", retentionDays: "1234" };

const stale = () => ({ secondFactorAt: Date.now() - 6 * MINUTE_MS });
const keptIn = ({ html }: Page) => /name="keptForm" value="([^"]+)"/.exec(html)?.[1] ?? "";
const code = () => createOTP(TOTP_SECRET).totp();

async function givenStale(company: TestCompany) {
  const { userId } = await givenPerson(company, "owner", { hasAuthenticator: true });
  return { userId, browser: new Browser(await beginSession(userId, stale())) };
}

const retentionOf = async (company: TestCompany) =>
  (await call("/api/v1/company/settings", { company })).body.retentionDays;

it("a form sent late waits for the second factor, then does what it says, with nothing typed in an address", async () => {
  const company = await givenCompany();
  const { browser } = await givenStale(company);
  const asked = await browser.ask(PATH, { form: FORM });
  expect(asked.status).toBe(401);
  expectClean(asked.html);
  expect(asked.html).toContain("O que você digitou está guardado");
  expect(asked.html).not.toContain("1234");
  expect(await retentionOf(company)).toBeNull();
  const wrong = await browser.ask("/console/confirm", {
    form: { keptForm: keptIn(asked), code: "000000" },
  });
  expect(wrong.status).toBe(401);
  const form = { keptForm: keptIn(wrong), code: await code() };
  const proved = await browser.ask("/console/confirm", { form });
  expect([proved.status, proved.headers.get("Location")]).toEqual([307, PATH]);
  // A browser sends the same form on after 307.
  const done = await browser.ask(PATH, { form });
  expect([done.status, done.headers.get("Location")]).toEqual([
    303,
    "/console/settings?done=retention",
  ]);
  expect(await retentionOf(company)).toBe(1234);
});

const fresh = async (who: string) => new Browser(await beginSession(who, {}));

it("a kept form acts for no other person, path, company or time, and no forged one", async () => {
  const [company, other] = [await givenCompany(), await givenCompany()];
  const { userId, browser } = await givenStale(company);
  const keptForm = keptIn(await browser.ask(PATH, { form: FORM }));
  await joinCompany(userId, other, "owner");
  const clock = new TestClock();
  clock.advance(11 * MINUTE_MS);
  const { userId: stranger } = await givenPerson(company, "owner", { hasAuthenticator: true });
  const answers = [
    await (await fresh(stranger)).ask(PATH, { form: { keptForm } }),
    await (await fresh(userId)).ask("/console/settings/brand", { form: { keptForm } }),
    await (
      await fresh(userId)
    ).ask(PATH, {
      form: { keptForm },
      headers: {
        Cookie: `${await beginSession(userId, {})}; centavo_company=${other.id}`,
      },
    }),
    await new Browser(await beginSession(userId, { secondFactorAt: clock.now() })).ask(PATH, {
      form: { keptForm },
      deps: { platformClock: clock },
    }),
    await (await fresh(userId)).ask(PATH, { form: { keptForm: `${keptForm.slice(0, -4)}AAAA` } }),
  ];
  for (const { status, headers } of answers) {
    expect([status, headers.get("Location")]).toEqual([303, "/console"]);
  }
  expect([await retentionOf(company), await retentionOf(other)]).toEqual([null, null]);
  const right = await (await fresh(userId)).ask(PATH, { form: { keptForm } });
  expect(right.headers.get("Location")).toBe("/console/settings?done=retention");
});

it("a document that was searched is still in no address, and found after the second factor", async () => {
  const company = await givenCompany();
  const document = "52998224725";
  const customer = { name: "Maria Procurada", document: { number: document } };
  await givenTransaction(company, { customer });
  const { browser } = await givenStale(company);
  const asked = await browser.ask("/console/find", { form: { q: document } });
  expect(asked.status).toBe(401);
  expect(asked.html).not.toContain(document);
  const form = { keptForm: keptIn(asked), code: await code() };
  const proved = await browser.ask("/console/confirm", { form });
  expect(proved.headers.get("Location")).toBe("/console/find");
  expect((await browser.ask("/console/find", { form })).html).toContain("Maria Procurada");
});

it("a form that is too long to keep leads back to its page", async () => {
  const { browser } = await givenStale(await givenCompany());
  const form = { ...FORM, long: "x".repeat(33 * 1_024) };
  const { status, headers } = await browser.ask(PATH, { form });
  expect(status).toBe(303);
  expect(headers.get("Location")).toBe("/console/confirm?next=%2Fconsole");
});
