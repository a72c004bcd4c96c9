import { expect, it, vi } from "vitest";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import {
  givenCounter,
  givenPin,
  typePin,
  type TestCounter,
} from "../../../../../support/builders/console/counter.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenSession } from "../../../../../support/builders/console/people.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { withD1 } from "../../../../../support/faults/faulty-env.ts";
import { TestClock } from "../../../../../support/fakes/clock.ts";
import { countingLimiters } from "../../../../../support/fakes/rate-limiters.ts";
import { RATE_LIMITS } from "../../../../../../src/http/rate-limits/policies.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const COUNTER = "/console/cashier";
const PIN_PAD = "/console/cashier/device";
const HOUR_MS = 3_600_000;

const location = ({ headers }: { headers: Headers }) => headers.get("Location");

/** A counter, and a cashier with the PIN 2580. */
async function givenCashier(): Promise<{
  company: TestCompany;
  counter: TestCounter;
  cashier: string;
}> {
  const company = await givenCompany();
  const cashier = await givenPin(company, "cashier", "2580");
  return { company, counter: await givenCounter(company), cashier };
}

async function trailOf(company: TestCompany): Promise<string[]> {
  const { items } = (await call("/api/v1/audit?limit=100", { company })).body;
  return items.map(({ action }: { action: string }) => action);
}

async function chargeAt({ browser }: TestCounter, amount: string): Promise<string> {
  await browser.ask(`${COUNTER}/open`, { form: {} });
  const form = { amount, idempotencyKey: crypto.randomUUID() };
  return location(await browser.ask(`${COUNTER}/charges`, { form })) ?? "";
}

it("a browser that becomes a counter opens the counter only, and its owner's session ends", async () => {
  const company = await givenCompany();
  const session = await givenSession(company, "owner");
  const browser = new Browser(session);
  const made = await browser.ask("/console/team/devices", { form: { device: "Balcão 1" } });
  expect(location(made)).toBe(PIN_PAD);
  expect(location(await new Browser(session).ask("/console"))).toBe("/console/sign-in");
  const { status, html } = await browser.ask(PIN_PAD);
  expectClean(html);
  expect([status, html.includes("Ninguém tem um PIN ainda.")]).toEqual([200, true]);
  expect(location(await browser.ask(COUNTER))).toBe(PIN_PAD);
  const team = await visit(company, "/console/team");
  expect(team.html).toContain("Balcão 1");
  expect(await trailOf(company)).toContain("cashier_device.create");
});

it("a counter opens no other screen, not even with the session of somebody who is signed in", async () => {
  const { company, counter, cashier } = await givenCashier();
  await typePin(counter, cashier, "2580");
  const session = await givenSession(company, "owner");
  const headers = { Cookie: `${counter.cookie}; ${session}` };
  for (const path of [
    "/console",
    "/console/payments",
    "/console/statement",
    "/console/team",
    "/console/account",
    "/console/withdraws",
    "/console/sign-in",
    "/console/live",
    "/console/cashiers",
  ]) {
    expect(location(await counter.browser.ask(path, { headers })), path).toBe(COUNTER);
  }
  for (const path of ["/console/sign-in", "/console/team/invitations", "/console/account/pin"]) {
    const posted = await counter.browser.ask(path, { headers, form: { pin: "4711" } });
    expect(posted.status, path).toBe(403);
  }
});

it("a PIN opens the counter for its person, as a cashier whatever his role, and each charge says who made it", async () => {
  const { company, counter, cashier } = await givenCashier();
  const owner = await givenPin(company, "owner", "4711");
  const wrong = await typePin(counter, cashier, "2581");
  expect([wrong.status, wrong.html.includes("Tentativas que restam: 4.")]).toEqual([401, true]);
  expect(location(await typePin(counter, cashier, "2580"))).toBe(COUNTER);
  const first = await chargeAt(counter, "25,00");
  const switched = await counter.browser.ask(`${PIN_PAD}/leave`, { form: {} });
  expect(location(switched)).toBe(PIN_PAD);
  expect(location(await counter.browser.ask(first))).toBe(PIN_PAD);
  expect(location(await typePin(counter, owner, "4711"))).toBe(COUNTER);
  const second = await chargeAt(counter, "10,00");
  // The cashier's charge is no page of the next one's.
  expect((await counter.browser.ask(first)).status).toBe(404);
  for (const [path, person] of [
    [first, cashier],
    [second, owner],
  ] as const) {
    const id = path.split("/").at(-1) ?? "";
    const { metadata } = (await call(`/api/v1/transactions/${id}`, { company })).body.data;
    expect(JSON.parse(metadata).cashier).toMatchObject({
      id: `person_${person}`,
      device: "Balcão 1",
    });
  }
  const actions = await trailOf(company);
  expect(actions.filter((action) => action.startsWith("cashier.")).toSorted()).toEqual([
    "cashier.begin",
    "cashier.begin",
    "cashier.begin.refused",
    "cashier.end",
  ]);
});

