import { expect, it } from "vitest";
import { createApp } from "../../../../src/app.ts";
import type { OperatorPerson, OperatorRole } from "../../../../src/domain/operators/operator.ts";
import { requestAs, requestAsOperator } from "../../../../src/http/auth/person-requests.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import {
  APPROVER_CREDENTIALS,
  callAsOperator,
  givenOperator,
} from "../../../support/builders/companies/operator.ts";
import { givenOperatorPerson } from "../../../support/builders/console/people.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { givenContradiction } from "../../../support/builders/reconciliation/decisions.ts";
import { FROM_THE_START } from "../../../../src/domain/access/standing.ts";

const app = createApp();
const API = "/api/v1/operator";

function requestFor(path: string, method = "GET", body?: object): Request {
  return new Request(`https://localhost${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  });
}

/** What the API answers to an operator of the console. */
async function ask(operator: OperatorPerson, path: string, method = "GET", body?: object) {
  const request = requestFor(API + path, method, body);
  const answer = await app.fetch(requestAsOperator(operator, request), env);
  return { status: answer.status, body: (await answer.json()) as any };
}

async function givenAsked(role: OperatorRole): Promise<OperatorPerson> {
  const { userId, clientId } = await givenOperatorPerson(role);
  return { userId, clientId, name: "Olga", role };
}

it("an operator of the console has the permissions of the role, as it is now", async () => {
  const operator = await givenAsked("read");
  expect((await ask(operator, "/status")).status).toBe(200);
  expect((await ask({ ...operator, role: "admin" }, "/people")).status).toBe(403);
  const change = { method: "PATCH", body: { role: "admin" } };
  await callAsOperator(`/people/${operator.clientId}`, change);
  expect((await ask(operator, "/people")).status).toBe(200);
  await callAsOperator(`/people/${operator.clientId}`, { method: "DELETE" });
  expect((await ask(operator, "/status")).status).toBe(401);
});

it("an operator whose place another person has taken is refused", async () => {
  const operator = await givenAsked("admin");
  expect((await ask({ ...operator, userId: "another" }, "/status")).status).toBe(401);
});

it("a company's person is no operator, and an operator is no company's person", async () => {
  const company = await givenCompany();
  const asOwner = requestAs(
    {
      userId: "u",
      name: "Ana",
      email: "a@example.com",
      companyId: company.id,
      role: "owner",
      standing: FROM_THE_START,
    },
    requestFor(`${API}/status`),
  );
  expect((await app.fetch(asOwner, env)).status).toBe(401);
  const asOperator = requestAsOperator(
    await givenAsked("admin"),
    requestFor(`/api/Balance/balance/${company.id}?currency=BRL`),
  );
  expect((await app.fetch(asOperator, env)).status).toBe(401);
});

it("no header makes a request an operator's of the console", async () => {
  const { clientId } = await givenAsked("admin");
  const answer = await call(`${API}/status`, { headers: { "X-Client-Id": clientId } });
  expect(answer.status).toBe(401);
});

it("the audit trail names an operator of the console without a key", async () => {
  const operator = await givenAsked("admin");
  const changed = await givenOperator("read");
  const path = `/people/${changed.clientId}`;
  expect((await ask(operator, path, "PATCH", { role: "support" })).status).toBe(200);
  const entry = env.DB.prepare(
    "SELECT actor_kind, actor_id, key_prefix FROM audit_entries WHERE target = ? AND action = 'operator.change'",
  );
  expect(await entry.bind(`operator:${changed.clientId}`).first()).toEqual({
    actor_kind: "operator",
    actor_id: operator.clientId,
    key_prefix: null,
  });
});

it("an operator with a key and a session is one person: he approves no proposal of his own", async () => {
  const company = await givenCompany();
  const id = await givenContradiction(company, { held: 4_000 });
  const withKey = await givenOperator("finance");
  await env.DB.prepare("UPDATE operators SET user_id = ?1 WHERE client_id = ?1")
    .bind(withKey.clientId)
    .run();
  const inConsole = {
    userId: withKey.clientId,
    clientId: withKey.clientId,
    name: "Ana",
    role: "finance" as const,
  };
  const body = { action: "dismiss", reason: "The bank has taken it back." };
  const path = `/contradictions/${id}/decide`;
  const proposed = await ask(inConsole, path, "POST", body);
  expect(proposed.status).toBe(202);
  const approval = `/proposals/${proposed.body.data.id}/approve`;
  const agreed = { reason: "I have read it too." };
  const approveAs = (credentials: Record<string, string>) =>
    call(API + approval, { body: agreed, company: { credentials } });
  expect((await ask(inConsole, approval, "POST", agreed)).status).toBe(409);
  expect((await approveAs(withKey.credentials)).status).toBe(409);
  expect((await callAsOperator(`/contradictions/${id}`)).body.status).toBe("open");
  expect((await approveAs(APPROVER_CREDENTIALS)).status).toBe(200);
  expect((await callAsOperator(`/contradictions/${id}`)).body.status).toBe("decided");
});

it("an operator without a key gets the first one from an admin", async () => {
  const operator = await givenAsked("support");
  const path = `/people/${operator.clientId}/keys`;
  expect((await ask(operator, path, "POST")).status).toBe(403);
  expect((await callAsOperator(path, { method: "POST" })).status).toBe(201);
  expect((await ask(operator, path)).body.items).toHaveLength(1);
});
