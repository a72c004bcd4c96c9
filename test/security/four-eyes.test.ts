import { describe, expect, it } from "vitest";
import { givenApplication } from "../support/builders/companies/application.ts";
import {
  applicationBy,
  byKey,
  byPerson,
  invitedBy,
  keyBy,
  type Caller,
} from "../support/builders/companies/callers.ts";
import { env, givenCompany, type TestCompany } from "../support/builders/companies/company.ts";
import { givenMember } from "../support/builders/console/members.ts";
import type { Answer } from "../support/builders/requests/api.ts";
import { HOUR_MS } from "../support/builders/withdraws/approvals.ts";
import { runPayout } from "../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

const DAY_MS = 24 * HOUR_MS;
const COOL_DOWN_HOURS = 168;
const THIEFS_KEY = "thief@example.com";
const BALANCE = 500_000;

/**
 * A company of R$ 5,000.00 that did all that docs/security.md advises: withdraws above R$ 50.00 a day wait for
 * somebody else, and go only to listed keys, each a week after it was listed.
 */
async function givenGuarded() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: BALANCE, clock });
  const shop = byKey(company, clock);
  const settings = {
    withdrawApprovalAbove: 5_000,
    allowedPixKeys: { enforced: true, coolDownHours: COOL_DOWN_HOURS },
  };
  expect((await shop.ask("PUT", "/api/v1/company/settings", settings)).status).toBe(200);
  clock.advance(30 * DAY_MS);
  return { clock, company, shop };
}

async function requestBy(caller: Caller, body: Record<string, unknown> = {}): Promise<Answer> {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  return caller.ask("POST", "/api/Withdraw/request", { amount: 100_000, ...body }, headers);
}

const approveBy = (caller: Caller, id: number) =>
  caller.ask("POST", `/api/v1/withdraws/${id}/approve`, {});

function expectRefused({ status, body }: Answer, why = ""): void {
  expect([status, body.detail]).toEqual([403, expect.stringContaining(why)]);
}

/** Runs every payout: nothing left. */
async function expectNothingLeft(company: TestCompany): Promise<void> {
  for (let id = 1; id <= 5; id++) await runPayout(company, id).catch(() => undefined);
  const { available = 0, payout = 0 } = await accountsOf(company);
  expect(available + payout).toBe(BALANCE);
}