it("a right PIN must be in the trail before it opens the counter", async () => {
  const { counter, cashier } = await givenCashier();
  const failing = withD1(env, (label, run) =>
    label.includes("audit_entries") ? Promise.reject(new Error("the trail is away")) : run(),
  );
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const form = { person: cashier, pin: "2580" };
  const answer = await counter.browser.ask(PIN_PAD, { form, env: failing });
  logged.mockRestore();
  expect(answer.status).toBe(500);
  expect(location(await counter.browser.ask(COUNTER))).toBe(PIN_PAD);
});

it("a form that was shown to one cashier does nothing for the next", async () => {
  const { company, counter, cashier } = await givenCashier();
  const owner = await givenPin(company, "owner", "4711");
  await typePin(counter, cashier, "2580");
  await counter.browser.ask(`${COUNTER}/open`, { form: {} });
  const { html } = await counter.browser.ask(COUNTER);
  const shownCompany = /name="shownCompany" value="([^"]+)"/.exec(html)?.[1] ?? "";
  await typePin(counter, owner, "4711");
  await counter.browser.ask(`${COUNTER}/open`, { form: {} });
  const form = { shownCompany, amount: "25,00", idempotencyKey: crypto.randomUUID() };
  const stale = await counter.browser.ask(`${COUNTER}/charges`, { form });
  expect([stale.status, stale.html.includes("Outra pessoa está no caixa agora")]).toEqual([
    409,
    true,
  ]);
  expect((await call("/api/v1/transactions", { company })).body.items).toEqual([]);
});

it("the fifth wrong PIN in a row locks it, and a new one unlocks", async () => {
  const { company, counter, cashier } = await givenCashier();
  const tries = [];
  for (let each = 0; each < 5; each += 1) tries.push(await typePin(counter, cashier, "9173"));
  expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  const locked = await typePin(counter, cashier, "2580");
  expect([locked.status, locked.html.includes("Este PIN está bloqueado")]).toEqual([401, true]);
  expect(await trailOf(company)).toContain("cashier.begin.locked");
  await givenPin(company, "cashier", "7391");
  expect(location(await typePin(counter, cashier, "7391"))).toBe(COUNTER);
});

it("tries at once are no more than tries one by one", async () => {
  const { company, counter, cashier } = await givenCashier();
  await Promise.all(Array.from({ length: 8 }, () => typePin(counter, cashier, "9173")));
  const actions = await trailOf(company);
  expect(actions.filter((action) => action.startsWith("cashier.begin"))).toHaveLength(5);
  expect((await typePin(counter, cashier, "2580")).status).toBe(401);
});

it("TOO_MANY_REQUESTS: beyond the limit of a browser a PIN is no try", async () => {
  const { company, counter, cashier } = await givenCashier();
  const clock = new TestClock();
  const { bindings, use } = countingLimiters(clock);
  const device = await env.DB.prepare("SELECT id FROM cashier_devices WHERE company_id = ?")
    .bind(company.id)
    .first<string>("id");
  use(RATE_LIMITS.knownDevice, device ?? "", RATE_LIMITS.knownDevice.quota);
  const type = (pin: string) =>
    counter.browser.ask(PIN_PAD, {
      form: { person: cashier, pin },
      env: { ...env, ...bindings },
      deps: { platformClock: clock },
    });
  expect((await type("2580")).status).toBe(429);
  clock.advance(RATE_LIMITS.knownDevice.windowSeconds * 1_000);
  const wrong = await type("9173");
  expect([wrong.status, wrong.html.includes("Tentativas que restam: 4.")]).toEqual([401, true]);
});

it("the tenth wrong PIN in a row, of whomever, ends the counter", async () => {
  const { company, counter, cashier } = await givenCashier();
  const owner = await givenPin(company, "owner", "4711");
  const support = await givenPin(company, "support", "8642");
  for (const person of [cashier, owner]) {
    for (let each = 0; each < 4; each += 1) await typePin(counter, person, "9173");
  }
  await typePin(counter, support, "9173");
  expect(location(await typePin(counter, support, "9173"))).toBe("/console/sign-in");
  expect(location(await counter.browser.ask(COUNTER))).toContain("/console/sign-in");
  expect((await typePin(counter, support, "8642")).headers.get("Location")).toBe(COUNTER);
  const { items } = (await call("/api/v1/audit?limit=100", { company })).body;
  expect(items.at(-1)).toMatchObject({
    actor: { kind: "task", name: "cashier-pin" },
    action: "cashier_device.revoke",
    after: { name: expect.any(String) },
    reason: "PINS_REFUSED",
  });
});

it("a counter's end must be in the trail before it ends", async () => {
  const { company, counter } = await givenCashier();
  const team = await visit(company, "/console/team");
  const path = /action="(\/console\/team\/devices\/[^"]+\/revoke)"/.exec(team.html)?.[1] ?? "";
  const failing = withD1(env, (label, run) =>
    label.includes("audit_entries") ? Promise.reject(new Error("the trail is away")) : run(),
  );
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const answer = await visit(company, path, { form: {}, env: failing });
  logged.mockRestore();
  expect(answer.status).toBe(500);
  expect(location(await counter.browser.ask(COUNTER))).toBe(PIN_PAD);
});

