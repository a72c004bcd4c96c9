import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { callsTo } from "../support/builders/companies/calls.ts";
import type { PersonRole } from "../../src/domain/access/person-role.ts";
import { FROM_THE_START } from "../../src/domain/access/standing.ts";
import type { Scope } from "../../src/domain/shared/company.ts";
import { requestAs } from "../../src/http/auth/person-requests.ts";
import { newestUnexpected, setRules, UNEXPECTED } from "../support/builders/charges/unexpected.ts";
import { givenPaid } from "../support/builders/charges/transaction.ts";
import { givenApplication, limitRefunds } from "../support/builders/companies/application.ts";
import { env, givenCompany, type TestCompany } from "../support/builders/companies/company.ts";
import { givenMember } from "../support/builders/console/members.ts";
import { postAsPerson } from "../support/builders/operations/as-person.ts";
import { refund } from "../support/builders/operations/refund.ts";
import { call } from "../support/builders/requests/api.ts";
import { changeSettings } from "../support/builders/withdraws/approvals.ts";

const APPLICATIONS = "/api/v1/applications";

/** Another application's credentials, with a key that `as` issued. */
function withKey(company: TestCompany, clientId: string, key: string): TestCompany {
  const credentials = { "X-Client-Id": clientId, "X-API-Key": key };
  return { ...company, clientId, apiKey: key, credentials };
}

/** An application with a limit of refunds, which its own row has. */
async function givenLimited(company: TestCompany, scopes: Scope[], refundDailyLimit: number) {
  const limited = await givenApplication(company, { scopes });
  await limitRefunds(limited, refundDailyLimit);
  return limited;
}

const asAdmin = (company: TestCompany, path: string, body?: object, userId = "thief") =>
  postAsPerson(company, path, { role: "admin", userId, ...(body === undefined ? {} : { body }) });

async function deleteAsAdmin(company: TestCompany, path: string): Promise<number> {
  const standing = FROM_THE_START;
  const role: PersonRole = "admin";
  const about = { userId: "thief", name: "thief", email: "", companyId: company.id };
  const sent = new Request(`https://localhost${path}`, { method: "DELETE" });
  const response = await createApp().fetch(requestAs({ ...about, role, standing }, sent), env);
  await response.body?.cancel();
  return response.status;
}

async function givenLimitedAdmins() {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 10_000);
  await changeSettings(company, { roleLimits: { admin: { refundDailyLimit: 100 } } });
  const path = `/api/v1/transactions/${id}/refund`;
  const own = await asAdmin(company, path, { amount: 9_000 });
  expect([own.status, own.body.code]).toEqual([422, "REFUND_LIMIT_EXCEEDED"]);
  return { company, id };
}

describe("an application whose refunds and returns are limited", () => {
  const scopes: Scope[] = ["transactions:read", "payments:write", "keys:write"];

  it("lets no other return payments without the limit", async () => {
    const company = await givenCompany();
    await setRules(company, { NO_CHARGE: "keep" });
    await UNEXPECTED.NO_CHARGE(company);
    const { id } = await newestUnexpected(company);
    const thief = await givenLimited(company, scopes, 100);
    const path = `/api/v1/payments/unexpected/${id}/return`;
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const own = await call(path, { method: "POST", company: thief, headers });
    expect([own.status, own.body.code]).toEqual([422, "REFUND_LIMIT_EXCEEDED"]);

    const body = { name: "puppet", scopes: ["payments:write"] };
    const made = await call(APPLICATIONS, { company: thief, body });
    expect([made.status, made.body.code]).toEqual([403, "FORBIDDEN"]);
    const other = await givenApplication(company, { scopes: ["payments:write"] });
    const keys = `${APPLICATIONS}/${other.clientId}/keys`;
    expect((await call(keys, { company: thief, body: { overlapHours: 24 } })).status).toBe(403);
    expect(await newestUnexpected(company)).toMatchObject({ status: "kept" });
  });
});

