import { expect, it } from "vitest";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { HOUR_MS } from "../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { injectFault, withAccounts } from "../../../support/faults/faulty-env.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/company/settings";
const DAY_MS = 24 * HOUR_MS;

async function givenLimited() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 50_000, clock });
  const ask = (method: string, path = PATH, body?: unknown, as: TestCompany = company) =>
    call(path, {
      method,
      company: as,
      deps: { platformClock: clock },
      ...(body === undefined ? {} : { body }),
    });
  expect((await ask("PUT", PATH, { withdrawDailyLimit: 2_000 })).status).toBe(200);
  return { clock, company, ask };
}

const changingEvents = async (company: TestCompany) => {
  await waitUntilDrained(company);
  const { body } = await call("/api/v1/events?type=company.settings_changing", { company });
  return (body.items as { type: string; data: Record<string, unknown> }[]).filter(
    ({ type }) => type === "company.settings_changing",
  );
};

it("a loosened limit waits for a day beside the one that holds, then holds", async () => {
  const { clock, company, ask } = await givenLimited();

  const answer = await ask("PUT", PATH, { withdrawDailyLimit: 5_000 });

  expect(answer.status).toBe(202);
  await expectDocumented("PUT /api/v1/company/settings", answer);
  const pending = [
    {
      field: "withdrawDailyLimit",
      from: 2_000,
      to: 5_000,
      effectiveAt: new Date(clock.now() + DAY_MS).toISOString(),
    },
  ];
  expect(answer.body).toMatchObject({ withdrawDailyLimit: 2_000, pending });
  expect((await ask("GET")).body).toMatchObject({ withdrawDailyLimit: 2_000, pending });
  clock.advance(DAY_MS - 1);
  expect((await ask("GET")).body).toMatchObject({ withdrawDailyLimit: 2_000, pending });
  const options = { deps: { platformClock: clock } };
  expect((await requestWithdraw(company, { amount: 5_000 }, options)).status).toBe(422);

  clock.advance(1);

  expect((await ask("GET")).body).toMatchObject({ withdrawDailyLimit: 5_000, pending: [] });
  expect((await requestWithdraw(company, { amount: 5_000 }, options)).status).toBe(201);
  // The next change keeps what has come into effect.
  const next = await ask("PUT", PATH, { retentionDays: 365 });
  expect([next.status, next.body.withdrawDailyLimit]).toEqual([200, 5_000]);
});

it("a tightening in the same request holds at once, and forgets what waited for its field", async () => {
  const { ask } = await givenLimited();
  await ask("PUT", PATH, { withdrawDailyLimit: 5_000 });
  const both = await ask("PUT", PATH, {
    withdrawDailyLimit: 1_500,
    duplicateWithdrawGuard: true,
    allowedPixKeys: { coolDownHours: 1 },
  });
  expect(both.status).toBe(202);
  expect(both.body).toMatchObject({
    withdrawDailyLimit: 1_500,
    duplicateWithdrawGuard: true,
    allowedPixKeys: { coolDownHours: 24 },
  });
  expect(both.body.pending).toMatchObject([{ field: "allowedPixKeys.coolDownHours", to: 1 }]);
});

it("the cool-down of before counts, however long", async () => {
  const { clock, ask } = await givenLimited();
  await ask("PUT", PATH, { allowedPixKeys: { coolDownHours: 168 } });
  const { body } = await ask("PUT", PATH, {
    allowedPixKeys: { coolDownHours: 0 },
    withdrawDailyLimit: null,
    roleLimits: { support: { refundDailyLimit: null } },
  });
  for (const { effectiveAt } of body.pending) {
    expect(Date.parse(effectiveAt)).toBe(clock.now() + 168 * HOUR_MS);
  }
  expect(body.pending).toHaveLength(3);
  expect(body.roleLimits).toEqual({ support: { refundDailyLimit: 50_000 } });
});

it("the same value again keeps its time, another one begins anew", async () => {
  const { clock, ask } = await givenLimited();
  const first = await ask("PUT", PATH, { withdrawDailyLimit: 5_000 });
  clock.advance(HOUR_MS);
  const again = await ask("PUT", PATH, { withdrawDailyLimit: 5_000 });
  expect(again.body.pending).toEqual(first.body.pending);
  const other = await ask("PUT", PATH, { withdrawDailyLimit: 6_000 });
  expect(other.body.pending).toEqual([
    {
      field: "withdrawDailyLimit",
      from: 2_000,
      to: 6_000,
      effectiveAt: new Date(clock.now() + DAY_MS).toISOString(),
    },
  ]);
});