it("what is no PIN is no try, and nobody's PIN opens for a made-up person", async () => {
  const { company, counter, cashier } = await givenCashier();
  for (const pin of ["", "12", "abcd"]) {
    expect((await typePin(counter, cashier, pin)).status).toBe(400);
  }
  expect((await typePin(counter, "test_nobody", "2580")).status).toBe(400);
  expect(await trailOf(company)).not.toContain("cashier.begin.refused");
});

it("a counter that was ended under team leads to the sign-in, and another company ends none", async () => {
  const { company, counter, cashier } = await givenCashier();
  await typePin(counter, cashier, "2580");
  const team = await visit(company, "/console/team");
  expectClean(team.html);
  const path = /action="(\/console\/team\/devices\/[^"]+\/revoke)"/.exec(team.html)?.[1] ?? "";
  expect((await visit(await givenCompany(), path, { form: {} })).status).toBe(404);
  expect((await counter.browser.ask(COUNTER)).status).toBe(200);
  const ended = await visit(company, path, { form: {} });
  expect(location(ended)).toBe("/console/team?done=deviceEnded");
  expect(location(await counter.browser.ask(COUNTER))).toContain("/console/sign-in");
});

it("a person without his PIN, or without his role, is off the counter at once", async () => {
  const { company, counter, cashier } = await givenCashier();
  await typePin(counter, cashier, "2580");
  const reset = await visit(company, `/console/team/people/${cashier}/pin/remove`, { form: {} });
  expect(location(reset)).toBe("/console/team?done=pinRemoved");
  expect(location(await counter.browser.ask(COUNTER))).toBe(PIN_PAD);
  await givenPin(company, "cashier", "7391");
  await typePin(counter, cashier, "7391");
  expect((await counter.browser.ask(COUNTER)).status).toBe(200);
  await visit(company, `/console/team/people/${cashier}/remove`, { form: {} });
  expect(location(await counter.browser.ask(COUNTER))).toBe(PIN_PAD);
  // Invited again, he chooses another PIN.
  await env.DB.prepare("UPDATE memberships SET removed_at = NULL WHERE user_id = ?")
    .bind(cashier)
    .run();
  expect((await typePin(counter, cashier, "7391")).status).toBe(400);
});

it("a PIN opens the counter for a working day", async () => {
  const { counter, cashier } = await givenCashier();
  await typePin(counter, cashier, "2580");
  const clock = new TestClock();
  clock.advance(11 * HOUR_MS);
  expect((await counter.browser.ask(COUNTER, { deps: { platformClock: clock } })).status).toBe(200);
  clock.advance(2 * HOUR_MS);
  expect(location(await counter.browser.ask(COUNTER, { deps: { platformClock: clock } }))).toBe(
    PIN_PAD,
  );
});

it("who manages people ends the counter where it stands, and a cashier does not", async () => {
  const { company, counter, cashier } = await givenCashier();
  await typePin(counter, cashier, "2580");
  expect((await counter.browser.ask(`${PIN_PAD}/end`, { form: {} })).status).toBe(403);
  const admin = await givenPin(company, "admin", "4711");
  await typePin(counter, admin, "4711");
  const ended = await counter.browser.ask(`${PIN_PAD}/end`, { form: {} });
  expect(location(ended)).toBe("/console/sign-in");
  const again = new Browser(counter.cookie);
  expect(location(await again.ask(COUNTER))).toContain("/console/sign-in");
});

it("a forged counter is none", async () => {
  const { company } = await givenCashier();
  const headers = {
    Cookie: `centavo.counter=${crypto.randomUUID()}.${"A".repeat(43)}%3D; ${await givenSession(company, "owner")}`,
  };
  expect((await new Browser().ask("/console/payments", { headers })).status).toBe(200);
});

it("a PIN that others would guess is refused and changes nothing", async () => {
  const { company, counter, cashier } = await givenCashier();
  for (const pin of ["1234", "0000", "12", "1234567"]) {
    const { status, html } = await visit(company, "/console/account/pin", {
      role: "cashier",
      form: { pin },
    });
    expectClean(html);
    expect([status, html.includes("O PIN não serve.")]).toEqual([400, true]);
  }
  expect(location(await typePin(counter, cashier, "2580"))).toBe(COUNTER);
});

it("a counter has a name", async () => {
  const company = await givenCompany();
  for (const device of ["", " ", "x".repeat(41)]) {
    const refused = await visit(company, "/console/team/devices", { form: { device } });
    expect(location(refused)).toBe("/console/team?device=unnamed");
  }
  const { html } = await visit(company, "/console/team?device=unnamed");
  expect(html).toContain("Dê um nome de até 40 letras.");
});
