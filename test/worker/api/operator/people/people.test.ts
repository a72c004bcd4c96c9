import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { env } from "../../../../support/builders/companies/company.ts";
import { CONNECTION_LOST, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";
import {
  callAsOperator,
  givenOperator,
  type TestOperator,
} from "../../../../support/builders/companies/operator.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";

const PEOPLE = "/api/v1/operator/people";
const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

const asPerson = (
  person: { credentials: Record<string, string> },
  path: string,
  options: Parameters<typeof call>[1] = {},
) => call(`/api/v1/operator${path}`, { ...options, company: person });

async function isAccepted(credentials: Record<string, string>, clock = new TestClock()) {
  const { status } = await asPerson({ credentials }, "/status", { deps: { platformClock: clock } });
  expect([200, 401]).toContain(status);
  return status === 200;
}

async function issueKey(person: TestOperator, body: object, clock = new TestClock()) {
  const answer = await callAsOperator(`/people/${person.clientId}/keys`, {
    method: "POST",
    body,
    deps: { platformClock: clock },
  });
  const key = answer.body.data?.key;
  return { answer, credentials: { "X-Client-Id": person.clientId, "X-API-Key": key } };
}

describe("a new operator", () => {
  it("has a key that is shown once and stored as a hash", async () => {
    const clock = new TestClock();
    const body = { name: "Ana Souza", role: "finance", reason: "Joined the team." };
    const added = await callAsOperator("/people", { body, deps: { platformClock: clock } });
    expect(added.status).toBe(201);
    await expectDocumented(`POST ${PEOPLE}`, added);
    expect(added.headers.get("Cache-Control")).toBe("no-store");
    const { key, ...person } = added.body.data;
    expect(person).toStrictEqual({
      id: expect.stringMatching(/^op_[0-9a-f]{32}$/),
      clientId: person.id,
      name: "Ana Souza",
      role: "finance",
      email: null,
      createdAt: iso(clock.now()),
    });
    expect(key).toMatch(/^sk_operator_[\w-]{43}$/);
    expect(await isAccepted({ "X-Client-Id": person.clientId, "X-API-Key": key })).toBe(true);

    const list = await callAsOperator(`/people?limit=100`);
    await expectDocumented(`GET ${PEOPLE}`, list);
    expect(list.body.items).toContainEqual(person);
    const keys = await callAsOperator(`/people/${person.id}/keys`);
    await expectDocumented(`GET ${PEOPLE}/{id}/keys`, keys);
    expect(keys.body.items).toMatchObject([{ prefix: key.slice(0, 16), revokedAt: null }]);
    const stored = await env.DB.prepare("SELECT * FROM operator_keys").all();
    const trail = await callAsOperator("/audit?limit=100");
    for (const text of [list.text, keys.text, trail.text, JSON.stringify(stored.results)]) {
      expect(text).not.toContain(key);
    }
  });

  it("has no key if only the console is wanted", async () => {
    const body = { name: "Ana", role: "read", withKey: false };
    const { status, body: added } = await callAsOperator("/people", { body });
    expect([status, added.data.key]).toEqual([201, null]);
    const one = await callAsOperator(`/people/${added.data.id}`);
    await expectDocumented(`GET ${PEOPLE}/{id}`, one);
    expect(one.body.data).toMatchObject({ name: "Ana", email: null });
    expect((await callAsOperator(`/people/${added.data.id}/keys`)).body.items).toEqual([]);
  });

  it.each([
    ["an unknown role", { name: "Ana", role: "root" }, "role"],
    ["no role", { name: "Ana" }, "role"],
    ["an empty name", { name: "", role: "read" }, "name"],
    ["a field too many", { name: "Ana", role: "read", id: "op_1" }, "id"],
  ])("VALIDATION_FAILED: %s", async (_case, body, field) => {
    const answer = await callAsOperator("/people", { body });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });

  it("is added once when D1's answer is lost", async () => {
    const lost = injectFault({
      on: /insert into "operators"/,
      when: "after",
      error: CONNECTION_LOST,
    });
    const person = await givenOperator("read", { env: withD1(env, lost.intercept) });
    expect(lost.injections()).toBe(1);
    const { results } = await env.DB.prepare("SELECT id FROM operator_keys WHERE client_id = ?")
      .bind(person.clientId)
      .all();
    expect(results).toHaveLength(1);
  });
});

it("every operator is listed once when they are read 2 at a time", async () => {
  for (let made = 0; made < 3; made++) await givenOperator("read");
  const all = (await callAsOperator("/people?limit=100")).body.items.map((one: any) => one.id);
  const walked: string[] = [];
  for (let after = ""; ;) {
    const { body } = await callAsOperator(`/people?limit=2&after=${after}`);
    walked.push(...body.items.map((one: any) => one.id));
    expect(body.hasMore).toBe(body.after !== null);
    if (!body.hasMore) break;
    after = body.after;
  }
  expect(walked).toEqual(all);
});

describe("an operator", () => {
  it("is renamed, and works with the new role from the next request on", async () => {
    const person = await givenOperator("read");
    const path = `/people/${person.clientId}`;
    const body = { name: "Ana Lima", role: "support" };
    const changed = await callAsOperator(path, { method: "PATCH", body });
    expect(changed.status).toBe(200);
    await expectDocumented(`PATCH ${PEOPLE}/{id}`, changed);
    expect(changed.body.data).toMatchObject(body);
    const step = await asPerson(person, "/companies/1/reconcile", { method: "POST" });
    expect(step.status).not.toBe(403);
  });

  it("is refused from the next request on when removed, and stays in the audit trail", async () => {
    const person = await givenOperator("support");
    const removed = await callAsOperator(`/people/${person.clientId}`, { method: "DELETE" });
    expect(removed.status).toBe(200);
    await expectDocumented(`DELETE ${PEOPLE}/{id}`, removed);
    expect(await isAccepted(person.credentials)).toBe(false);
    const list = await callAsOperator("/people?limit=100");
    expect(list.text).not.toContain(person.clientId);
    for (const [method, path] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/keys"],
      ["POST", "/keys"],
    ] as const) {
      const answer = await callAsOperator(`/people/${person.clientId}${path}`, {
        method,
        ...(method === "PATCH" ? { body: { name: "Ana" } } : {}),
      });
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    }
  });

  it("cannot give itself another role or add people without the role admin", async () => {
    for (const role of ["read", "support", "finance"] as const) {
      const person = await givenOperator(role);
      const promoted = await asPerson(person, `/people/${person.clientId}`, {
        method: "PATCH",
        body: { role: "admin" },
      });
      await expectProblem(promoted, { status: 403, code: "FORBIDDEN" });
      const added = await asPerson(person, "/people", { body: { name: "Eva", role: "read" } });
      await expectProblem(added, { status: 403, code: "FORBIDDEN" });
      const other = await asPerson(person, "/people/operator/keys", { method: "POST" });
      await expectProblem(other, { status: 403, code: "FORBIDDEN" });
    }
  });
});