describe("a thief with one key of every scope", () => {
  it("lowers the cool-down, adds a key of his own, asks, makes an application and approves: no money leaves", async () => {
    const { clock, company, shop: thief } = await givenGuarded();

    const lowered = await thief.ask("PUT", "/api/v1/company/settings", {
      allowedPixKeys: { enforced: false, coolDownHours: 0 },
      withdrawApprovalAbove: null,
    });
    expect(lowered.status).toBe(202);
    expect(lowered.body).toMatchObject({
      withdrawApprovalAbove: 5_000,
      allowedPixKeys: { enforced: true, coolDownHours: COOL_DOWN_HOURS },
    });
    const fields = lowered.body.pending.map(({ field }: { field: string }) => field);
    expect(fields.toSorted()).toEqual([
      "allowedPixKeys.coolDownHours",
      "allowedPixKeys.enforced",
      "withdrawApprovalAbove",
    ]);
    for (const { effectiveAt } of lowered.body.pending) {
      expect(Date.parse(effectiveAt)).toBe(clock.now() + COOL_DOWN_HOURS * HOUR_MS);
    }
    await thief.ask("POST", "/api/v1/company/pix-keys", { pixKey: THIEFS_KEY });
    const own = await requestBy(thief, { pixKey: THIEFS_KEY });
    expect([own.status, own.body.code]).toEqual([422, "PIX_KEY_COOLING_DOWN"]);

    const asked = await requestBy(thief);
    expect(asked.body).toMatchObject({ approval: "pending" });
    const puppet = await applicationBy(thief, { company, clock });
    expect((await approveBy(puppet, asked.body.id)).status).toBe(403);
    await expectNothingLeft(company);
  });

  it("makes the application that approves first, and waits for months: it has its right from him", async () => {
    const { clock, company, shop: thief } = await givenGuarded();
    const puppet = await applicationBy(thief, { company, clock });
    const puppetsPuppet = await applicationBy(puppet, { company, clock });
    clock.advance(90 * DAY_MS);
    const { body } = await requestBy(thief);
    for (const approver of [puppet, puppetsPuppet]) {
      expectRefused(await approveBy(approver, body.id), "gave this right");
    }
    await expectNothingLeft(company);
  });

  it("invites himself, and lets the person make an application as well", async () => {
    const { clock, company, shop: thief } = await givenGuarded();
    const person = await invitedBy(thief, { company, clock });
    const puppet = await applicationBy(person, { company, clock });
    const { body } = await requestBy(thief);
    for (const approver of [person, puppet]) {
      expect((await approveBy(approver, body.id)).status).toBe(403);
    }
    clock.advance(DAY_MS);
    const later = await requestBy(thief);
    for (const approver of [person, puppet]) {
      expect((await approveBy(approver, later.body.id)).status).toBe(403);
    }
    const another = await requestBy(puppet);
    for (const each of [person, thief]) expectRefused(await approveBy(each, another.body.id));
    await expectNothingLeft(company);
  });

  it("issues a key of an old application that may approve, and with that key another", async () => {
    const { clock, company, shop: thief } = await givenGuarded();
    const old = await givenApplication(company);
    clock.advance(30 * DAY_MS);
    const stolen = await keyBy(thief, { company, clock, clientId: old.clientId });
    clock.advance(1);
    const { body } = await requestBy(thief);
    expect((await approveBy(stolen, body.id)).status).toBe(403);
    const washed = await keyBy(stolen, { company, clock, clientId: old.clientId }, 0);
    clock.advance(1);
    const later = await requestBy(thief);
    expect((await approveBy(stolen, later.body.id)).status).toBe(401);
    expectRefused(await approveBy(washed, later.body.id), "gave this right");
    await expectNothingLeft(company);
  });

  it("cannot spoil the application's own key, which still approves", async () => {
    const { clock, company, shop: thief } = await givenGuarded();
    const old = await givenApplication(company);
    await keyBy(thief, { company, clock, clientId: old.clientId });
    const { body } = await requestBy(thief);
    expect((await approveBy(byKey(old, clock), body.id)).status).toBe(200);
  });

  it("gives an application that may not approve the scope, or a person the role", async () => {
    const { clock, company, shop: thief } = await givenGuarded();
    const old = await givenApplication(company, { scopes: ["withdraws:read"] });
    const viewer = await givenMember(company, "viewer");
    const asViewer = byPerson(company, clock, viewer.id);
    const path = `/api/v1/applications/${old.clientId}`;
    const scopes = ["withdraws:read", "withdraws:approve"];
    expect((await thief.ask("PATCH", path, { scopes })).status).toBe(200);
    const role = await thief.ask("PATCH", `/api/v1/people/${viewer.id}`, { role: "admin" });
    expect(role.status).toBe(200);
    clock.advance(60 * DAY_MS);
    const { body } = await requestBy(thief);
    for (const each of [byKey(old, clock), asViewer]) expectRefused(await approveBy(each, body.id));
    await expectNothingLeft(company);
  });

  it("has somebody else change the role of a person whom he invited", async () => {
    const { clock, company, shop: thief } = await givenGuarded();
    const owner = byPerson(company, clock, (await givenMember(company, "owner")).id);
    const puppet = await invitedBy(thief, { company, clock });
    const path = `/api/v1/people/${puppet.id.replace("person_", "")}`;
    expect((await owner.ask("PATCH", path, { role: "finance" })).status).toBe(200);
    clock.advance(60 * DAY_MS);
    const { body } = await requestBy(thief);
    expectRefused(await approveBy(puppet, body.id), "gave this right");
    await expectNothingLeft(company);
  });

  it("lets puppets ask and approve for one another and for himself, however long he waits", async () => {
    const { clock, company, shop: thief } = await givenGuarded();
    const one = await applicationBy(thief, { company, clock });
    const two = await applicationBy(thief, { company, clock });
    clock.advance(90 * DAY_MS);
    const { body } = await requestBy(one);
    for (const each of [two, thief]) {
      expectRefused(await approveBy(each, body.id), "through the same application");
    }
    await expectNothingLeft(company);
  });

  it("deletes those who could refuse, and stays alone", async () => {
    const { clock, company, shop: thief } = await givenGuarded();
    const approver = await givenApplication(company);
    const puppet = await applicationBy(thief, { company, clock });
    const { body } = await requestBy(thief);
    const path = `/api/v1/applications/${approver.clientId}`;
    expect((await thief.ask("DELETE", path)).status).toBe(200);
    for (const each of [puppet, thief]) expectRefused(await approveBy(each, body.id));
    await expectNothingLeft(company);
  });

  it("asks for many withdraws below the threshold", async () => {
    const { company, shop: thief } = await givenGuarded();
    const approvals: string[] = [];
    for (let time = 0; time < 8; time++) {
      approvals.push((await requestBy(thief, { amount: 5_000 })).body.approval);
    }
    expect(approvals.filter((approval) => approval === "none")).toHaveLength(1);
    for (let id = 2; id <= 8; id++) await runPayout(company, id);
    expect(await accountsOf(company)).toMatchObject({ payout: 40_000 });
  });

  it("widens the networks and the spending limits of a stolen application", async () => {
    const { clock, company, shop } = await givenGuarded();
    const limited = await givenApplication(company, {
      spendingLimits: { dailyLimit: 5_000, pixKeys: null, until: null },
    });
    const path = `/api/v1/applications/${limited.clientId}`;
    const widened = await shop.ask("PATCH", path, { spendingLimits: null });
    expect(widened.status).toBe(202);
    expect(widened.body.data).toMatchObject({
      spendingLimits: { dailyLimit: 5_000 },
      pending: [{ field: "spendingLimits", to: null }],
    });
    const over = await requestBy(byKey(limited, clock), { amount: 5_001 });
    expect([over.status, over.body.code]).toEqual([422, "SPENDING_LIMITS_EXCEEDED"]);
    expect((await shop.ask("DELETE", `${path}/pending/spendingLimits`)).body.data.pending).toEqual(
      [],
    );
    clock.advance(COOL_DOWN_HOURS * HOUR_MS);
    expect((await requestBy(byKey(limited, clock), { amount: 5_001 })).status).toBe(422);
  });

  it("asks again for an invitation of the owner's under its key", async () => {
    const { clock, company, shop: thief } = await givenGuarded();
    const owner = byPerson(company, clock, (await givenMember(company, "owner")).id);
    const body = { email: `new_${company.id}@example.com`, role: "admin" };
    const headers = { "Idempotency-Key": "invite_1" };
    const path = "/api/v1/people/invitations";
    expect((await owner.ask("POST", path, body, headers)).status).toBe(201);
    expect((await owner.ask("POST", path, body, headers)).status).toBe(201);
    expect((await thief.ask("POST", path, body, headers)).status).toBe(409);
  });
});

