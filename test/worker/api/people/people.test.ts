import { expect, it } from "vitest";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { callAsMember, givenMember } from "../../../support/builders/console/members.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { sha256Hex } from "../../../../src/lib/hash.ts";
import { TestClock } from "../../../support/fakes/clock.ts";

const PEOPLE = "/api/v1/people";
const INVITATIONS = `${PEOPLE}/invitations`;
const DAYS = 24 * 3_600_000;

it("an application invites a person, sees the invitation and revokes it", async () => {
  const company = await givenCompany();
  const made = await call(INVITATIONS, {
    company,
    body: { email: " Ana@Example.com ", role: "finance" },
  });
  expect(made.status).toBe(201);
  expect(made.headers.get("Cache-Control")).toBe("no-store");
  const { url, ...invitation } = made.body.data;
  expect(invitation).toMatchObject({ email: "ana@example.com", role: "finance" });
  const token = /\/console\/invitation\/([\w-]{43})$/.exec(url)![1]!;
  const row = await env.DB.prepare("SELECT * FROM invitations WHERE id = ?")
    .bind(invitation.id)
    .first();
  expect(row).toMatchObject({ token_hash: await sha256Hex(token) });
  expect(JSON.stringify(row)).not.toContain(token);
  const list = await call(PEOPLE, { company });
  expect(list.body).toEqual({ items: [], invitations: [invitation] });
  const revoked = await call(`${INVITATIONS}/${invitation.id}`, { company, method: "DELETE" });
  expect(revoked.body).toEqual({ data: invitation });
  expect((await call(PEOPLE, { company })).body.invitations).toEqual([]);
  const again = await call(`${INVITATIONS}/${invitation.id}`, { company, method: "DELETE" });
  await expectProblem(again, { status: 404, code: "NOT_FOUND" });
});

it("sends the link where e-mail is configured, and makes the invitation where it fails", async () => {
  const company = await givenCompany();
  await env.DB.prepare("UPDATE companies SET name = ? WHERE id = ?")
    .bind("Loja\r\nBcc: all@example.com", company.id)
    .run();
  const sent: EmailMessageBuilder[] = [];
  const send = async (message: EmailMessageBuilder) => {
    sent.push(message);
    if (sent.length > 1) throw new Error("the daily quota is used up");
    return { messageId: "1" };
  };
  const world = { ...env, EMAIL: { send } as SendEmail, EMAIL_FROM: "gateway@example.com" };
  const body = { email: "ana@example.com", role: "viewer" };
  const made = await call(INVITATIONS, { company, body, env: world });
  expect(made.status).toBe(201);
  const [message] = sent;
  expect(message).toMatchObject({
    from: { email: "gateway@example.com" },
    to: "ana@example.com",
    subject: "Convite · Invitation: Loja Bcc: all@example.com",
  });
  expect(message!.text).toContain(made.body.data.url);
  const failed = await call(INVITATIONS, { company, body, env: world });
  expect(failed.status).toBe(201);
  expect(sent).toHaveLength(2);
  const senderless = { ...world, EMAIL_FROM: undefined } as unknown as typeof env;
  expect((await call(INVITATIONS, { company, body, env: senderless })).status).toBe(201);
  expect(sent).toHaveLength(2);
});

it("a second invitation of an e-mail ends the first, and seven days end each", async () => {
  const company = await givenCompany();
  const clock = new TestClock();
  const invite = {
    company,
    deps: { platformClock: clock },
    body: { email: "ana@example.com", role: "viewer" },
  };
  await call(INVITATIONS, invite);
  const second = await call(INVITATIONS, invite);
  const list = () => call(PEOPLE, { company, deps: { platformClock: clock } });
  expect((await list()).body.invitations).toMatchObject([{ id: second.body.data.id }]);
  clock.advance(7 * DAYS);
  expect((await list()).body.invitations).toEqual([]);
});