it("somebody else refuses it, and it never holds", async () => {
  const { clock, company, ask } = await givenLimited();
  await ask("PUT", PATH, { withdrawDailyLimit: null, withdrawNightLimit: 1_000 });
  const other = await givenApplication(company, { scopes: ["settings:write"] });
  const path = `${PATH}/pending/withdrawDailyLimit`;
  const refused = await ask("DELETE", path, undefined, other);
  expect(refused.status).toBe(200);
  await expectDocumented("DELETE /api/v1/company/settings/pending/{field}", refused);
  expect(refused.body).toMatchObject({ withdrawDailyLimit: 2_000, pending: [] });
  await expectProblem(await ask("DELETE", path), { status: 404, code: "NOT_FOUND" });
  clock.advance(2 * DAY_MS);
  expect((await ask("GET")).body.withdrawDailyLimit).toBe(2_000);
  const trail = await call("/api/v1/audit", { company });
  expect(trail.body.items.map(({ action }: { action: string }) => action)).toContain(
    "settings.refuse",
  );
});

it("an event announces it once, also after a repeat", async () => {
  const { company, ask } = await givenLimited();
  const { body } = await ask("PUT", PATH, { withdrawDailyLimit: 5_000 });
  await ask("PUT", PATH, { withdrawDailyLimit: 5_000 });
  const events = await changingEvents(company);
  expect(events).toHaveLength(1);
  expect(events[0]?.data).toEqual({
    companyId: company.id,
    applicationId: null,
    changes: body.pending,
    requestedBy: { kind: "application", id: company.clientId, name: "default" },
    previousStatus: null,
  });
});

it("what holds at once is announced to nobody", async () => {
  const { company, ask } = await givenLimited();
  const tighter = await ask("PUT", PATH, { withdrawDailyLimit: 1_000, retentionDays: 365 });
  expect([tighter.status, tighter.body.pending]).toEqual([200, []]);
  expect(await changingEvents(company)).toEqual([]);
});

it("a repeat announces what a crash after the write left out", async () => {
  const { clock, company, ask } = await givenLimited();
  const lost = injectFault({ on: /^announceSettingsChange$/, when: "before" });
  const request = {
    method: "PUT",
    company,
    body: { withdrawDailyLimit: 5_000 },
    deps: { platformClock: clock },
  };
  const crashed = await call(PATH, { ...request, env: withAccounts(env, lost.intercept) });
  expect(crashed.status).toBe(500);
  expect(await changingEvents(company)).toEqual([]);
  expect((await ask("PUT", PATH, { withdrawDailyLimit: 5_000 })).status).toBe(202);
  expect(await changingEvents(company)).toHaveLength(1);
});

it("an application's networks, spending limits and limit of refunds wait, and are announced with masked keys", async () => {
  const { clock, company, ask } = await givenLimited();
  const { body: made } = await ask("POST", "/api/v1/applications", {
    name: "erp",
    scopes: ["withdraws:read", "withdraws:write"],
    networks: ["192.0.2.0/24"],
    spendingLimits: { dailyLimit: 1_000, pixKeys: ["maria@example.com"], until: null },
    refundDailyLimit: 100,
  });
  const path = `/api/v1/applications/${made.data.id}`;
  const widened = await ask("PATCH", path, {
    networks: null,
    spendingLimits: {
      dailyLimit: 500,
      pixKeys: ["maria@example.com", "joao@example.com"],
      until: null,
    },
    refundDailyLimit: 200,
  });
  expect(widened.status).toBe(202);
  await expectDocumented("PATCH /api/v1/applications/{id}", widened);
  expect(widened.body.data).toMatchObject({
    networks: ["192.0.2.0/24"],
    spendingLimits: { dailyLimit: 500, pixKeys: ["maria@example.com"] },
    refundDailyLimit: 100,
  });
  const fields = widened.body.data.pending.map(({ field }: { field: string }) => field);
  expect(fields).toEqual(["networks", "spendingLimits", "refundDailyLimit"]);
  const [event] = await changingEvents(company);
  expect(event?.data).toMatchObject({ applicationId: made.data.id });
  expect(JSON.stringify(event)).not.toContain("joao@example.com");

  const refused = await ask("DELETE", `${path}/pending/networks`);
  await expectDocumented("DELETE /api/v1/applications/{id}/pending/{field}", refused);
  clock.advance(DAY_MS);

  const later = await ask("GET", "/api/v1/applications");
  const erp = later.body.items.find(({ id }: { id: string }) => id === made.data.id);
  expect(erp).toMatchObject({
    networks: ["192.0.2.0/24"],
    spendingLimits: { dailyLimit: 500, pixKeys: ["maria@example.com", "joao@example.com"] },
    refundDailyLimit: 200,
    pending: [],
  });
});