it("a main PIX key that changed counts only after the cool-down", async () => {
  const { clock, company, shop } = await givenGuarded();
  await env.DB.prepare("UPDATE companies SET main_pix_key_since = ? WHERE id = ?")
    .bind(clock.now(), company.id)
    .run();
  expect((await requestBy(shop, { amount: 1_000 })).body.code).toBe("PIX_KEY_COOLING_DOWN");
  clock.advance(COOL_DOWN_HOURS * HOUR_MS);
  expect((await requestBy(shop, { amount: 1_000 })).status).toBe(201);
});

describe("the honest ways", () => {
  it("the shop's key asks, an owner approves", async () => {
    const { clock, company, shop } = await givenGuarded();
    const owner = byPerson(company, clock, (await givenMember(company, "owner")).id);
    const { body } = await requestBy(shop);
    const approved = await approveBy(owner, body.id);
    expect(approved.body.data).toMatchObject({
      approval: "approved",
      requestedBy: { kind: "application", id: shop.id },
      decidedBy: { kind: "person", id: owner.id },
    });
    await runPayout(company, body.id);
    expect(await accountsOf(company)).toMatchObject({ available: BALANCE - 100_000, payout: 0 });
  });

  it("finance asks, an admin approves; both were invited by the owner a week ago", async () => {
    const { clock, company } = await givenGuarded();
    const owner = byPerson(company, clock, (await givenMember(company, "owner")).id);
    const admin = await invitedBy(owner, { company, clock });
    const finance = await invitedBy(owner, { company, clock }, "finance");
    const early = await requestBy(finance);
    expect((await approveBy(admin, early.body.id)).status).toBe(403);
    clock.advance(COOL_DOWN_HOURS * HOUR_MS);
    const { body } = await requestBy(finance);
    expect((await approveBy(finance, body.id)).status).toBe(403);
    expect((await approveBy(admin, body.id)).status).toBe(200);
  });

  it("the owner approves what an application of his own making asks, after a week", async () => {
    const { clock, company } = await givenGuarded();
    const owner = byPerson(company, clock, (await givenMember(company, "owner")).id);
    const erp = await applicationBy(owner, { company, clock }, [
      "withdraws:read",
      "withdraws:write",
    ]);
    clock.advance(COOL_DOWN_HOURS * HOUR_MS);
    const { body } = await requestBy(erp);
    expect((await approveBy(owner, body.id)).status).toBe(200);
  });

  it("anybody who may approve refuses, however young the right", async () => {
    const { clock, company, shop } = await givenGuarded();
    const { body } = await requestBy(shop);
    const young = await applicationBy(shop, { company, clock });
    const refused = await young.ask("POST", `/api/v1/withdraws/${body.id}/refuse`, {});
    expect(refused.body.data).toMatchObject({ approval: "refused", enTransaction: "Cancelled" });
    const own = (await requestBy(shop)).body.id;
    expect((await shop.ask("POST", `/api/v1/withdraws/${own}/refuse`, {})).status).toBe(403);
  });
});