it("an invitation repeated under its key is the same one with the same link, which no table has", async () => {
  const company = await givenCompany();
  const body = { email: "ana@example.com", role: "finance" };
  const invite = (changes: object = {}) =>
    call(INVITATIONS, {
      company,
      body: { ...body, ...changes },
      headers: { "Idempotency-Key": "k-1" },
    });
  const first = await invite();
  expect(first.status).toBe(201);
  const again = await invite();
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body).toEqual(first.body);
  await expectDocumented("POST /api/v1/people/invitations", again);
  expect((await call(PEOPLE, { company })).body.invitations).toHaveLength(1);
  const [token = ""] = /[\w-]{43}$/.exec(first.body.data.url) ?? [];
  const { results } = await env.DB.prepare("SELECT * FROM invitations WHERE company_id = ?")
    .bind(company.id)
    .all();
  expect(results).toMatchObject([{ token_hash: await sha256Hex(token) }]);
  expect(JSON.stringify(results)).not.toContain(token);

  await expectProblem(await invite({ role: "viewer" }), {
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
  const other = await givenCompany();
  const theirs = await call(INVITATIONS, {
    company: other,
    body,
    headers: { "Idempotency-Key": "k-1" },
  });
  expect(theirs.body.data.url).not.toBe(first.body.data.url);
});

it("FORBIDDEN: an admin does not see an owner's link again by the owner's key", async () => {
  const company = await givenCompany();
  const options = { method: "POST", body: { email: "ana@example.com", role: "owner" } };
  const key = { "Idempotency-Key": "k-owner" };
  const owner = await givenMember(company, "owner");
  const made = await callAsMember(company, owner, INVITATIONS, { ...options, headers: key });
  expect(made.status).toBe(201);
  const admin = await givenMember(company, "admin");
  const refused = await callAsMember(company, admin, INVITATIONS, { ...options, headers: key });
  expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
});

it("IDEMPOTENCY_KEY_REUSED: an owner does not see another owner's link again by the other's key", async () => {
  const company = await givenCompany();
  const options = {
    method: "POST",
    body: { email: "ana@example.com", role: "owner" },
    headers: { "Idempotency-Key": "k-owner" },
  };
  const inviter = await givenMember(company, "owner");
  expect((await callAsMember(company, inviter, INVITATIONS, options)).status).toBe(201);
  const other = await givenMember(company, "owner");
  const refused = await callAsMember(company, other, INVITATIONS, options);
  expect([refused.status, refused.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  expect(JSON.stringify(refused.body)).not.toContain("/console/invitation/");
});

it("VALIDATION_FAILED: an e-mail without a host, a role that does not exist", async () => {
  const company = await givenCompany();
  const answer = await call(INVITATIONS, { company, body: { email: "ana", role: "king" } });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["email", "role"],
  });
});

it("INVALID_STATE: a member is invited again", async () => {
  const company = await givenCompany();
  const { email } = await givenMember(company, "viewer");
  const answer = await call(INVITATIONS, { company, body: { email, role: "admin" } });
  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
});

it("an owner changes a role and removes a person, and the list shows it", async () => {
  const company = await givenCompany();
  const owner = await givenMember(company, "owner");
  const member = await givenMember(company, "viewer");
  const path = `${PEOPLE}/${member.id}`;
  const changed = await callAsMember(company, owner, path, {
    method: "PATCH",
    body: { role: "owner" },
  });
  expect(changed.body.data).toMatchObject({ id: member.id, role: "owner", hasSecondFactor: false });
  expect((await call(PEOPLE, { company })).body.items).toMatchObject([
    { id: owner.id, role: "owner" },
    { id: member.id, role: "owner" },
  ]);
  expect((await callAsMember(company, owner, path, { method: "DELETE" })).status).toBe(200);
  expect((await call(PEOPLE, { company })).body.items).toHaveLength(1);
  const audit = await call("/api/v1/audit", { company });
  const entry = { actor: { kind: "person" }, target: `person:${member.id}` };
  expect(audit.body.items).toMatchObject([
    { ...entry, action: "person.change", before: { role: "viewer" }, after: { role: "owner" } },
    { ...entry, action: "person.remove" },
  ]);
});

it("FORBIDDEN: an admin or an application makes, changes, removes or invites an owner", async () => {
  const company = await givenCompany();
  const owner = await givenMember(company, "owner");
  const admin = await givenMember(company, "admin");
  const ask = (path: string, method: string, body?: object) => [
    callAsMember(company, admin, path, { method, body }),
    call(path, { company, method, ...(body === undefined ? {} : { body }) }),
  ];
  const answers = await Promise.all([
    ...ask(INVITATIONS, "POST", { email: "new@example.com", role: "owner" }),
    ...ask(`${PEOPLE}/${owner.id}`, "PATCH", { role: "viewer" }),
    ...ask(`${PEOPLE}/${admin.id}`, "PATCH", { role: "owner" }),
    ...ask(`${PEOPLE}/${owner.id}`, "DELETE"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
});

it("FORBIDDEN: an application gives a role with more than it has", async () => {
  const company = await givenCompany();
  const member = await givenMember(company, "viewer");
  const scopes = ["people:write", "transactions:read", "withdraws:read", "balance:read"];
  const body = { name: "HR", scopes: [...scopes, "webhooks:read"] };
  const { id } = (await call("/api/v1/applications", { company, body })).body.data;
  const keys = await call(`/api/v1/applications/${id}/keys`, { company, body: {} });
  const headers = { "X-Client-Id": id, "X-API-Key": keys.body.data.key };
  const invite = (role: string) =>
    call(INVITATIONS, { company, headers, body: { email: "new@example.com", role } });
  for (const role of ["admin", "finance", "support", "developer"]) {
    await expectProblem(await invite(role), { status: 403, code: "FORBIDDEN" });
  }
  const path = `${PEOPLE}/${member.id}`;
  const raise = { company, headers, method: "PATCH", body: { role: "support" } };
  expect((await call(path, raise)).status).toBe(403);
  expect((await invite("viewer")).status).toBe(201);
  expect((await call(path, { company, headers, method: "DELETE" })).status).toBe(200);
});

it("a removed or demoted admin's links open nothing, and a viewer's removal ends none", async () => {
  const company = await givenCompany();
  const owner = await givenMember(company, "owner");
  const admins = [await givenMember(company, "admin"), await givenMember(company, "admin")];
  const viewer = await givenMember(company, "viewer");
  const open = async () => (await call(PEOPLE, { company })).body.invitations.length;
  const ask = (id: string, method: string, body?: object) =>
    callAsMember(company, owner, `${PEOPLE}/${id}`, { method, body });
  const body = { email: "back@example.com", role: "admin" };
  for (const [index, admin] of admins.entries()) {
    const link = await callAsMember(company, admin, INVITATIONS, { method: "POST", body });
    expect(link.status).toBe(201);
    if (index === 0) await ask(viewer.id, "DELETE");
    expect(await open()).toBe(1);
    const ended =
      index === 0 ? ask(admin.id, "DELETE") : ask(admin.id, "PATCH", { role: "viewer" });
    expect((await ended).status).toBe(200);
    expect(await open()).toBe(0);
  }
});

it("INVALID_STATE: the last owner stays, also when two owners leave at once", async () => {
  const company = await givenCompany();
  const owners = [await givenMember(company, "owner"), await givenMember(company, "owner")];
  const answers = await Promise.all(
    owners.map((owner) =>
      callAsMember(company, owner, `${PEOPLE}/${owner.id}`, { method: "DELETE" }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await call(PEOPLE, { company })).body.items).toHaveLength(1);
});

it("NOT_FOUND: a person of another company", async () => {
  const [company, other] = [await givenCompany(), await givenCompany()];
  const stranger = await givenMember(other, "viewer");
  const answer = await call(`${PEOPLE}/${stranger.id}`, { company, method: "DELETE" });
  await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
});

it("an operator invites a company's first owner", async () => {
  const company = await givenCompany();
  const body = { email: "owner@example.com" };
  const made = await callAsOperator(`/companies/${company.id}/owner-invitation`, { body });
  expect(made.body.data).toMatchObject({
    ...body,
    role: "owner",
    warnings: [expect.stringContaining("first 24 hours")],
  });
  expect((await call(PEOPLE, { company })).body.invitations).toHaveLength(1);
});
