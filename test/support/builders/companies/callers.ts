import { fetchFromApp } from "../requests/app.ts";
import { findInvitation, useInvitation } from "../../../../src/db/people/invitations.ts";
import { findPerson } from "../../../../src/db/people/people.ts";
import type { PersonRole } from "../../../../src/domain/access/person-role.ts";
import { SCOPES, type Scope } from "../../../../src/domain/shared/company.ts";
import { requestAs } from "../../../../src/http/auth/person-requests.ts";
import { sha256Hex } from "../../../../src/lib/hash.ts";
import type { TestClock } from "../../fakes/clock.ts";
import { call, type Answer } from "../requests/api.ts";
import { env, type TestCompany } from "./env.ts";
import { freshIsolate } from "./isolate.ts";
import { callAsOperator, OPERATOR_CREDENTIALS, type TestOperator } from "./operator.ts";

/** Somebody who asks the API: an application by its key, or a person of the company in the console. */
export interface Caller {
  id: string;
  ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
}

/** Where and when somebody asks. */
export interface Place {
  company: TestCompany;
  clock: TestClock;
}

/** A company's application, by its key. */
export function byKey(company: TestCompany, clock: TestClock): Caller {
  return {
    id: company.clientId,
    ask: (method, path, body, headers = {}) =>
      call(path, {
        method,
        company,
        headers,
        deps: { platformClock: clock },
        ...(body === undefined ? {} : { body }),
      }),
  };
}

/** A person of the company with the role and the standing of each moment, as the console asks. */
export function byPerson(company: TestCompany, clock: TestClock, userId: string): Caller {
  const ask: Caller["ask"] = async (method, path, body, headers = {}) => {
    const found = await findPerson(env, { userId });
    const membership = found?.memberships.find((each) => each.companyId === company.id);
    if (membership === undefined) throw new Error("the person is no member");
    const { role, standing } = membership;
    const request = new Request(`https://localhost${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const email = `${userId}@example.com`;
    const person = { userId, name: userId, email, companyId: company.id, role, standing };
    const deps = { ...freshIsolate(), platformClock: clock };
    const response = await fetchFromApp(requestAs(person, request), { deps });
    const text = await response.text();
    const { status, headers: sent } = response;
    return { status, headers: sent, text, body: text === "" ? null : JSON.parse(text) };
  };
  return { id: `person_${userId}`, ask };
}

/** An application that `giver` makes, with a key of `giver`'s issuing. */
export async function applicationBy(
  giver: Caller,
  place: Place,
  scopes: readonly Scope[] = SCOPES,
): Promise<Caller> {
  const made = await giver.ask("POST", "/api/v1/applications", { name: "erp", scopes });
  requireStatus(made, 201);
  return keyBy(giver, { ...place, clientId: made.body.data.id });
}

/** A new key of an application, issued by `giver`. */
export async function keyBy(
  giver: Caller,
  { company, clock, clientId }: Place & { clientId: string },
  overlapHours = 24,
): Promise<Caller> {
  const path = `/api/v1/applications/${clientId}/keys`;
  const issued = await giver.ask("POST", path, { overlapHours });
  requireStatus(issued, 201);
  return byKey(withKey(company, clientId, issued.body.data.key), clock);
}

/** A person who joins by an invitation of `giver`'s. */
export async function invitedBy(
  giver: Caller,
  place: Place,
  role: PersonRole = "admin",
): Promise<Caller> {
  const email = `puppet_${crypto.randomUUID()}@example.com`;
  const sent = await giver.ask("POST", "/api/v1/people/invitations", { email, role });
  requireStatus(sent, 201);
  return joined(sent.body.data.url, place);
}

/** The company's application with a new key that an operator, by default the local one, issues beside its own. */
export async function keyByOperator(
  company: TestCompany,
  clock: TestClock,
  credentials: TestOperator["credentials"] = OPERATOR_CREDENTIALS,
): Promise<TestCompany> {
  const { clientId } = company;
  const issued = await call(`/api/v1/operator/companies/${company.id}/keys`, {
    company: { credentials },
    deps: { platformClock: clock },
    body: { clientId, overlapHours: 24 },
  });
  requireStatus(issued, 201);
  return withKey(company, clientId, issued.body.key);
}

/** An owner whom the operator invites. */
export async function ownerByOperator(place: Place): Promise<Caller> {
  const sent = await callAsOperator(`/companies/${place.company.id}/owner-invitation`, {
    deps: { platformClock: place.clock },
    body: { email: `owner_${crypto.randomUUID()}@example.com` },
  });
  requireStatus(sent, 201);
  return joined(sent.body.data.url, place);
}

async function joined(url: string, { company, clock }: Place): Promise<Caller> {
  const token = url.split("/").at(-1)!;
  const found = await findInvitation(env, await sha256Hex(token), clock.now());
  if (found === null) throw new Error("the invitation is not open");
  const userId = `puppet_${crypto.randomUUID()}`;
  const person = { userId, name: "Puppet", password: "hash" };
  if (
    !(await useInvitation(env, found.invitation, person, {
      nowMs: clock.now(),
      givenAt: clock.now(),
    }))
  ) {
    throw new Error("the invitation was not used");
  }
  return byPerson(company, clock, userId);
}

function withKey(company: TestCompany, clientId: string, apiKey: string): TestCompany {
  const credentials = { "X-Client-Id": clientId, "X-API-Key": apiKey };
  return { ...company, clientId, apiKey, credentials };
}

function requireStatus({ status, text }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status}: ${text}`);
}