it.each([
  ["spending limits", "UPDATE applications SET mandate = ? WHERE client_id = ?"],
  ["a limit of refunds", "UPDATE applications SET refund_daily_limit = ? WHERE client_id = ?"],
])("an approver with %s makes none without it", async (_limit, statement) => {
  const company = await givenCompany();
  const scopes: Scope[] = ["withdraws:read", "withdraws:approve", "keys:write"];
  const thief = await givenApplication(company, { scopes });
  const spendingLimits = JSON.stringify({ dailyLimit: 100, pixKeys: null, until: null });
  const value = statement.includes("mandate") ? spendingLimits : 100;
  await env.DB.prepare(statement).bind(value, thief.clientId).run();
  const body = { name: "puppet", scopes: ["withdraws:approve"] };
  expect((await call(APPLICATIONS, { company: thief, body })).status).toBe(403);
  const reader = { name: "reader", scopes: ["withdraws:read"] };
  expect((await call(APPLICATIONS, { company: thief, body: reader })).status).toBe(201);
});

it("an invitation from before chains were stored shows its link to nobody by its key", async () => {
  const company = await givenCompany();
  const body = { email: `new_${company.id}@a.example`, role: "admin" };
  const invite = () =>
    call("/api/v1/people/invitations", { company, body, headers: { "Idempotency-Key": "one" } });
  expect((await invite()).status).toBe(201);
  expect((await invite()).status).toBe(201);
  await env.DB.prepare("UPDATE invitations SET given_by = NULL WHERE company_id = ?")
    .bind(company.id)
    .run();
  expect((await invite()).status).toBe(409);
});

describe("a person whose role sends back R$ 1.00 a day", () => {
  it("gets no more by an application of his own", async () => {
    const { company, id } = await givenLimitedAdmins();
    for (const limit of [{}, { refundDailyLimit: 100 }]) {
      const body = { name: "puppet", scopes: ["refunds:write"], ...limit };
      const made = await asAdmin(company, APPLICATIONS, body);
      if (made.status === 201) {
        const { id: clientId } = made.body.data;
        const key = await asAdmin(company, `${APPLICATIONS}/${clientId}/keys`, { overlapHours: 0 });
        const puppet = withKey(company, clientId, key.body.data.key);
        expect((await refund(puppet, id, 9_000)).status).toBe(422);
      }
      expect(made.status).toBe(403);
    }
  });

  it("nor by a key of another application; but takes it away", async () => {
    const { company } = await givenLimitedAdmins();
    const shop = await givenApplication(company);
    const path = `${APPLICATIONS}/${shop.clientId}`;
    expect((await asAdmin(company, `${path}/keys`, { overlapHours: 24 })).status).toBe(403);
    expect(await deleteAsAdmin(company, path)).toBe(200);
  });

  it("nor by a person of his own whose role has no such limit", async () => {
    const { company } = await givenLimitedAdmins();
    const invite = (role: PersonRole) =>
      asAdmin(company, "/api/v1/people/invitations", {
        email: `${role}_${company.id}@a.example`,
        role,
      });
    expect((await invite("finance")).status).toBe(403);
    expect((await invite("viewer")).status).toBe(201);
    const viewer = await givenMember(company, "viewer");
    const sent = new Request(`https://localhost/api/v1/people/${viewer.id}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ role: "finance" }),
    });
    const person = { userId: "thief", name: "thief", email: "", companyId: company.id };
    const admin = { ...person, role: "admin" as const, standing: FROM_THE_START };
    const answer = await createApp().fetch(requestAs(admin, sent), env);
    expect(answer.status).toBe(403);
    await answer.body?.cancel();
  });
});

it("a refund that waits is not approved while a contradiction holds its money", async () => {
  const company = await givenCompany();
  const approver = await givenApplication(company);
  const { id } = await givenPaid(company, 2_500);
  await changeSettings(company, { refundApprovalAbove: 0 });
  const approveNext = async (amount: number) => {
    const { refunds } = (await refund(company, id, amount)).body.data;
    const path = `/api/v1/refunds/${refunds.at(-1).id}/approve`;
    return () => call(path, { method: "POST", company: approver });
  };
  const within = await approveNext(500);
  const beyond = await approveNext(1);
  await callsTo(company.id).recordFinding({
    companyId: company.id,
    finding: {
      finding: "test",
      kind: "payment_charge",
      object: "payment:1",
      said: {},
      booked: {},
      amount: 2_000,
      held: 2_000,
    },
  });
  const refused = await beyond();
  expect([refused.status, refused.body.code]).toEqual([409, "INVALID_STATE"]);
  expect((await within()).status).toBe(409);
  const { id: paidMore } = await givenPaid(company, 2_500);
  expect(paidMore).not.toBe(id);
  expect((await within()).status).toBe(200);
});
