import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { env } from "../../../../support/builders/companies/company.ts";
import {
  callAsApprover,
  callAsOperator,
  givenOperator,
  removeAllOperators,
  restoreLocalOperators,
} from "../../../../support/builders/companies/operator.ts";
import { givenOperatorPerson } from "../../../../support/builders/console/people.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";

const BOOTSTRAP_KEY = "the-set-up-key-of-this-environment";
const withSetup = { ...env, BOOTSTRAP_KEY };
const PERSON = { name: "Ana Souza", role: "admin" };

function setUp(body: object = PERSON, key = BOOTSTRAP_KEY, clock = new TestClock()) {
  const credentials = { "X-Client-Id": "setup", "X-API-Key": key };
  return call("/api/v1/operator/people", {
    body,
    company: { credentials },
    env: withSetup,
    deps: { platformClock: clock },
  });
}

function setUpLink(id: string) {
  return call(`/api/v1/operator/people/${id}/sign-in-link`, {
    method: "POST",
    company: { credentials: { "X-Client-Id": "setup", "X-API-Key": BOOTSTRAP_KEY } },
    env: withSetup,
  });
}

async function countAdmins(): Promise<number | null> {
  return env.DB.prepare(
    "SELECT count(*) AS n FROM operators WHERE role = 'admin' AND removed_at IS NULL",
  ).first<number>("n");
}

beforeEach(restoreLocalOperators);
afterEach(restoreLocalOperators);

describe("the set-up key", () => {
  it("makes the first admin, and then opens nothing", async () => {
    await removeAllOperators();
    const made = await setUp();
    expect(made.status).toBe(201);
    const { clientId, key } = made.body.data;
    const credentials = { "X-Client-Id": clientId, "X-API-Key": key };
    const people = await call("/api/v1/operator/people", { company: { credentials } });
    expect(people.body.items).toMatchObject([{ clientId, role: "admin" }]);
    await expectProblem(await setUp(), { status: 401, code: "INVALID_CREDENTIALS" });
    const entry = env.DB.prepare("SELECT actor_id, action FROM audit_entries WHERE target = ?");
    expect(await entry.bind(`operator:${clientId}`).first()).toEqual({
      actor_id: "setup",
      action: "operator.create",
    });
  });

  it("opens no other route", async () => {
    await removeAllOperators();
    const credentials = { "X-Client-Id": "setup", "X-API-Key": BOOTSTRAP_KEY };
    for (const path of ["/people", "/companies", "/people/setup/keys"]) {
      const answer = await call(`/api/v1/operator${path}`, {
        company: { credentials },
        env: withSetup,
      });
      await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
    }
  });

  it("makes only an admin, with a key", async () => {
    await removeAllOperators();
    for (const body of [
      { name: "Ana", role: "read" },
      { ...PERSON, withKey: false },
    ]) {
      await expectProblem(await setUp(body), { status: 409, code: "INVALID_STATE" });
    }
    expect((await setUp()).status).toBe(201);
  });

  it("makes the set-up link of an admin whose keys have ended, and of nobody else", async () => {
    await env.DB.prepare("UPDATE operator_keys SET revoked_at = 1").run();
    await env.DB.prepare("UPDATE operators SET role = 'read' WHERE client_id = 'approver'").run();
    const made = await setUpLink("operator");
    expect(made.status).toBe(201);
    expect(made.body.data.url).toContain("/console/operator/set-up/");
    await expectProblem(await setUpLink("approver"), { status: 409, code: "INVALID_STATE" });
    await expectProblem(await setUpLink("nobody"), { status: 404, code: "NOT_FOUND" });
    await restoreLocalOperators();
    await expectProblem(await setUpLink("operator"), { status: 401, code: "INVALID_CREDENTIALS" });
  });

  it.each([
    ["is wrong", "another-key-of-some-thirty-two-characters"],
    ["is empty", ""],
  ])("makes nobody when it %s", async (_case, key) => {
    await removeAllOperators();
    await expectProblem(await setUp(PERSON, key), { status: 401, code: "INVALID_CREDENTIALS" });
    expect(await countAdmins()).toBe(0);
  });

  it("makes nobody in an environment without one", async () => {
    await removeAllOperators();
    const credentials = { "X-Client-Id": "setup", "X-API-Key": BOOTSTRAP_KEY };
    const { BOOTSTRAP_KEY: _none, ...without } = withSetup;
    const answer = await call("/api/v1/operator/people", {
      body: PERSON,
      company: { credentials },
      env: without,
    });
    await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
  });

  it("makes one admin when ten set up at once", async () => {
    await removeAllOperators();
    const answers = await Promise.all(Array.from({ length: 10 }, () => setUp()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of answers) expect([201, 401, 409]).toContain(status);
    expect(await countAdmins()).toBe(1);
  });

  it("works again when no admin's key is valid any more", async () => {
    const clock = new TestClock();
    await env.DB.prepare("UPDATE operator_keys SET expires_at = ?")
      .bind(clock.now() + 1)
      .run();
    await expectProblem(await setUp(PERSON, BOOTSTRAP_KEY, clock), {
      status: 401,
      code: "INVALID_CREDENTIALS",
    });
    clock.advance(1);
    expect((await setUp(PERSON, BOOTSTRAP_KEY, clock)).status).toBe(201);
  });
});

describe("the last admin", () => {
  it.each([
    ["removed", { method: "DELETE" }],
    ["made a finance operator", { method: "PATCH", body: { role: "finance" } }],
  ])("cannot be %s", async (_case, request) => {
    await callAsOperator("/people/approver", { method: "DELETE" });
    const refused = await callAsOperator("/people/operator", request);
    await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
    expect((await callAsOperator("/people")).status).toBe(200);
    expect(
      (await callAsOperator("/people/operator", { method: "PATCH", body: { name: "Eu" } })).status,
    ).toBe(200);
  });

  it("keeps the last key", async () => {
    await callAsOperator("/people/approver", { method: "DELETE" });
    const { body } = await callAsOperator("/people/operator/keys");
    const path = `/people/operator/keys/${body.items[0].id}`;
    const refused = await callAsOperator(path, { method: "DELETE" });
    await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
    await callAsOperator("/people/operator/keys", { method: "POST" });
    expect((await callAsOperator(path, { method: "DELETE" })).status).toBe(200);
  });

  it("may lose the last key while an admin signs in to the console, and the set-up key stays closed", async () => {
    await callAsOperator("/people/approver", { method: "DELETE" });
    await givenOperatorPerson("admin");
    const { body } = await callAsOperator("/people/operator/keys");
    const path = `/people/operator/keys/${body.items[0].id}`;
    expect((await callAsOperator(path, { method: "DELETE" })).status).toBe(200);
    await expectProblem(await setUp(), { status: 401, code: "INVALID_CREDENTIALS" });
  });

  it("does not count an admin who cannot sign in", async () => {
    const { clientId } = await givenOperator("admin");
    await callAsOperator("/people/approver", { method: "DELETE" });
    const { body } = await callAsOperator(`/people/${clientId}/keys`);
    await callAsOperator(`/people/${clientId}/keys/${body.items[0].id}`, { method: "DELETE" });
    const refused = await callAsOperator("/people/operator", { method: "DELETE" });
    await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
  });

  it("stays when two admins remove each other at once", async () => {
    for (let round = 0; round < 5; round++) {
      await restoreLocalOperators();
      await Promise.all([
        callAsOperator("/people/approver", { method: "DELETE" }),
        callAsApprover("/people/operator", { method: "DELETE" }),
      ]);
      expect(await countAdmins()).toBe(1);
    }
  });
});