describe("an operator's key", () => {
  it("works beside the old one for the overlap", async () => {
    const clock = new TestClock();
    const person = await givenOperator("read", { deps: { platformClock: clock } });
    const { answer, credentials } = await issueKey(person, { overlapHours: 2 }, clock);
    expect(answer.status).toBe(201);
    await expectDocumented(`POST ${PEOPLE}/{id}/keys`, answer);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    clock.advance(2 * HOUR_MS - 1);
    expect(await isAccepted(person.credentials, clock)).toBe(true);
    clock.advance(1);
    expect(await isAccepted(person.credentials, clock)).toBe(false);
    expect(await isAccepted(credentials, clock)).toBe(true);
  });

  it("replaces the old one at once without an overlap", async () => {
    const clock = new TestClock();
    const person = await givenOperator("read", { deps: { platformClock: clock } });
    const { credentials } = await issueKey(person, { overlapHours: 0 }, clock);
    expect(await isAccepted(person.credentials, clock)).toBe(false);
    expect(await isAccepted(credentials, clock)).toBe(true);
  });

  it("is the second active one at most, also when five are issued at once", async () => {
    const clock = new TestClock();
    const person = await givenOperator("read", { deps: { platformClock: clock } });
    const answers = await Promise.all(Array.from({ length: 5 }, () => issueKey(person, {}, clock)));
    const statuses = answers
      .map(({ answer }) => answer.status)
      .toSorted((left, right) => left - right);
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
  });

  it("ends at its expiry", async () => {
    const clock = new TestClock();
    const person = await givenOperator("read", { deps: { platformClock: clock } });
    const expiresAt = iso(clock.now() + HOUR_MS);
    const { answer, credentials } = await issueKey(person, { expiresAt }, clock);
    expect(answer.body.data.expiresAt).toBe(expiresAt);
    clock.advance(HOUR_MS - 1);
    expect(await isAccepted(credentials, clock)).toBe(true);
    clock.advance(1);
    expect(await isAccepted(credentials, clock)).toBe(false);
    const past = await issueKey(person, { expiresAt: iso(clock.now()) }, clock);
    const fields = ["expiresAt"];
    await expectProblem(past.answer, { status: 400, code: "VALIDATION_FAILED", fields });
  });

  it("is revoked from the next request on, once and for all", async () => {
    const person = await givenOperator("read");
    const { answer, credentials } = await issueKey(person, {});
    const path = `/people/${person.clientId}/keys/${answer.body.data.id}`;
    const revoked = await callAsOperator(path, { method: "DELETE" });
    expect(revoked.status).toBe(200);
    await expectDocumented(`DELETE ${PEOPLE}/{id}/keys/{keyId}`, revoked);
    expect(await isAccepted(credentials)).toBe(false);
    const again = await callAsOperator(path, { method: "DELETE" });
    expect(again.body.data.revokedAt).toBe(revoked.body.data.revokedAt);
    const other = await givenOperator("read");
    const foreign = `/people/${other.clientId}/keys/${answer.body.data.id}`;
    const unknown = await callAsOperator(foreign, { method: "DELETE" });
    await expectProblem(unknown, { status: 404, code: "NOT_FOUND" });
  });

  it("is rotated by the operator, but never beyond what an admin gave", async () => {
    const clock = new TestClock();
    const person = await givenOperator("read", { deps: { platformClock: clock } });
    const until = iso(clock.now() + 10 * HOUR_MS);
    const limited = await issueKey(person, { expiresAt: until, overlapHours: 0 }, clock);
    const path = `/people/${person.clientId}/keys`;
    const rotate = (body: object) =>
      asPerson(limited, path, { method: "POST", body, deps: { platformClock: clock } });
    const longer = await rotate({ expiresAt: iso(clock.now() + 11 * HOUR_MS) });
    await expectProblem(longer, { status: 403, code: "FORBIDDEN" });
    const rotated = await rotate({});
    expect(rotated.status).toBe(201);
    expect(rotated.body.data.expiresAt).toBe(until);
  });
});
